package checks

import (
	"testing"
	"time"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

// placed is a fleet of which only is told who takes which stream.
type placed struct {
	*Placement
	fleet *fleets.Fleet
}

func newPlaced(t *testing.T, comfortable bool) *placed {
	w := sim.New(sim.Config{})
	t.Cleanup(w.Close)
	f := fleets.New(w, fleets.Config{Stars: 3})
	p := &placed{Observe(f).FollowPlacement(comfortable), f}
	for _, s := range f.Stars {
		s.Process = w.Process(s.Name)
	}
	return p
}

// takes has a star take streams.
func (p *placed) takes(star string, ids ...keys.StreamID) {
	for _, id := range ids {
		p.taken(id, star)
	}
}

// A stream that moves between two stars that stay is found; one that stays where it was is not.
func TestAStrayStreamIsFound(t *testing.T) {
	for _, comfortable := range []bool{true, false} {
		p := newPlaced(t, comfortable)
		p.takes("star-1", "a", "b")
		p.takes("star-1", "a")
		if len(p.Violations()) > 0 {
			t.Fatalf("nothing has moved: %v", p.Violations())
		}
		p.takes("star-2", "b")
		if found := len(p.Violations()) == 1; found != comfortable {
			t.Errorf("comfortable %v: %v", comfortable, p.Violations())
		}
	}
}

// What moves because a star left or joined is counted for it.
func TestWhatMovesIsCounted(t *testing.T) {
	p := newPlaced(t, true)
	p.takes("star-1", "a", "b", "c")
	p.takes("star-2", "d", "e")
	p.Leaves(p.fleet, p.fleet.Stars[0], time.Second)
	p.takes("star-2", "a")
	p.takes("star-3", "b")
	p.Joins(p.fleet)
	p.takes("star-4", "d")
	p.takes("star-2", "e")
	if len(p.Violations()) > 0 {
		t.Errorf("all had a reason: %v", p.Violations())
	}
	left, joined := p.Changes()[0], p.Changes()[1]
	if left.Streams != 3 || left.Opened != 4 || left.Moved != 2 || left.Others != 2 {
		t.Errorf("left: %+v", left)
	}
	if joined.Opened != 2 || joined.Moved != 1 || joined.Others != 1 {
		t.Errorf("joined: %+v", joined)
	}
	if led := p.Led(p.fleet); len(led) != 3 || led[0] != 2 || led[1] != 1 || led[2] != 1 {
		t.Errorf("led %v", led)
	}
}
