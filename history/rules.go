package history

import (
	"cmp"
	"fmt"
)

// rules is what makes a sequence of events a history. It remembers the open operations, the clients and the streams
// that were read back.
type rules struct {
	open   map[opKey]Invoke
	lastOp map[Client]OpID
	finals map[string]Seq // the next seq of a stream's final contents
}

type opKey struct {
	client Client
	op     OpID
}

func (k opKey) compare(other opKey) int {
	return cmp.Or(cmp.Compare(k.client, other.client), cmp.Compare(k.op, other.op))
}

// admit takes the next event, or says what is wrong with it.
func (r *rules) admit(e Event) (wrong string) {
	if r.open == nil {
		r.open, r.lastOp, r.finals = map[opKey]Invoke{}, map[Client]OpID{}, map[string]Seq{}
	}
	switch e := e.(type) {
	case Invoke:
		return r.invoke(e)
	case Complete:
		return r.complete(e)
	case Final:
		return r.final(e)
	default:
		return fmt.Sprintf("event of type %T", e)
	}
}

func (r *rules) invoke(e Invoke) string {
	if e.Kind == 0 || uint8(e.Kind) >= kinds {
		return fmt.Sprintf("unknown kind of operation %d", e.Kind)
	}
	if e.Stream == "" {
		return fmt.Sprintf("%s names no stream", e.ref())
	}
	if last, ok := r.lastOp[e.Client]; ok && e.Op <= last {
		return fmt.Sprintf("client %d invokes operation %d after operation %d; the ids of a client must increase", e.Client, e.Op, last)
	}
	if e.Kind == Append && len(e.Hashes) == 0 {
		return fmt.Sprintf("%s has no records", e.ref())
	}
	if _, ok := r.finals[e.Stream]; ok {
		return fmt.Sprintf("%s on stream %s comes after the stream's final contents", e.ref(), told(e.Stream))
	}
	r.lastOp[e.Client] = e.Op
	e.Hashes = nil // not needed to judge the completion
	r.open[opKey{e.Client, e.Op}] = e
	return ""
}

func (r *rules) complete(e Complete) string {
	key := opKey{e.Client, e.Op}
	in, ok := r.open[key]
	if !ok {
		return fmt.Sprintf("operation %d of client %d completes, but it is not open", e.Op, e.Client)
	}
	if in.Kind != e.Kind {
		return fmt.Sprintf("operation %d of client %d was invoked as %s and completes as %s", e.Op, e.Client, in.Kind, e.Kind)
	}
	if _, ok := r.finals[in.Stream]; ok {
		return fmt.Sprintf("%s on stream %s completes after the stream's final contents", e.ref(), told(in.Stream))
	}
	if e.Outcome == 0 || uint8(e.Outcome) >= outcomes {
		return fmt.Sprintf("%s has the unknown outcome %d", e.ref(), e.Outcome)
	}
	if e.Outcome == Failed && e.Code == MatchFailed && in.Match == nil {
		return fmt.Sprintf("%s failed with %s, but it names no seq to match", e.ref(), MatchFailed)
	}
	if e.Outcome == Failed && e.Code == Fenced && e.Kind != Append && e.Kind != Open {
		return fmt.Sprintf("%s failed with %s, which only an append or an open can", e.ref(), Fenced)
	}
	delete(r.open, key)
	return ""
}

func (r *rules) final(e Final) string {
	if e.Stream == "" {
		return "final contents name no stream"
	}
	if next := r.finals[e.Stream]; e.First != next {
		return fmt.Sprintf("final contents of stream %s go on at seq %d, expected seq %d", told(e.Stream), e.First, next)
	}
	r.finals[e.Stream] = e.First + Seq(len(e.Hashes))
	return ""
}
