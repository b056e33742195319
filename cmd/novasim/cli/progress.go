package cli

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// How often progress is told: redrawn on a terminal, as a line of its own elsewhere.
const (
	redrawEvery = 200 * time.Millisecond
	lineEvery   = 5 * time.Second
)

// progress tells on stderr how far a command has come, until stop.
type progress struct {
	out      io.Writer
	terminal bool
	done     chan struct{}
	ended    chan struct{}
	lock     sync.Mutex // of the terminal's line
}

// follow begins to tell what say says, now and then. say is called by a goroutine of its own.
func follow(e Env, say func() string) *progress {
	p := &progress{out: e.Stderr, terminal: e.StderrTerminal, done: make(chan struct{}), ended: make(chan struct{})}
	go p.run(say)
	return p
}

func (p *progress) run(say func() string) {
	defer close(p.ended)
	every := lineEvery
	if p.terminal {
		every = redrawEvery
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			p.tell(say())
		case <-p.done:
			return
		}
	}
}

func (p *progress) tell(line string) {
	if !p.terminal {
		fmt.Fprintln(p.out, line)
		return
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	fmt.Fprintf(p.out, "\r\x1b[K%s", line)
}

// print has fn print lines of the command's own where the live line stood.
func (p *progress) print(fn func()) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.terminal {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
	fn()
}

// stop ends the telling and clears what was drawn.
func (p *progress) stop() {
	close(p.done)
	<-p.ended
	p.print(func() {})
}
