package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/io/run"
)

// Process is one process life: a star, a client, or the driver. It implements run.Runtime for the core code in it. A restart
// is a new Process of the same name.
type Process struct {
	world *World
	name  string
	boot  int // 1 for the first process of this name
	root  *Context
	rng   *rand.Rand
	clock clock
	tasks []*Task

	dead, paused bool
	busyUntil    int64         // until when it is kept off the processor
	stepCost     time.Duration // the time a step of a task keeps the processor
	stalled      []*Task       // tasks that could run, were the process not held
	onDeath      []func()
}

var _ run.Runtime = (*Process)(nil)

// Process starts a process life under a name. The name is its place in the network, its disk and its lane in the trace.
func (w *World) Process(name string) *Process {
	w.boots[name]++
	p := &Process{world: w, name: name, boot: w.boots[name]}
	p.rng = w.Rand(fmt.Sprintf("process/%s/%d", name, p.boot))
	p.root = &Context{process: p}
	if name != "driver" {
		p.clock.anchor = w.now
		p.clock.base = p.rng.Int64N(int64(time.Hour)) // monotonic clocks start anywhere
		p.clock.offset = w.now - p.clock.base
	}
	w.processes = append(w.processes, p)
	w.Emit(name, "start", "boot", p.boot)
	return p
}

// World is the world that the process lives in.
func (p *Process) World() *World { return p.world }

// Name is the process's name.
func (p *Process) Name() string { return p.name }

// Boot counts the process lives of this name, from 1.
func (p *Process) Boot() int { return p.boot }

// Alive says whether the process has not been killed.
func (p *Process) Alive() bool { return !p.dead }

// Paused says whether the process is held by Pause.
func (p *Process) Paused() bool { return p.paused }

// Tasks counts the tasks that have not ended.
func (p *Process) Tasks() int { return len(p.tasks) }

// OnDeath registers what the world around the process does when it dies. fn runs after the last of its tasks is gone, or
// is inert; it must not wait.
func (p *Process) OnDeath(fn func()) { p.onDeath = append(p.onDeath, fn) }

// Kill ends the process at this instant, as a crash does. Its tasks unwind without any further effect; a task that kills
// its own process unwinds at its next io call. What is under way in the network stays under way.
func (p *Process) Kill() {
	if p.dead {
		return
	}
	w := p.world
	p.dead = true
	w.Emit(p.name, "kill", "boot", p.boot)
	w.FoldString(p.name)
	for i := len(p.tasks) - 1; i >= 0; i = min(i-1, len(p.tasks)-1) {
		if t := p.tasks[i]; t.state != taskRunning {
			w.unwind(t)
		}
	}
	p.stalled = nil
	p.root.cancel(context.Canceled)
	for i, q := range w.processes {
		if q == p {
			w.processes = append(w.processes[:i], w.processes[i+1:]...)
			break
		}
	}
	for _, fn := range p.onDeath {
		fn()
	}
}

// Stop tells the process to stop: its root context ends. The process lives on until it is killed.
func (p *Process) Stop() {
	p.world.Emit(p.name, "stop", "boot", p.boot)
	p.root.cancel(context.Canceled)
}

// Pause holds the process: none of its tasks runs, while its timers, answers and deadlines pile up. It becomes a zombie if
// this lasts longer than the others' patience.
func (p *Process) Pause() {
	p.paused = true
	p.world.Emit(p.name, "pause", "boot", p.boot)
}

// Resume ends a Pause.
func (p *Process) Resume() {
	if !p.paused {
		return
	}
	p.paused = false
	p.world.Emit(p.name, "resume", "boot", p.boot)
	(*release)(p).Fire(0)
}

// SetSlow makes every step of a task keep the process's processor for cost of virtual time. Zero makes it quick again.
func (p *Process) SetSlow(cost time.Duration) {
	p.stepCost = cost
	p.world.Emit(p.name, "slow", "boot", p.boot, "cost", cost)
}

// forget drops an ended task.
func (p *Process) forget(t *Task) {
	last := len(p.tasks) - 1
	moved := p.tasks[last]
	p.tasks[t.index] = moved
	moved.index = t.index
	p.tasks[last] = nil
	p.tasks = p.tasks[:last]
}

// Processes are the processes alive, in order of birth, the driver first.
func (w *World) Processes() []*Process { return w.processes }
