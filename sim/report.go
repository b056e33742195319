package sim

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Waiting is one task that has not ended.
type Waiting struct {
	Process string
	Task    string
	On      string // "running" where it waits for nothing but its turn
	Detail  string // the key, the address
	For     time.Duration
}

func (t Waiting) String() string {
	return fmt.Sprintf("%s: %s waits on %s %s for %v", t.Process, t.Task, t.On, t.Detail, t.For)
}

// Waiting tells who waits for what, process by process in order of birth.
func (w *World) Waiting() []Waiting {
	var all []Waiting
	for _, p := range w.processes {
		for _, t := range p.tasks {
			one := Waiting{Process: p.name, Task: t.name, On: "running"}
			if t.state == taskWaiting {
				one.On, one.Detail, one.For = t.what, t.detail, time.Duration(w.now-t.since)
			}
			all = append(all, one)
		}
	}
	return all
}

// Stacks is where every waiting task stands: what a person asks for when a run is stuck. It is slow.
func (w *World) Stacks() string {
	text := ""
	for _, p := range w.processes {
		for _, t := range p.tasks {
			if t.state != taskWaiting || t.co == nil {
				continue
			}
			t.mode = resumeReport
			t.co.next()
			text += fmt.Sprintf("%s: %s waits on %s %s\n%s\n", p.name, t.name, t.what, t.detail, t.co.stack)
		}
	}
	return text
}

// Count is how often something happened.
type Count struct {
	Name  string
	Times uint64
}

// Counters count by name: named steps crossed, notes taken, faults fired.
type Counters struct{ steps, notes, faults map[string]uint64 }

func newCounters() Counters {
	return Counters{map[string]uint64{}, map[string]uint64{}, map[string]uint64{}}
}

// Steps are the named steps that were crossed, by name.
func (c *Counters) Steps() []Count { return Sorted(c.steps) }

// Notes are the notes that were taken, by name.
func (c *Counters) Notes() []Count { return Sorted(c.notes) }

// Faults are the faults that fired, by name.
func (c *Counters) Faults() []Count { return Sorted(c.faults) }

// Sorted are counts by name, in order of the names.
func Sorted(counts map[string]uint64) []Count {
	var all []Count
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, Count{name, counts[name]})
	}
	return all
}

// Counters are the counts so far.
func (w *World) Counters() *Counters { return &w.counters }

// CountFault counts one firing of a fault and writes it into the trace.
func (w *World) CountFault(name, where string) {
	w.counters.faults[name]++
	w.Emit(where, "fault", "name", name)
}
