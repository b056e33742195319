package sim

import (
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/novastream/nova/sim/script"
)

// Line is the acts of one kind that one actor performs, numbered: the strikes of a fault, what a task of a client does.
// Every act that chance brings up is announced by Next, and happens where the script of the world has it, or has none.
type Line struct {
	world *World
	name  string
	n     int

	passedAt int64 // of a line of hits: what passed by last
	passed   int
}

// Cue is one act that has come up.
type Cue struct {
	line *Line
	n    int
	subs int
	at   time.Duration // when it is due; zero without a script
	on   bool
}

// acts is what a world knows of its script.
type acts struct {
	lines  map[string]*Line
	script *script.Script
	told   func(script.Act)
	due    map[actName]time.Duration
	byLine map[string][]script.Act
	hits   map[string][]script.Act // by counter and place: those to come
}

type actName struct {
	line   string
	n, sub int
}

func newActs(cfg *Config) acts {
	a := acts{lines: map[string]*Line{}, script: cfg.Script, told: cfg.Acts}
	if cfg.Script == nil {
		return a
	}
	a.due, a.byLine, a.hits = map[actName]time.Duration{}, map[string][]script.Act{}, map[string][]script.Act{}
	for _, one := range cfg.Script.Acts {
		a.due[actName{one.Line, one.N, one.Sub}] = one.At
		a.byLine[one.Line] = append(a.byLine[one.Line], one)
		a.hits[one.Line] = append(a.hits[one.Line], one)
	}
	return a
}

// Script is what is to happen in the world, or nil.
func (w *World) Script() *script.Script { return w.acts.script }

// Line is the line of acts of a name. It goes on over the lives of processes.
func (w *World) Line(name string) *Line {
	l := w.acts.lines[name]
	if l == nil {
		l = &Line{world: w, name: name}
		w.acts.lines[name] = l
	}
	return l
}

// Name is the line's name.
func (l *Line) Name() string { return l.name }

// Scripted are the acts of the line that the script has. ok is false without a script.
func (l *Line) Scripted() (all []script.Act, ok bool) {
	return l.world.acts.byLine[l.name], l.world.acts.script != nil
}

// Next is the next act of the line.
func (l *Line) Next() Cue {
	l.n++
	return l.cue(l.n, 0)
}

// Rand is a random stream for an act of the line alone.
func (l *Line) Rand(n int) *rand.Rand { return l.world.Rand(l.name + "/" + strconv.Itoa(n)) }

func (l *Line) cue(n, sub int) Cue {
	a := &l.world.acts
	c := Cue{line: l, n: n, on: true}
	if a.script != nil {
		c.at, c.on = a.due[actName{l.name, n, sub}]
	}
	if a.told != nil && c.on {
		a.told(script.Act{At: l.world.Now(), Line: l.name, N: n, Sub: sub})
	}
	return c
}

// On says whether the act happens.
func (c *Cue) On() bool { return c.on }

// N is the act's number in its line.
func (c *Cue) N() int { return c.n }

// Rand is a random stream for this act alone.
func (c *Cue) Rand() *rand.Rand { return c.line.Rand(c.n) }

// Wait is how long the act is not yet due. Without a script everything is due when it comes up.
func (c *Cue) Wait() time.Duration { return max(c.at-c.line.world.Now(), 0) }

// Next is the next act that belongs to this one.
func (c *Cue) Next() Cue {
	if c.line == nil {
		return Cue{on: true}
	}
	c.subs++
	return c.line.cue(c.n, c.subs)
}

// Hit says whether a fault that strikes what passes by at a rate strikes now; it counts it. With a script it is not chance
// that decides: each hit strikes the first thing that passes at its place from its time on.
func (w *World) Hit(counter, where string, rate Rate, rng *rand.Rand) bool {
	hit, _ := w.HitBy(counter, where, rate, rng, 0)
	return hit
}

// HitBy is Hit of a fault that draws how long it lasts, at most upto.
func (w *World) HitBy(counter, where string, rate Rate, rng *rand.Rand, upto time.Duration) (hit bool, by time.Duration) {
	if w.acts.script == nil && w.acts.told == nil {
		if hit = rate.Hits(rng); hit {
			by = Upto(rng, upto)
			w.CountFault(counter, where)
		}
		return hit, by
	}
	return w.hitByScript(counter, where, rate, rng, upto)
}

func (w *World) hitByScript(counter, where string, rate Rate, rng *rand.Rand, upto time.Duration) (hit bool, by time.Duration) {
	a := &w.acts
	if hit = rate.Hits(rng); hit { // drawn in any case, so that what is drawn next is the same
		by = Upto(rng, upto)
	}
	l := w.Line(script.HitPrefix + counter + " " + where)
	pass := l.passes()
	switch due := a.hits[l.name]; {
	case a.script == nil && hit:
		l.n++
		a.told(script.Act{At: w.Now(), Line: l.name, N: l.n, Pass: pass, Arg: int64(by)})
	case a.script == nil:
		return false, 0
	case len(due) == 0 || due[0].At > w.Now() || due[0].At == w.Now() && due[0].Pass > pass:
		return false, 0
	default:
		by = time.Duration(due[0].Arg)
		a.hits[l.name] = due[1:]
	}
	w.CountFault(counter, where)
	return true, by
}

// passes counts what passes by at the line's place at one instant, from 0.
func (l *Line) passes() int {
	if l.passedAt != l.world.now {
		l.passed, l.passedAt = 0, l.world.now
	}
	l.passed++
	return l.passed - 1
}

// EndHits ends the hits of the script: none strikes any more.
func (w *World) EndHits() { clear(w.acts.hits) }

// choose draws which of n tasks that can run is next, unless the script has them go first come first served.
func (w *World) choose(n int) (i int, inTurn bool) {
	w.choices++
	draw := 0
	if w.chooser == nil {
		draw = w.choice.below(n)
	} else {
		draw = w.chooser.choose(w.ready, &w.choice)
	}
	if s := w.acts.script; s != nil && !s.Choices.Has(w.choices-1) {
		return 0, true
	}
	return draw, false
}

// Choices counts how often the scheduler had a choice between tasks.
func (w *World) Choices() uint64 { return w.choices }
