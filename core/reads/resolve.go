package reads

import (
	"context"
	"errors"
	"sort"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
)

// spanned is a window found for a seq, and the row that led there.
type spanned struct {
	row  *records.RefRow
	span *records.SpanEntry
	window
}

// find gives the window that holds seq, which lies below the refs tail. The row that led to the window before is looked at
// first. A floor row that does not cover seq, or whose slot is gone, sends it to the row before. Without an answer it starts
// over once, fresh; then it is a LostError.
func (r *Reader) find(ctx context.Context, id keys.StreamID, seq keys.Seq, before spanned) (spanned, error) {
	if span := entryAt(before.row.GetSpans(), seq); span != nil {
		if w, err := r.window(ctx, id, span); !errors.Is(err, errGone) {
			return spanned{before.row, span, w}, err
		}
	}
	var gone error
	views := []meta.Metastore{r.env.Meta.Records, r.env.Meta.Records.Fresh()}
	if r.env.Bugs.Has(planted.StaleLoss) {
		views = views[:1]
	}
	for _, view := range views {
		found, err := r.walk(ctx, view, id, seq)
		if err == nil || !errors.Is(err, errGone) {
			return found, err
		}
		gone = err
	}
	if gone == errGone { //nolint:errorlint // bare: there was no window to look for
		return spanned{}, &LostError{id, seq, "no ref row leads to it", nil}
	}
	return spanned{}, &LostError{id, seq, "", gone}
}

// walk looks at the rows from the floor of seq downwards. errGone: none of them leads to the record.
func (r *Reader) walk(ctx context.Context, view meta.Metastore, id keys.StreamID, seq keys.Seq) (spanned, error) {
	gone := errGone
	row, found, err := r.rows.Floor(ctx, view, id, seq)
	for ; err == nil && found; row, found, err = r.rows.Before(ctx, view, id, row.First) {
		span := entryAt(row.Value.GetSpans(), seq)
		if span == nil {
			continue
		}
		w, err := r.window(ctx, id, span)
		if err == nil {
			return spanned{row.Value, span, w}, nil
		}
		if !errors.Is(err, errGone) {
			return spanned{}, err
		}
		gone = err
	}
	if err != nil {
		return spanned{}, err
	}
	return spanned{}, gone
}

// entryAt is the entry that holds seq, by binary search; nil where none does.
func entryAt(spans []*records.SpanEntry, seq keys.Seq) *records.SpanEntry {
	i := sort.Search(len(spans), func(i int) bool { return spanEnd(spans[i]) > uint64(seq) })
	if i == len(spans) || spans[i].GetFirst() > uint64(seq) {
		return nil
	}
	return spans[i]
}

func spanEnd(s *records.SpanEntry) uint64 { return s.GetFirst() + uint64(s.GetCount()) }
