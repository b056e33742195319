package absorb

import (
	"fmt"

	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/core/refs"
)

// maxSpans bounds the windows that one row names.
const maxSpans = 512

// window is one stream's window in one slot of a chain.
type window struct {
	star  keys.StarID
	epoch keys.Epoch
	slot  keys.Slot
	entry format.Entry
}

func (w window) String() string {
	return fmt.Sprintf("[%d,%d) in slot %s", w.entry.First, w.entry.End(), keys.SlotObject(w.star, w.epoch, w.slot))
}

// end is the seq after the last of the windows, which are in order; 0 for none.
func end(windows []window) keys.Seq {
	if len(windows) == 0 {
		return 0
	}
	return windows[len(windows)-1].entry.End()
}

// decision is what a committer does next for a stream.
type decision struct {
	tail    keys.Seq // the refs tail that it was decided on
	skip    int      // windows at or below the tail
	take    int      // windows behind those that go into one row, at the tail; 0: all are covered, or it is broken
	broken  string   // the invariant that does not hold
	culprit window
}

// decide looks at a stream's last row and its windows, which are in order.
func decide(last refs.Row, found bool, windows []window) decision {
	d := decision{tail: refs.Tail(last, found)}
	for d.skip < len(windows) && windows[d.skip].entry.End() <= d.tail {
		d.skip++
	}
	next, epoch := d.tail, keys.StreamEpoch(last.Value.GetEpoch())
	for _, w := range windows[d.skip:] {
		broken := misfit(w, next, epoch)
		if broken != "" && d.take == 0 {
			d.broken, d.culprit = broken, w
		}
		if broken != "" || d.take == maxSpans {
			break // what comes behind is judged once this much is covered
		}
		next, epoch = w.entry.End(), w.entry.StreamEpoch
		d.take++
	}
	return d
}

// misfit says why a window cannot stand at a tail, behind a window or row of that stream epoch.
func misfit(w window, tail keys.Seq, epoch keys.StreamEpoch) string {
	switch {
	case w.entry.First > tail:
		return "a window lies above the tail"
	case w.entry.First < tail:
		return "a window begins below the tail and ends above it"
	case w.entry.StreamEpoch < epoch:
		return "a window above the tail is of an older stream epoch than the last row"
	default:
		return ""
	}
}

// rowOf is the span ref of windows that touch.
func rowOf(builder keys.StarID, windows []window) *records.RefRow {
	row := &records.RefRow{Builder: string(builder), End: uint64(end(windows))}
	for _, w := range windows {
		e := w.entry
		row.Spans = append(row.Spans, &records.SpanEntry{
			Chain: string(w.star), Epoch: uint64(w.epoch), Slot: uint64(w.slot), Offset: e.Offset, Length: e.Length,
			First: uint64(e.First), Count: e.Count, FirstUs: e.FirstStamp, LastUs: e.LastStamp,
			StreamEpoch: uint64(e.StreamEpoch), Codec: uint32(e.Codec), Crc: e.CRC,
		})
		row.Epoch = max(row.Epoch, uint64(e.StreamEpoch))
		row.LastStampUs = e.LastStamp
	}
	return row
}

// redundant says whether the row [first, end) that a committer made turned out not to be last and to reach past the key
// of the last row: its key had been settled away and was free again.
func redundant(first, end keys.Seq, last refs.Row) bool {
	return first < last.First && last.First < end
}
