package iotest

import (
	"context"
	"fmt"

	"github.com/novastream/nova/io/meta"
)

// metaLocalityCases are what Within promises.
func metaLocalityCases() []Case[MetaHarness] {
	return []Case[MetaHarness]{
		{"locality/ranges stay inside", caseMetaLocalityRanges},
		{"locality/views compose", caseMetaLocalityViews},
		{"locality/ranges are ordered with writes", caseMetaLocalityOrder},
	}
}

func caseMetaLocalityRanges(h MetaHarness) {
	s := h.Client().Spaces
	const n = 8
	for i := range n {
		loc := fmt.Sprintf("streams/s%d", i)
		m := s.Records.Within(loc)
		h.putRecords(m, loc+"/writer", loc+"/refs/1", loc+"/refs/2")
	}
	for i := range n {
		loc := fmt.Sprintf("streams/s%d", i)
		m := s.Records.Within(loc)
		h.wantScan(m, loc, "", 100, "writer")
		h.wantScan(m, loc+"/refs", "", 100, "1", "2")
		rec, err := m.Fresh().FloorGet(h.Ctx, loc+"/refs", "9")
		h.must(err, "floor within %s", loc)
		if rec.Key != loc+"/refs/2" {
			h.fatalf("floor within %s: got %q", loc, rec.Key)
		}
	}
	gone := s.Records.Within("streams/s3")
	h.must(gone.DeleteChildren(h.Ctx, "streams/s3/refs"), "delete children within")
	h.wantScan(gone, "streams/s3/refs", "", 100)
	h.wantScan(s.Records.Within("streams/s4"), "streams/s4/refs", "", 100, "1", "2")
}

func caseMetaLocalityViews(h MetaHarness) {
	s := h.Client().Spaces
	h.putRecords(s.Records.Within("loc"), "loc/k")
	for i, m := range []meta.Metastore{
		s.Records.Within("loc").Fresh(), s.Records.Fresh().Within("loc"),
		s.Records.Within("other").Within("loc").Fresh(), s.Records.Within("loc").Fresh().Fresh(),
	} {
		rec, err := m.Get(h.Ctx, "loc/k")
		h.must(err, "get through view %d", i)
		if string(rec.Value) != "loc/k" {
			h.fatalf("view %d: got %q", i, rec.Value)
		}
	}
	other := h.Client().Records.Within("loc").Fresh()
	if _, err := other.Get(h.Ctx, "loc/k"); err != nil {
		h.fatalf("another client does not see the record: %v", err)
	}
}

// One task writes rows in ascending order. Whoever scans meanwhile sees a run without holes, never less than before.
func caseMetaLocalityOrder(h MetaHarness) {
	const rows, readers = 50, 3
	m := h.Client().Records.Within("p")
	h.together(readers+1, func(ctx context.Context, task int) {
		if task == readers {
			for i := range rows {
				_, err := m.Put(ctx, fmt.Sprintf("p/%03d", i), nil, meta.Absent())
				h.must(err, "put row %d", i)
			}
			return
		}
		for seen := 0; seen < rows; {
			recs, err := m.Fresh().Scan(ctx, "p", "", rows+1)
			h.must(err, "scan")
			for i, rec := range recs {
				if want := fmt.Sprintf("p/%03d", i); rec.Key != want {
					h.fatalf("row %d of a scan is %q, want %q", i, rec.Key, want)
				}
			}
			if len(recs) < seen {
				h.fatalf("a scan shows %d rows after one that showed %d", len(recs), seen)
			}
			seen = len(recs)
		}
	})
}
