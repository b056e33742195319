package crashpoints

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/stage"
)

// Scenario is one story, which can be told again and again.
type Scenario struct {
	Name string
	Doc  string // one sentence

	setting fleets.Config
	tell    func(t *telling) error
}

// Effect is one effect of a watched process.
type Effect struct {
	Process string
	Step    string // the named step that it belongs to; empty before the first
	Kind    string // "meta.put", "blob.put-if-absent"
	Target  string // the key or address
}

func (e Effect) String() string {
	return fmt.Sprintf("%s of %s at %s, step %q", e.Kind, e.Process, e.Target, e.Step)
}

// Hit says that the effect at an index, counted from the first that is watched, goes wrong.
type Hit struct {
	Index int
	Fate  sim.Fate
}

// Options say how stories are told.
type Options struct {
	Seed    uint64
	Bugs    planted.Set
	Trace   sim.Tracer       // is told every event; nil: nobody
	History history.Recorder // is told in the end what clients asked and were told; nil: nobody
}

// MissedError says that a hit did not come about: the story took another way than it did before.
type MissedError struct {
	Hit     Hit
	Effects int // that were watched
}

func (e *MissedError) Error() string {
	return fmt.Sprintf("effect %d did not come again: the story had %d", e.Hit.Index, e.Effects)
}

// Told is what was seen of one telling while it was watched.
type Told struct {
	Effects []Effect
	Steps   []string // that were crossed, each once, in the order of the story
	State   uint64   // what the world was right behind the last hit, as one number; 0: that cannot be told
	Seen    bool     // the telling was ended there, for what comes then was told before
}

// Struck are the effects of these hits; empty ones where the story did not get there.
func (t Told) Struck(hits []Hit) []Effect {
	struck := make([]Effect, len(hits))
	for i, h := range hits {
		if h.Index < len(t.Effects) {
			struck[i] = t.Effects[h.Index]
		}
	}
	return struck
}

// Tell tells the story once, with these hits, in the order of their indexes. The error is what the judgement found.
func (s Scenario) Tell(o Options, hits ...Hit) (Told, error) { return s.recall(o, nil, hits) }

// recall is Tell; it ends where the world is as it was before: seen is asked behind the last hit. Nil: it goes on to its end.
func (s Scenario) recall(o Options, seen func(state uint64) bool, hits []Hit) (Told, error) {
	t := &telling{hits: hits, watched: map[string]bool{}, seen: seen}
	if len(hits) > 0 {
		t.memories = newMemories(t, o.Trace)
		o.Trace = t.memories
	}
	w := sim.New(sim.Config{Seed: o.Seed, Trace: o.Trace})
	defer w.Close()
	setting := s.setting
	setting.Bugs = o.Bugs
	t.Stage = stage.New(w, setting)
	w.OnStep(t.cross)
	err := s.tell(t)
	switch {
	case t.told.Seen:
		err = nil
	case err == nil && len(t.hits) > 0:
		err = &MissedError{t.hits[0], len(t.told.Effects)}
	}
	if o.History != nil {
		t.Remember(o.History)
	}
	return t.told, err
}

// telling is one telling of a story.
type telling struct {
	*stage.Stage
	hits     []Hit           // that have not come about
	watched  map[string]bool // processes; none while nobody watches
	only     string          // what the steps of the effects that count begin with
	told     Told
	struck   int       // hits that came about
	memories *memories // nil: nothing goes wrong in this telling
	seen     func(state uint64) bool
}

// watch enumerates the effects of processes from now on.
func (t *telling) watch(processes ...string) {
	for _, p := range processes {
		t.watched[p] = true
	}
	t.World.JudgeEffects(t.judge)
}

// rest ends watching, unless something went wrong already: then all that recover are watched until the world heals.
func (t *telling) rest() {
	if t.struck == 0 {
		t.over()
	}
}

// over ends watching.
func (t *telling) over() {
	clear(t.watched)
	t.World.JudgeEffects(nil)
}

func (t *telling) cross(p *sim.Process, step string) {
	if t.watched[p.Name()] && !slices.Contains(t.told.Steps, step) {
		t.told.Steps = append(t.told.Steps, step)
	}
}

// judge decides the fate of an effect.
func (t *telling) judge(e sim.Effect) sim.Fate {
	if !t.watched[e.Process.Name()] || !strings.HasPrefix(e.Step, t.only) {
		t.memories.effect(e, sim.Normal)
		return sim.Normal
	}
	at := len(t.told.Effects)
	t.told.Effects = append(t.told.Effects, Effect{e.Process.Name(), e.Step, e.Kind, e.Target})
	if len(t.hits) == 0 || t.hits[0].Index != at {
		t.memories.effect(e, sim.Normal)
		return sim.Normal
	}
	fate := t.hits[0].Fate
	t.hits = t.hits[1:]
	t.strike(e, fate)
	return fate
}

// recovery is how long a star that died of a second failure stays dead. By then nobody else may be left to serve.
const recovery = 3 * time.Second

// strike has all that recover from the first hit be watched, and brings back who dies of a later one.
func (t *telling) strike(e sim.Effect, fate sim.Fate) {
	t.struck++
	for _, star := range t.Stars {
		t.watched[star.Name] = true
	}
	t.memories.effect(e, fate)
	if t.struck > 1 && fate.Kills() {
		t.World.After(recovery, t.Start)
	}
}

// run takes the steps of a story until one fails.
func run(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
