package history

import (
	"fmt"
	"iter"
)

// Source is a history that can be gone through more than once.
type Source interface {
	// Events yields the events in order. After an error nothing follows.
	Events() iter.Seq2[Event, error]
	// Finals yields the Final events alone, and may be faster.
	Finals() iter.Seq2[Final, error]
}

// BadEventError says which line of a history is wrong, and why.
type BadEventError struct {
	Line   int // from 1, the header being line 1; a Log counts as if it had been written
	Reason string
}

func (e *BadEventError) Error() string { return fmt.Sprintf("history line %d: %s", e.Line, e.Reason) }

// Log is a history in memory. The zero value is ready for use.
type Log struct{ events []Event }

var (
	_ Recorder = (*Log)(nil)
	_ Source   = (*Log)(nil)
)

// Invoke records the start of an operation.
func (l *Log) Invoke(e Invoke) { l.events = append(l.events, e) }

// Complete records the end of an operation.
func (l *Log) Complete(e Complete) { l.events = append(l.events, e) }

// Final records a part of a stream's final contents.
func (l *Log) Final(e Final) { l.events = append(l.events, e) }

// Len is the number of events.
func (l *Log) Len() int { return len(l.events) }

// Events yields the recorded events; a *BadEventError where one breaks a rule.
func (l *Log) Events() iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		var r rules
		for i, e := range l.events {
			if reason := r.admit(e); reason != "" {
				yield(nil, &BadEventError{Line: i + 2, Reason: reason})
				return
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Finals yields the Final events. Rules are checked by Events.
func (l *Log) Finals() iter.Seq2[Final, error] {
	return func(yield func(Final, error) bool) {
		for _, e := range l.events {
			if f, ok := e.(Final); ok && !yield(f, nil) {
				return
			}
		}
	}
}
