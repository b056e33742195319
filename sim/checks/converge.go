package checks

import (
	"context"
	"fmt"
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
		if left == "" {
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
func (a *Asker) unsettled() string {
	for _, s := range a.fleet.Stars {
		if s.Serving == nil {
			return fmt.Sprintf("%s does not serve", a.observer.who(s.Name))
		}
		health, err := s.Serving.Health(context.Background())
		switch {
		case err != nil:
			return fmt.Sprintf("%s tells no health: %v", a.observer.who(s.Name), err)
		case health.Limbo > 0:
			return fmt.Sprintf("%s has %d leaderships in limbo", a.observer.who(s.Name), health.Limbo)
		case health.Leading > 0:
			return fmt.Sprintf("%s still leads %d streams", a.observer.who(s.Name), health.Leading)
		}
	}
	for _, r := range a.fleet.Meta.All(simmeta.Ephemeral, "streams/") {
		if a.fleet.Meta.WasLate(r.Key) {
			continue // an acquisition that landed after it was given back: the next open heals it
		}
		lease := &records.Lease{}
		_ = records.Decode(r.Key, r.Value, lease) // only for the sentence
		return fmt.Sprintf("the lease %s of %s stands, and nobody leads", r.Key, a.observer.star(keys.StarID(lease.GetStar())))
	}
	return a.uncovered()
}

// uncovered says which ended epoch of a living star is not settled, if any, and what was acknowledged and is not covered by refs.
func (a *Asker) uncovered() string {
	o := a.observer
	for _, k := range ordered(o.epochs) {
		e := o.epochs[k]
		if e.row == nil {
			continue
		}
		ended := e.row.GetState() == records.ChainState_CHAIN_STATE_FENCED
		if _, served := a.servedBy(k.star); ended && served {
			return fmt.Sprintf("%s has ended and is not settled", e)
		}
	}
	for _, s := range a.streams {
		st := o.stream(o.ids[s.Name.String()])
		for _, ack := range st.acks {
			if ack.next > st.tail() {
				return fmt.Sprintf("refs of stream %s end at %d, and %s", s.Name, st.tail(), ack)
			}
		}
	}
	return ""
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

// Quiet lets a fleet that has converged be, and finds who writes all the same.
func (a *Asker) Quiet(lasting time.Duration) error {
	a.looked("quiet")
	a.observer.watch()
	err := a.world.RunFor(lasting)
	if n := a.observer.moved; n > 0 {
		a.Add("quiet", "in %v of rest %d writes were made: %s", lasting, n, strings.Join(a.observer.moves, ", "))
	}
	return err
}
