package crashpoints

import (
	"fmt"
	"slices"
	"strings"

	"github.com/novastream/nova/core/planted"
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
	Seed  uint64
	Bugs  planted.Set
	Trace sim.Tracer // is told every event; nil: nobody
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
}

// Tell tells the story once, with these hits, in the order of their indexes. The error is what the judgement found.
func (s Scenario) Tell(o Options, hits ...Hit) (Told, error) {
	w := sim.New(sim.Config{Seed: o.Seed, Trace: o.Trace})
	defer w.Close()
	setting := s.setting
	setting.Bugs = o.Bugs
	t := &telling{Stage: stage.New(w, setting), hits: hits, watched: map[string]bool{}}
	w.OnStep(t.cross)
	err := s.tell(t)
	if err == nil && len(t.hits) > 0 {
		err = &MissedError{t.hits[0], len(t.told.Effects)}
	}
	return t.told, err
}

// telling is one telling of a story.
type telling struct {
	*stage.Stage
	hits    []Hit           // that have not come about
	watched map[string]bool // processes; none while nobody watches
	only    string          // what the steps of the effects that count begin with
	told    Told
}

// watch enumerates the effects of processes from now on.
func (t *telling) watch(processes ...string) {
	for _, p := range processes {
		t.watched[p] = true
	}
	t.World.JudgeEffects(t.judge)
}

// rest ends watching.
func (t *telling) rest() {
	clear(t.watched)
	t.World.JudgeEffects(nil)
}

func (t *telling) cross(p *sim.Process, step string) {
	if t.watched[p.Name()] && !slices.Contains(t.told.Steps, step) {
		t.told.Steps = append(t.told.Steps, step)
	}
}

func (t *telling) judge(e sim.Effect) sim.Fate {
	if !t.watched[e.Process.Name()] || !strings.HasPrefix(e.Step, t.only) {
		return sim.Normal
	}
	at := len(t.told.Effects)
	t.told.Effects = append(t.told.Effects, Effect{e.Process.Name(), e.Step, e.Kind, e.Target})
	if len(t.hits) == 0 || t.hits[0].Index != at {
		return sim.Normal
	}
	fate := t.hits[0].Fate
	t.hits = t.hits[1:]
	return fate
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
