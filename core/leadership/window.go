package leadership

import "github.com/novastream/nova/core/keys"

// tailWindow keeps the acknowledged batches that refs do not cover yet, so that reads of the tail need no store.
type tailWindow struct {
	runs  []Acked
	bytes int
}

// Acked is one acknowledged batch, as the slot holds it (core/format).
type Acked struct {
	First, End keys.Seq
	StampUs    int64
	Raw        []byte
}

func (w *tailWindow) add(run Acked) {
	w.runs = append(w.runs, run)
	w.bytes += len(run.Raw)
}

// cover drops what refs cover below end, and says how many bytes that freed.
func (w *tailWindow) cover(end keys.Seq) (freed int) {
	n := 0
	for n < len(w.runs) && w.runs[n].End <= end {
		freed += len(w.runs[n].Raw)
		w.runs[n].Raw = nil
		n++
	}
	w.runs = w.runs[n:]
	if len(w.runs) == 0 {
		w.runs = nil // an idle stream keeps no array
	}
	w.bytes -= freed
	return freed
}

func (w *tailWindow) clear() (freed int) {
	freed = w.bytes
	*w = tailWindow{}
	return freed
}

// from is the run that holds seq, and those after it.
func (w *tailWindow) from(seq keys.Seq) []Acked {
	for i, r := range w.runs {
		if seq < r.End {
			if seq < r.First {
				return nil
			}
			return w.runs[i:]
		}
	}
	return nil
}
