package script

import (
	"slices"
	"testing"
	"time"
)

// TestRanges asks for numbers inside, at the edges of and between ranges.
func TestRanges(t *testing.T) {
	r := Ranges{{3, 5}, {9, 10}}
	for n, want := range map[uint64]bool{0: false, 2: false, 3: true, 4: true, 5: false, 8: false, 9: true, 10: false} {
		if r.Has(n) != want {
			t.Errorf("Has(%d) is %v", n, !want)
		}
	}
	for limit, want := range map[uint64]uint64{0: 0, 3: 0, 4: 1, 9: 2, 100: 3} {
		if got := r.Below(limit); got != want {
			t.Errorf("Below(%d) is %d, want %d", limit, got, want)
		}
	}
	if !Everything().Has(1<<63) || Everything().Below(7) != 7 || Ranges(nil).Has(0) {
		t.Error("everything or nothing is not what it says")
	}
}

// TestActs tells who acts, and orders acts by time and name.
func TestActs(t *testing.T) {
	acts := []Act{
		{At: 2 * time.Second, Line: "client-3 produce", N: 4, Sub: 2}, {At: time.Second, Line: "hit blob.late zone-a", N: 1, Arg: int64(time.Minute)},
		{At: time.Second, Line: "fault crash", N: 2}, {At: 2 * time.Second, Line: "client-3 produce", N: 4},
	}
	slices.SortFunc(acts, Act.Compare)
	s := &Script{Acts: acts}
	for i, want := range []string{"1s fault crash #2", "1s hit blob.late zone-a #1 by 1m0s", "2s client-3 produce #4", "2s client-3 produce #4.2"} {
		if got := acts[i].String(); got != want {
			t.Errorf("act %d is %q, want %q", i, got, want)
		}
	}
	if got := s.Actors(); !slices.Equal(got, []string{"client-3", "fault crash", "hit blob.late zone-a"}) {
		t.Errorf("actors %q", got)
	}
	if s.Faults() != 2 || !s.Has("client-3") || s.Has("client-1") {
		t.Errorf("%d faults", s.Faults())
	}
	if s.Streams = []int{2}; s.HasStream(1) || !s.HasStream(2) || !(&Script{}).HasStream(1) {
		t.Error("the wrong streams exist")
	}
}
