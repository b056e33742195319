package checks

import (
	"slices"
	"time"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

// Placement follows who leads which stream in a fleet where stars leave and join.
type Placement struct {
	*Findings
	comfortable bool
	last        map[keys.StreamID]string // who led it last
	led         map[string]int           // streams that a star led last
	changes     []*Change
}

// Change is one star that left or joined, and what came of it.
type Change struct {
	Star    string
	Joined  bool          // else it left
	At      time.Duration // when it was told to stop, or started
	Took    time.Duration // until it had stopped, or served; 0 where it has not yet
	Streams int           // that it had led last when it left
	Opened  int           // streams that were taken again since, by anybody
	Moved   int           // streams that moved away from the star that left, or to the one that joined
	Others  int           // the stars that they moved to, or came from

	others map[string]bool
}

// FollowPlacement begins to follow. In a comfortable fleet no faults strike, and all loads lie within the deadband: a stream
// moves only when its star has left, or when it goes to a star that joined.
func (o *Observer) FollowPlacement(comfortable bool) *Placement {
	p := &Placement{Findings: o.Findings, comfortable: comfortable, last: map[keys.StreamID]string{}, led: map[string]int{}}
	o.world.OnNote(func(process *sim.Process, what string, kv []any) {
		switch what {
		case "leadership taken":
			p.taken(value[keys.StreamID](kv, "id"), process.Name())
		case "star serves":
			if c := p.change(process.Name(), true); c != nil && c.Took == 0 {
				c.Took = p.world.Now() - c.At
			}
		}
	})
	return p
}

// Leaves lets a star stop cleanly, within a budget, and takes it out of the fleet.
func (p *Placement) Leaves(f *fleets.Fleet, s *fleets.Star, budget time.Duration) {
	c := p.add(s.Name, false)
	c.Streams = p.led[s.Name]
	s.Process.OnDeath(func() { c.Took = p.world.Now() - c.At })
	f.Remove(s)
	s.Stop(budget)
}

// Joins starts a star that the fleet did not have.
func (p *Placement) Joins(f *fleets.Fleet) {
	s := f.Add()
	p.add(s.Name, true)
	s.Start()
}

func (p *Placement) add(star string, joined bool) *Change {
	c := &Change{Star: star, Joined: joined, At: p.world.Now(), others: map[string]bool{}}
	p.changes = append(p.changes, c)
	return c
}

// change finds the leaving or the joining of a star; nil where there was none.
func (p *Placement) change(star string, joined bool) *Change {
	i := slices.IndexFunc(p.changes, func(c *Change) bool { return c.Star == star && c.Joined == joined })
	if i < 0 {
		return nil
	}
	return p.changes[i]
}

// taken: in a comfortable fleet no stream moves without a reason.
func (p *Placement) taken(id keys.StreamID, by string) {
	before := p.last[id]
	p.last[id] = by
	p.led[by]++
	if before == "" {
		return
	}
	p.led[before]--
	for _, c := range p.changes {
		c.Opened++
	}
	if !p.comfortable {
		return
	}
	p.looked("placement")
	left, joined := p.change(before, false), p.change(by, true)
	switch {
	case before == by:
	case left != nil:
		left.moved(by)
	case joined != nil:
		joined.moved(before)
	default:
		p.Add("placement", "stream %s moved from %s to %s, though the one had not left and the other not joined", id, before, by)
	}
}

func (c *Change) moved(other string) {
	c.Moved++
	c.others[other] = true
	c.Others = len(c.others)
}

// Changes are what left and joined, in order.
func (p *Placement) Changes() []Change {
	changes := make([]Change, len(p.changes))
	for i, c := range p.changes {
		changes[i] = *c
	}
	return changes
}

// Led counts the streams that each star of a fleet led last.
func (p *Placement) Led(f *fleets.Fleet) []int {
	led := make([]int, len(f.Stars))
	for i, s := range f.Stars {
		led[i] = p.led[s.Name]
	}
	return led
}
