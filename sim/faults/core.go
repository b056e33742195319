package faults

import (
	"math/rand/v2"
	"strings"

	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/simmeta"
)

// Core is what works while the rest stays broken: by the design enough for every stream to make progress.
type Core struct {
	Stars  []string // at least one; they reach each other, the metastore, and all stores but the dark
	Broken []string // the other stars, each with what is wrong with it
	Dark   []string // zonal stores that are out of reach: a quorum is left
}

func (c Core) String() string {
	text := strings.Join(c.Stars, ", ")
	for _, broken := range c.Broken {
		text += "; " + broken
	}
	if len(c.Dark) > 0 {
		text += "; dark: " + strings.Join(c.Dark, ", ")
	}
	return text
}

// HealCore turns every fault off but for those that it leaves standing: some stars, drawn by chance, and fewer zonal stores than a
// quorum are as broken as can be. The metastore, the regional store and the other stars work, and clients reach them. It lasts
// until Heal.
func (p *Plan) HealCore(chance *rand.Rand) (c Core) {
	p.calm()
	stars := p.fleet.Stars
	working := chance.Perm(len(stars))[:1+chance.IntN(max(1, len(stars)-1))]
	works := make([]bool, len(stars))
	for _, i := range working {
		works[i] = true
	}
	booting := false
	for i, s := range stars {
		if works[i] {
			s.Start()
			booting = booting || !s.Steady() // also one that is about to stop and to be started again
			c.Stars = append(c.Stars, s.Name)
		} else {
			c.Broken = append(c.Broken, s.Name+" "+p.ruin(chance, s))
		}
	}
	zones := p.fleet.Zones
	dark := chance.Perm(len(zones))[:chance.IntN((len(zones)+1)/2)]
	if booting {
		dark = nil // a star that boots reads the marker of every store
	}
	for _, i := range dark {
		zones[i].SetDark(true)
		p.onHeal(func() { zones[i].SetDark(false) })
		c.Dark = append(c.Dark, zones[i].Endpoint())
	}
	p.world.Emit("", "core", "works", c)
	return c
}

// ruin breaks a star for good, in one of the ways that others can notice: its session ends. It says how.
func (p *Plan) ruin(chance *rand.Rand, s *fleets.Star) string {
	how := chance.IntN(4)
	switch {
	case !s.Alive() || how == 0:
		s.Crash()
		return "is dead"
	case how == 1:
		p.fleet.Net.Isolate(s.Name)
		return "reaches nobody"
	case how == 2:
		process := s.Process
		process.Pause()
		p.fleet.Net.Isolate(s.Name)
		p.onHeal(process.Resume)
		return "is held"
	default:
		p.fleet.Net.Partition([]string{s.Name}, []string{simmeta.Endpoint})
		return "does not reach the metastore"
	}
}
