package faults

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

const pausePointName = "pause-point"

// pausePoint holds a star right behind one of its own effects, mostly one of an open: it wakes with what it had read before,
// and acts on it. On half of the strikes its session ends at once, so that others go on without it meanwhile. It looks at all
// effects of the world while it aims.
func pausePoint() kind {
	const name = pausePointName
	return kind{Info{name, "a star is held right behind one of its own effects for 1 s to 30 s, and then acts on what it had read before", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			p.onHeal(func() { p.world.JudgeEffects(nil) })
			p.strikes(between(chance, 2*time.Second, 30*time.Second), func(chance *rand.Rand) {
				if !p.aiming {
					p.holdBehind(chance, name)
				}
			})
		}}
}

// holdBehind holds the star that makes the effect to hit, as soon as one that may be taken does.
func (p *Plan) holdBehind(chance *rand.Rand, fault string) {
	target, left := p.window(chance), between(chance, 1, 4)
	lasting, expires := between(chance, time.Second, 2*p.fleet.SessionTimeOut()), chance.IntN(2) == 0
	done := false
	end := func() {
		if !done {
			done, p.aiming = true, false
			p.world.JudgeEffects(nil)
		}
	}
	p.aiming = true
	p.after(aimTime, end)
	p.world.JudgeEffects(func(e sim.Effect) sim.Fate {
		if !target(e.Step) || e.Kind == "peer.answer" { // nothing follows an answer
			return sim.Normal
		}
		s := p.place(e.Process)
		if s == nil || !p.free(s) {
			return sim.Normal
		}
		if left--; left > 0 {
			return sim.Normal
		}
		end()
		release := p.grab(s, fault)
		e.Process.Pause()
		p.wake(e.Process, lasting, release)
		if expires {
			p.after(0, func() { p.fleet.Meta.ExpireSession(s.Name) })
		}
		return sim.Normal
	})
}

// place is the place of a process in the fleet; nil where it has none.
func (p *Plan) place(process *sim.Process) *fleets.Star {
	i := slices.IndexFunc(p.fleet.Stars, func(s *fleets.Star) bool { return s.Process == process })
	if i < 0 {
		return nil
	}
	return p.fleet.Stars[i]
}

// window draws the steps behind which a star is held: those of an open, between which it decides by what it has read; those of
// what a gate does before it lets an open pass; or one that was crossed before, the rare as likely as the frequent.
func (p *Plan) window(chance *rand.Rand) func(step string) bool {
	windows := [][]string{{"open.lease"}, {"open.writer"}, {"open.token"}, {"fence.", "settle."}}
	if steps := p.world.Counters().Steps(); len(steps) > 0 {
		windows = append(windows, []string{oneOf(chance, steps).Name})
	}
	window := oneOf(chance, windows)
	return func(step string) bool {
		return slices.ContainsFunc(window, func(prefix string) bool { return strings.HasPrefix(step, prefix) })
	}
}
