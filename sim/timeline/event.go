package timeline

import (
	"fmt"
	"slices"
	"time"

	"github.com/novastream/nova/sim"
)

// Event is one event of a trace, and what led to it.
type Event struct {
	sim.Cause
	At     time.Duration
	Where  string
	What   string
	Fields []Field
}

// Field is a key of an event and its value.
type Field struct{ Key, Value string }

// Get is the first value of a key; empty where there is none.
func (e *Event) Get(key string) string {
	for _, f := range e.Fields {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// All are the values of a key.
func (e *Event) All(key string) (values []string) {
	for _, f := range e.Fields {
		if f.Key == key {
			values = append(values, f.Value)
		}
	}
	return values
}

// String is the event as a line of the trace.
func (e *Event) String() string {
	kv := make([]any, 0, 2*len(e.Fields))
	for _, f := range e.Fields {
		kv = append(kv, f.Key, f.Value)
	}
	return string(sim.AppendEvent(nil, e.At, e.Where, e.What, kv))
}

// maxEvents bounds what a Collector keeps: the last ones until the first violation, and from then on what still finds room, but
// never fewer behind it than tail.
const (
	maxEvents = 600_000
	tail      = maxEvents / 10
)

// Collector is a Tracer that keeps events with their causes.
type Collector struct {
	events []Event
	next   sim.Cause
	left   int // events that were let go, the oldest
	unkept int // events that were let go, the newest
	found  int // the place of the first violation, from 1; 0: there is none yet
}

var _ sim.CausalTracer = (*Collector)(nil)

// Caused is told before each event.
func (c *Collector) Caused(cause sim.Cause) { c.next = cause }

// Event keeps the event.
func (c *Collector) Event(at time.Duration, where, what string, kv []any) {
	e := Event{Cause: c.next, At: at, Where: where, What: what, Fields: make([]Field, 0, len(kv)/2)}
	for i := 0; i+1 < len(kv); i += 2 {
		e.Fields = append(e.Fields, Field{textIn(kv[i]), textIn(kv[i+1])})
	}
	if len(c.events) == maxEvents {
		if c.found > 0 && len(c.events)-c.found >= tail {
			c.unkept++
			return
		}
		c.events = slices.Delete(c.events, 0, tail)
		c.left += tail
		c.found = max(c.found-tail, 0)
	}
	c.events = append(c.events, e)
	if c.found == 0 && what == "violation" {
		c.found = len(c.events)
	}
}

// textIn is a value as text; what is text already is not copied.
func textIn(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return fmt.Sprint(value)
}

// Events are the events kept, in order.
func (c *Collector) Events() []Event { return c.events }

// Left counts the events that were let go, the oldest.
func (c *Collector) Left() int { return c.left }

// Lines are lines of the trace: at most so many up to the first violation, and so many behind it. Without a violation they are
// the last.
func (c *Collector) Lines(before, behind int) []string {
	end := len(c.events)
	if c.found > 0 {
		end = min(c.found, end)
	} else {
		behind = 0
	}
	kept := c.events[max(end-before, 0):min(end+behind, len(c.events))]
	lines := make([]string, len(kept))
	for i := range kept {
		lines[i] = kept[i].String()
	}
	return lines
}
