package leadership

import (
	"testing"

	"github.com/novastream/nova/core/records"
)

// TestChooseBranch walks the branches of the gate: what a writer row, the mark on the last ref row and the state of the
// chain epoch call for.
func TestChooseBranch(t *testing.T) {
	row := func(change func(*records.Writer)) writerRow {
		w := &records.Writer{Star: "star-a", StreamEpoch: 7, ChainEpoch: 3}
		change(w)
		return writerRow{found: true, value: w}
	}
	plain := func(*records.Writer) {}
	const active, fenced, settled = records.ChainState_CHAIN_STATE_ACTIVE, records.ChainState_CHAIN_STATE_FENCED, records.ChainState_CHAIN_STATE_SETTLED
	cases := []struct {
		name  string
		w     writerRow
		mark  uint64
		state records.ChainState
		mine  bool
		want  branch
	}{
		{"nobody ever led it", writerRow{value: &records.Writer{}}, 0, active, false, passFresh},
		{"the id is deleted, whatever else holds", row(func(w *records.Writer) { w.Deleted, w.CleanEpoch = true, 7 }), 7, settled, true, isDeleted},
		{"the last row bears the mark of this very epoch", row(plain), 7, active, false, passCovered},
		{"a mark of an earlier epoch is no evidence", row(plain), 6, active, false, askOrFence},
		{"a stream without rows bears its mark on the writer row", row(func(w *records.Writer) { w.CleanEpoch = 7 }), 0, active, false, passCovered},
		{"an earlier mark on the writer row is no evidence", row(func(w *records.Writer) { w.CleanEpoch = 6 }), 0, active, true, flushOwn},
		{"its chain epoch is settled", row(plain), 0, settled, false, passCovered},
		{"its chain epoch is fenced: settle it, whoever lives", row(plain), 0, fenced, true, settleEnded},
		{"this process writes the epoch", row(plain), 0, active, true, flushOwn},
		{"somebody else writes the epoch", row(plain), 0, active, false, askOrFence},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := chooseBranch(c.w, c.mark, &records.ChainEpoch{State: c.state}, c.mine)
			if got != c.want {
				t.Fatalf("branch %d, want %d", got, c.want)
			}
		})
	}
}

// TestTailWindow keeps acknowledged batches until refs cover them, and gives them from any seq inside.
func TestTailWindow(t *testing.T) {
	w := tailWindow{}
	for _, run := range []Acked{{0, 3, 1, make([]byte, 30)}, {3, 4, 2, make([]byte, 10)}, {4, 9, 3, make([]byte, 50)}} {
		w.add(run)
	}
	if got := w.from(3); len(got) != 2 || got[0].First != 3 {
		t.Fatalf("from 3: %v", got)
	}
	if got := w.from(9); got != nil {
		t.Fatalf("from the end: %v", got)
	}
	if freed := w.cover(4); freed != 40 || w.bytes != 50 {
		t.Fatalf("cover 4 freed %d and left %d bytes", freed, w.bytes)
	}
	if got := w.from(2); got != nil {
		t.Fatalf("from a covered seq: %v", got)
	}
	if freed := w.clear(); freed != 50 || len(w.runs) != 0 {
		t.Fatalf("clear freed %d", freed)
	}
}
