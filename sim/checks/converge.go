package checks

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/sim/simmeta"
)

// idleTimeout is how long an Any stream stays led without a producer.
const idleTimeout = 30 * time.Second

// Converge waits until no stream is led any more and everything durable is covered by refs, and finds what does not get there.
func (a *Asker) Converge() error {
	bound := idleTimeout + Bound(a.fleet.SessionTimeOut())
	a.looked("converge")
	const often = time.Second
	for until := a.world.Now() + bound; ; {
		left := a.unsettled()
		if left.text == "" {
			return nil
		}
		if a.world.Now() >= until {
			a.Add("converge", "%v after the last producer left, %s", bound, left)
			return nil
		}
		if err := a.world.RunFor(often); err != nil {
			return err
		}
	}
}

// unsettled says what is not at rest yet, if anything.
func (a *Asker) unsettled() saying {
	for _, s := range a.fleet.Stars {
		if s.Serving == nil {
			return saying{text: fmt.Sprintf("%s does not serve", a.observer.who(s.Name))}
		}
		health, err := s.Serving.Health(context.Background())
		switch {
		case err != nil:
			return saying{text: fmt.Sprintf("%s tells no health: %v", a.observer.who(s.Name), err)}
		case health.Limbo > 0:
			return a.observer.ledBy(s.Serving.ID(), "has %d leaderships in limbo", health.Limbo)
		case health.Leading > 0:
			return a.observer.ledBy(s.Serving.ID(), "still leads %d streams", health.Leading)
		}
	}
	for _, r := range a.fleet.Meta.All(simmeta.Ephemeral, "streams/") {
		if a.fleet.Meta.WasLate(r.Key) {
			continue // an acquisition that landed after it was given back: the next open heals it
		}
		lease := &records.Lease{}
		_ = records.Decode(r.Key, r.Value, lease) // only for the sentence
		of := a.observer.stream(keys.StreamID(strings.Split(r.Key, "/")[1]))
		if of.orphan && of.deleted {
			continue // the next open would heal it, and there is none: it ends with the session
		}
		return saying{fmt.Sprintf("the lease of %s on stream %s stands, and nobody leads", a.observer.star(keys.StarID(lease.GetStar())), of), []any{"stream", of.String(), "key", r.Key}}
	}
	return a.uncovered()
}

// ledBy says so of a star, with streams of which it is the last writer and which were not released cleanly.
func (o *Observer) ledBy(star keys.StarID, format string, number int) saying {
	const most = 3
	s := saying{text: o.star(star) + " " + fmt.Sprintf(format, number)}
	for _, id := range slices.Sorted(maps.Keys(o.streams)) {
		w := o.streams[id].writer
		if w == nil || w.GetDeleted() || keys.StarID(w.GetStar()) != star || w.GetCleanEpoch() == w.GetStreamEpoch() {
			continue
		}
		if len(s.kv) == 0 {
			s.text += ": of those that were not released, "
		} else {
			s.text += ", "
		}
		s.text += fmt.Sprintf("%s under epoch %d", o.streams[id], w.GetStreamEpoch())
		if s.kv = append(s.kv, "stream", o.streams[id].String()); len(s.kv) == 2*most {
			break
		}
	}
	return s
}

// replaced says whether the star of an epoch has gone on in a later one of that class. Until then it need not know that another
// star began to fence this one: its next checkpoint would tell it (chains.md, "Fencing"), and it has none to make while it idles.
func (o *Observer) replaced(e *epoch) bool {
	for _, k := range ordered(o.epochs) {
		later := o.epochs[k]
		if k.star == e.star && k.epoch > e.epoch && later.row != nil && later.row.GetClass() == e.row.GetClass() {
			return true
		}
	}
	return false
}

// uncovered says which ended epoch of a living star is not settled, if any, and what was acknowledged and is not covered by refs.
func (a *Asker) uncovered() saying {
	o := a.observer
	for _, k := range ordered(o.epochs) {
		e := o.epochs[k]
		if e.row == nil {
			continue
		}
		ended := e.row.GetState() == records.ChainState_CHAIN_STATE_FENCED
		if _, served := a.servedBy(k.star); ended && served && o.replaced(e) {
			return saying{fmt.Sprintf("%s has ended and is not settled", e), []any{"epoch", e.path()}}
		}
	}
	for _, s := range a.streams {
		st := o.stream(o.ids[s.Name.String()])
		for _, ack := range st.acks {
			if ack.next > st.tail() {
				return saying{fmt.Sprintf("refs of stream %s end at %d, and %s", s.Name, st.tail(), ack), ack.about()}
			}
		}
	}
	return saying{}
}

// servedBy finds the place in the fleet where a star id serves now.
func (a *Asker) servedBy(id keys.StarID) (string, bool) {
	for _, s := range a.fleet.Stars {
		if s.Serving != nil && s.Serving.ID() == id {
			return s.Name, true
		}
	}
	return "", false
}

// lastPass is how long after the last release its owner may still move the checkpoint of its epoch: two of its passes.
const lastPass = 2 * time.Second

// Quiet lets a fleet that has converged be, and finds who writes all the same.
func (a *Asker) Quiet(lasting time.Duration) error {
	a.looked("quiet")
	if err := a.world.RunFor(lastPass); err != nil {
		return err
	}
	a.observer.watch()
	err := a.world.RunFor(lasting)
	if n := a.observer.moved; n > 0 {
		a.Add("quiet", "in %v of rest %d writes were made: %s", lasting, n, strings.Join(a.observer.moves, ", "))
	}
	return err
}
