package chain

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
)

// TestJudge is the table of a fencer's verdicts over three stores.
func TestJudge(t *testing.T) {
	cases := []struct {
		seen votes // the rest of the three did not answer
		want verdict
	}{
		{votes{}, unavailable},
		{votes{flights: 1}, unavailable},
		{votes{poison: 1}, unavailable},
		{votes{empty: 1}, unavailable},
		{votes{flights: 2}, belongs},
		{votes{flights: 2, poison: 1}, belongs},
		{votes{flights: 3}, belongs},
		{votes{poison: 2}, isCut},
		{votes{poison: 2, flights: 1}, isCut},
		{votes{poison: 3}, isCut},
		{votes{flights: 1, empty: 1}, complete},
		{votes{flights: 1, empty: 1, poison: 1}, complete},
		{votes{flights: 1, empty: 2}, complete},
		{votes{flights: 1, poison: 1}, unavailable}, // one dark store beside one stray poison
		{votes{empty: 2}, poison},
		{votes{empty: 1, poison: 1}, poison},
		{votes{empty: 3}, poison},
		{votes{empty: 2, poison: 1}, poison},
	}
	for _, c := range cases {
		if got := judge(c.seen, 3, 2); got != c.want {
			t.Errorf("%+v: %v; want %v", c.seen, got, c.want)
		}
	}
}

// TestJudgeNeverBothEnds writes the cells of one slot in any order, each at most once, and lets fencers judge any mixture
// of what the stores held at any time: some may see belongs or some may see the cut, never both.
func TestJudgeNeverBothEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stores := rapid.SampledFrom([]int{1, 3, 5}).Draw(t, "stores")
		quorum := stores/2 + 1
		final := rapid.SliceOfN(rapid.SampledFrom([]cellState{cellEmpty, cellFlight, cellPoison}), stores, stores).Draw(t, "final")
		seen := map[verdict]bool{}
		for range rapid.IntRange(1, 8).Draw(t, "fencers") {
			cells := make([]cell, stores)
			for i := range cells {
				switch rapid.IntRange(0, 2).Draw(t, "read") {
				case 0: // no answer
				case 1: // before anything was written
					cells[i].state = cellEmpty
				default:
					cells[i].state = final[i]
					if final[i] == cellFlight {
						cells[i].object = []byte("flight")
					}
				}
			}
			v, _, _ := count(cells)
			seen[judge(v, stores, quorum)] = true
		}
		if seen[belongs] && seen[isCut] {
			t.Fatalf("cells %v: some fencers take the slot, some cut there", final)
		}
	})
}

// TestJudgeComesToAnEnd lets one fencer work on any state of a slot while every store answers: it comes to one of the two
// ends within two rounds.
func TestJudgeComesToAnEnd(t *testing.T) {
	for _, stores := range []int{1, 3, 5} {
		for code := range pow(3, stores) {
			states := make([]cellState, stores)
			for i := range states {
				states[i] = cellState(code/pow(3, i)%3) + cellEmpty
			}
			verdicts := []verdict{judgeStates(states)}
			for range 2 {
				last := verdicts[len(verdicts)-1]
				if last == complete || last == poison {
					for i := range states {
						if states[i] == cellEmpty {
							states[i] = map[verdict]cellState{complete: cellFlight, poison: cellPoison}[last]
						}
					}
					verdicts = append(verdicts, judgeStates(states))
				}
			}
			if end := verdicts[len(verdicts)-1]; end != belongs && end != isCut {
				t.Fatalf("%d stores, state %d: %v", stores, code, verdicts)
			}
		}
	}
}

func judgeStates(states []cellState) verdict {
	cells := make([]cell, len(states))
	for i, s := range states {
		cells[i] = cell{state: s, object: []byte("flight")}
	}
	v, _, _ := count(cells)
	return judge(v, len(states), len(states)/2+1)
}

func pow(base, exponent int) int {
	n := 1
	for range exponent {
		n *= base
	}
	return n
}

// TestStandingOf shows what a writer makes of an object in its way.
func TestStandingOf(t *testing.T) {
	header := format.Header{Star: "a", Boot: "1", Epoch: 1, Slot: 0, Class: records.Class_CLASS_STANDARD}
	own, _, err := format.EncodeFlight(header, nil)
	if err != nil {
		t.Fatal(err)
	}
	rival := header
	rival.Boot = "2"
	other, _, err := format.EncodeFlight(rival, nil)
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte{}, own...)
	flipped[40] ^= 1
	elsewhere := header
	elsewhere.Slot = 7
	cases := map[string]struct {
		found []byte
		want  standing
	}{
		"own bytes":                {own, ours},
		"own bytes, one bit wrong": {flipped, unclear},
		"poison":                   {format.EncodePoison(header, format.Poison{By: "b"}), poisoned},
		"poison of another slot":   {format.EncodePoison(elsewhere, format.Poison{By: "b"}), unclear},
		"a rival's flight":         {other, foreign},
		"nothing":                  {nil, unclear},
		"half of it":               {own[:len(own)/2], unclear},
	}
	for name, c := range cases {
		if got := standingOf(header.Key(), own, c.found); got != c.want {
			t.Errorf("%s: %v; want %v", name, got, c.want)
		}
	}
}

// TestGarbage shows which positions of an ended epoch may be deleted, and on whose word the one at the cut.
func TestGarbage(t *testing.T) {
	row := Row{Epoch: 4, Value: &records.ChainEpoch{Boot: "b", Trimmed: 2}}
	for _, ended := range []bool{false, true} {
		for slot, want := range map[keys.Slot]bool{0: true, 1: true, 2: false, 4: false, 5: ended, 6: true, 99: true} {
			if got := garbageOf(row, 5, ended)(slot); got != want {
				t.Errorf("slot %d, owner ended %v: %v", slot, ended, got)
			}
		}
	}
	closed := Row{Epoch: 4, Value: &records.ChainEpoch{Boot: "b", ClosedByOwner: true}}
	cases := []struct {
		row  Row
		head *records.Head
		want bool
	}{
		{row, nil, false},
		{row, &records.Head{Epoch: 4, Boot: "b"}, false},
		{row, &records.Head{Epoch: 5, Boot: "c"}, false}, // a new boot proves nothing about the old process
		{row, &records.Head{Epoch: 5, Boot: "b"}, true},
		{closed, nil, true},
		{Row{Epoch: 4, Value: &records.ChainEpoch{}}, &records.Head{Epoch: 5}, false},
	}
	for i, c := range cases {
		if got := movedOn(c.row, c.head); got != c.want {
			t.Errorf("case %d: %v", i, got)
		}
	}
}
