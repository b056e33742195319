package workload

import (
	"fmt"

	"github.com/novastream/nova/history"
)

// Operations are in the trace too, at the process that asks: "ask" with what is asked for, "told" with the answer. An operation is
// named by the numbers that its client and itself have in the history.

// tellAsk tells the start of an operation.
func (j *Journal) tellAsk(in history.Invoke) {
	if !j.world.Tracing() {
		return
	}
	kv := []any{"kind", in.Kind, "op", operation(in.Client, in.Op), "stream", in.Stream}
	switch in.Kind {
	case history.Append:
		kv = append(kv, "records", len(in.Hashes))
	case history.Read:
		kv = append(kv, "from", in.From, "linearizable", in.Linearizable)
	case history.Open, history.Tail:
	}
	if in.Match != nil {
		kv = append(kv, "match", *in.Match)
	}
	if in.Token != 0 {
		kv = append(kv, "token", in.Token)
	}
	j.world.Emit(j.asker(), "ask", kv...)
}

// tellAnswer tells the end of an operation.
func (j *Journal) tellAnswer(c history.Complete) {
	if !j.world.Tracing() {
		return
	}
	kv := []any{"kind", c.Kind, "op", operation(c.Client, c.Op), "outcome", c.Outcome}
	switch {
	case c.Code != "":
		kv = append(kv, "code", c.Code)
	case c.Outcome != history.OK:
	case c.Kind == history.Append, c.Kind == history.Read:
		kv = append(kv, "seqs", fmt.Sprintf("%d..%d", c.First, int64(c.Next)-1))
	default:
		kv = append(kv, "tail", c.Tail)
	}
	if c.Token != 0 {
		kv = append(kv, "token", c.Token)
	}
	j.world.Emit(j.asker(), "told", kv...)
}

func operation(c history.Client, op history.OpID) string { return fmt.Sprintf("%d/%d", c, op) }

// asker is the process that asks; a hand may outlive the task that was given it.
func (j *Journal) asker() string {
	if p := j.world.Running(); p != nil {
		return p.Name()
	}
	return ""
}
