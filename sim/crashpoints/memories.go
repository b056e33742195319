package crashpoints

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
)

// memories sums up what the rest of a telling depends on: what is stored, what was sent, and what each process that lives
// has in memory, told by all that it asked and was answered since its start. What a dead process knew is gone.
//
// Two tellings of one sum differ in nothing but the time that a thing took and the dice behind it: whatever comes of one can
// come of the other.
type memories struct {
	telling *telling
	trace   sim.Tracer        // is told every event, too; nil: nobody
	world   uint64            // effects, changes of what is stored, and calls between processes: in their order
	own     map[string]uint64 // by process that lives
	last    lastHit
	summed  bool // behind the last hit; what comes then changes nothing any more
}

// lastHit is the last hit until its outcome is there.
type lastHit struct {
	pending bool
	effect  sim.Effect
	fate    sim.Fate
}

// errSeen ends a telling.
var errSeen = errors.New("what comes now was told before")

func newMemories(t *telling, trace sim.Tracer) *memories {
	return &memories{telling: t, trace: trace, own: map[string]uint64{}}
}

// effect takes in that a process acts on the world. One that died before it did not.
func (m *memories) effect(e sim.Effect, fate sim.Fate) {
	if m == nil || m.summed {
		return
	}
	if fate != sim.Before {
		m.world = mix(m.world, e.Process.Name()+" "+e.Kind+" "+e.Target)
	}
	if fate == sim.Late {
		m.world = mix(m.world, "held")
	}
	if fate == sim.Normal || len(m.telling.hits) > 0 {
		return
	}
	m.last = lastHit{true, e, fate}
	if fate == sim.After && strings.HasPrefix(e.Kind, "peer.") {
		m.last.pending, m.summed = false, true // its sender is dead before it arrives: what it does is still to come
	}
}

// Event takes in what happened.
func (m *memories) Event(at time.Duration, where, what string, kv []any) {
	if m.trace != nil {
		m.trace.Event(at, where, what, kv)
	}
	if m.summed {
		return
	}
	switch {
	case what == "start":
		m.own[where] = mix(0, sim.AppendEvent(nil, 0, where, what, kv))
	case what == "kill":
		delete(m.own, where)
		m.over(where, m.last.fate.Kills())
	case what == "step" || what == "fate" || what == "failure" || what == "violation": // nobody remembers them
	case stored(what):
		m.world = mix(m.world, sim.AppendEvent(nil, 0, where, what, kv))
	case strings.HasPrefix(what, "peer."):
		m.world = mix(m.world, sim.AppendEvent(nil, 0, where, what, timeless(kv)))
	default:
		if own, alive := m.own[where]; alive {
			m.own[where] = mix(own, sim.AppendEvent(nil, 0, where, what, kv))
		}
		if what == m.last.effect.Kind {
			m.over(where, !m.last.fate.Kills())
		}
	}
}

// stored says whether an event is a change of what is stored, or of who reaches it.
func stored(what string) bool {
	return what == "meta.write" || what == "blob.write" || what == "disk.save" || what == "meta.session-end" || strings.HasPrefix(what, "network.")
}

// timeless leaves out how long a call took.
func timeless(kv []any) (kept []any) {
	for i := 0; i+1 < len(kv); i += 2 {
		if kv[i] != "took" {
			kept = append(kept, kv[i], kv[i+1])
		}
	}
	return kept
}

// over sums up, once the process that the last hit struck is dead or was told of it.
func (m *memories) over(process string, outcome bool) {
	if !m.last.pending || !outcome || m.last.effect.Process.Name() != process {
		return
	}
	m.last.pending, m.summed = false, true
	t := m.telling
	t.told.State = max(1, m.sum())
	if t.seen != nil && t.seen(t.told.State) {
		t.told.Seen = true
		t.World.Fail(errSeen)
	}
}

// sum is all of it as one number.
func (m *memories) sum() uint64 {
	sum := m.world
	for _, name := range slices.Sorted(maps.Keys(m.own)) {
		sum = mix(mix(sum, name), []byte{
			byte(m.own[name]), byte(m.own[name] >> 8), byte(m.own[name] >> 16), byte(m.own[name] >> 24),
			byte(m.own[name] >> 32), byte(m.own[name] >> 40), byte(m.own[name] >> 48), byte(m.own[name] >> 56),
		})
	}
	t := m.telling
	for _, space := range []simmeta.Space{simmeta.Records, simmeta.Naming, simmeta.Ephemeral} {
		for _, row := range t.Meta.All(space, "") {
			sum = mix(mix(sum, row.Key), row.Value)
		}
	}
	for _, store := range t.Stores() {
		for _, o := range store.All("") {
			data, _ := store.Peek(o.Key)
			sum = mix(mix(sum, o.Key), data)
		}
	}
	for _, star := range t.Stars {
		for _, name := range star.Disk.Names() {
			data, _ := star.Disk.Peek(name)
			sum = mix(mix(sum, name), data)
		}
	}
	answers := xxh3.New()
	if lines, err := history.NewWriter(answers, history.Header{}); err == nil {
		t.Remember(lines)
		_ = lines.Flush() // a hash takes all
	}
	return xxh3.HashSeed(nil, sum^answers.Sum64())
}

func mix[T string | []byte](sum uint64, part T) uint64 { return xxh3.HashStringSeed(string(part), sum) }
