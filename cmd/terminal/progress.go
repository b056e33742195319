package terminal

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

// erase clears the line that was drawn.
const erase = "\r\x1b[K"

// Progress tells on stderr how far a command has come, until Stop.
type Progress struct {
	out      io.Writer
	terminal bool
	stop     chan struct{}
	stopped  chan struct{}
	lock     sync.Mutex // of the terminal's line
	drawn    bool
}

// Follow begins to tell what say says, now and then. say is called by a goroutine of its own.
func Follow(out io.Writer, terminal bool, say func() string) *Progress {
	p := &Progress{out: out, terminal: terminal, stop: make(chan struct{}), stopped: make(chan struct{})}
	go p.run(say)
	return p
}

func (p *Progress) run(say func() string) {
	defer close(p.stopped)
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
		case <-p.stop:
			return
		}
	}
}

func (p *Progress) tell(line string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if !p.terminal {
		fmt.Fprintln(p.out, line)
		return
	}
	p.drawn = true
	fmt.Fprint(p.out, erase+line)
}

// Print has fn print lines of the command's own where the live line stood.
func (p *Progress) Print(fn func()) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.drawn {
		fmt.Fprint(p.out, erase)
	}
	fn()
}

// Stop ends the telling and clears what was drawn.
func (p *Progress) Stop() {
	close(p.stop)
	<-p.stopped
	p.Print(func() {})
}
