package scenario

import (
	"fmt"
	"time"

	"github.com/novastream/nova/history"
)

// mostTold is how many operations of a violation of the history are told with their times and places.
const mostTold = 3

// blame is a violation of the history in words and as keys and values for the trace: what the history says, and of its operations
// when they were under way and where what they wrote lies.
func (r *run) blame(v history.Violation) (sentence string, about []any) {
	about = []any{"stream", v.Stream}
	sentence = v.Text
	for n, ref := range v.Ops {
		about = append(about, "op", fmt.Sprintf("%d/%d", ref.Client, ref.Op))
		asked, answered := r.find(ref)
		if answered != nil && answered.Outcome == history.OK && ref.Kind == history.Append {
			about = append(about, "seqs", fmt.Sprintf("%d..%d", answered.First, int64(answered.Next)-1))
		}
		if n < mostTold && asked != nil {
			sentence += "; " + r.told(ref, asked, answered)
		}
	}
	return sentence, append([]any{"check", historyCheck(v), "sentence", sentence}, about...)
}

// told tells when an operation was under way, and where what it wrote lies.
func (r *run) told(ref history.Ref, asked *history.Invoke, answered *history.Complete) string {
	name := fmt.Sprintf("%s %d of client %d", ref.Kind, ref.Op, ref.Client)
	switch {
	case answered == nil || answered.Outcome == history.Unknown:
		return fmt.Sprintf("%s was asked at %v", name, time.Duration(asked.At))
	case ref.Kind == history.Append && answered.Outcome == history.OK:
		return fmt.Sprintf("%s was from %v to %v, and %s", name, time.Duration(asked.At), time.Duration(answered.At), r.observer.Lies(asked.Stream, answered.First, answered.Next))
	default:
		return fmt.Sprintf("%s was from %v to %v", name, time.Duration(asked.At), time.Duration(answered.At))
	}
}

// find finds an operation in the history; the answer is nil where there is none.
func (r *run) find(ref history.Ref) (asked *history.Invoke, answered *history.Complete) {
	for e, err := range r.log.Events() {
		if err != nil {
			return nil, nil // told when it was judged
		}
		switch e := e.(type) {
		case history.Invoke:
			if e.Client == ref.Client && e.Op == ref.Op && e.Kind == ref.Kind {
				asked = &e
			}
		case history.Complete:
			if e.Client == ref.Client && e.Op == ref.Op && e.Kind == ref.Kind {
				answered = &e
			}
		}
	}
	return asked, answered
}
