package faults

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

const pausePointName = "pause-point"

// pausePoint holds a star right behind one of its own effects, mostly one of an open, or while the metastore answers a read of
// its: it wakes with what it had read before, and acts on it. On half of the strikes its session ends at once, so that others
// go on without it meanwhile. It looks at all effects and reads of the world while it aims.
func pausePoint() kind {
	const name = pausePointName
	return kind{Info{name, "a star is held right behind one of its own effects or reads for 1 s to 30 s, and then acts on what it had read before", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			p.onHeal(p.lookAway)
			p.strikes(between(chance, time.Second, 20*time.Second), func(chance *rand.Rand) {
				if !p.aiming {
					p.holdBehind(chance, name)
				}
			})
		}}
}

// lookAway ends the looking at effects and reads.
func (p *Plan) lookAway() {
	p.world.JudgeEffects(nil)
	p.world.WatchReads(nil)
}

// holdBehind holds the star that makes the effect or read to hit, as soon as one that may be taken does.
func (p *Plan) holdBehind(chance *rand.Rand, fault string) {
	left := between(chance, 1, 4)
	lasting, expires := between(chance, time.Second, 2*p.fleet.SessionTimeOut()), chance.IntN(2) == 0
	done := false
	end := func() {
		if !done {
			done, p.aiming = true, false
			p.lookAway()
		}
	}
	p.aiming = true
	p.after(aimTime, end)
	hold := func(process *sim.Process) {
		s := p.place(process)
		if s == nil || !p.free(s) {
			return
		}
		if left--; left > 0 {
			return
		}
		end()
		release := p.grab(s, fault)
		process.Pause()
		p.wake(process, lasting, release)
		if expires {
			p.after(0, func() { p.fleet.Meta.ExpireSession(s.Name) })
		}
	}
	if chance.IntN(4) == 0 {
		row := oneOf(chance, looks())
		p.world.WatchReads(func(e sim.Effect) {
			if strings.HasPrefix(e.Kind, "meta.") && strings.Contains(e.Target, row) {
				hold(e.Process)
			}
		})
		return
	}
	target := p.window(chance)
	p.world.JudgeEffects(func(e sim.Effect) sim.Fate {
		if target(e.Step) && e.Kind != "peer.answer" { // nothing follows an answer
			hold(e.Process)
		}
		return sim.Normal
	})
}

// looks are parts of the keys of what an open decides by.
func looks() []string {
	return []string{"/writer", "/lease", "/refs", "/producer", "chains/", keys.StarsPrefix, keys.StatsPrefix}
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
