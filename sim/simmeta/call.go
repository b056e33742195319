package simmeta

import (
	"context"
	"errors"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/sim/simnet"
)

var outcomes = simnet.Errors{Unavailable: meta.ErrUnavailable, Unknown: meta.ErrUnknown} //nolint:gochecknoglobals // a constant

func isExpired(err error) bool { return errors.Is(err, meta.ErrSessionExpired) }

// request is a call as it leaves the client.
func (v *view) request(kind, key string) simnet.Request {
	return simnet.Request{Process: v.client.process, Server: Endpoint, Kind: kind, Target: key, Errors: &outcomes}
}

// read asks the shard of a key.
func read[T any](ctx context.Context, v *view, kind, key string, look func(*state) (T, error)) (T, error) {
	st := v.client.store
	return simnet.Exchange(ctx, st.net, v.reading(kind, key), func() (T, error) {
		sh := v.targets(key, false)[0]
		if err := sh.refuses(); err != nil {
			var none T
			return none, err
		}
		return look(st.stateFor(v, sh))
	})
}

// readAll asks all shards that a range of this view sees, at one instant.
func readAll[T any](ctx context.Context, v *view, kind, key string, look func([]*state) (T, error)) (T, error) {
	st := v.client.store
	return simnet.Exchange(ctx, st.net, v.reading(kind, key), func() (T, error) {
		targets := v.targets(key, true)
		states := make([]*state, len(targets))
		for i, sh := range targets {
			if err := sh.refuses(); err != nil {
				var none T
				return none, err
			}
			states[i] = st.stateFor(v, sh)
		}
		return look(states)
	})
}

func (v *view) reading(kind, key string) simnet.Request {
	st := v.client.store
	req := v.request(kind, key)
	dice := v.client.dice()
	req.Work = st.cfg.Read.Draw(dice)
	if v.fresh {
		req.Work += st.cfg.Write.Draw(dice) // a fresh read is a write to a scratch key first
	}
	return req
}

// change writes to the shard of a key, or to all that a range of this view sees, at one instant.
func change[T any](
	ctx context.Context, v *view, kind, key string, ranged bool, apply func(*Store, []*shard) (T, error),
) (T, error) {
	st := v.client.store
	req := v.request(kind, key)
	req.Write = true
	req.Work = st.cfg.Write.Draw(v.client.dice())
	st.plan(&req)
	for _, sh := range v.targets(key, ranged) {
		if sh.deposed.loses(v) {
			req.LoseBefore = true
		}
	}
	return simnet.Exchange(ctx, st.net, req, func() (T, error) {
		targets := v.targets(key, ranged)
		for _, sh := range targets {
			if err := sh.refuses(); err != nil {
				var none T
				return none, err
			}
		}
		return apply(st, targets)
	})
}

// refuses says why a shard does not serve, if so.
func (s *shard) refuses() error {
	switch {
	case s.mute:
		return simnet.ErrDropped
	case s.down:
		return meta.ErrUnavailable
	default:
		return nil
	}
}

// stateFor is the state that a read of this view sees.
func (st *Store) stateFor(v *view, sh *shard) *state {
	if sh.deposed.answers(v) {
		return &sh.deposed.state
	}
	if v.fresh || len(sh.past) == 0 {
		return &sh.state
	}
	stale, by := st.world.HitBy("meta.stale-read", v.client.process.Name(), st.faults.StaleReads, st.rng, st.faults.StaleUpto)
	// A state kept holds what was true until it was kept.
	i := sh.pastAt(st.world.Now() - by)
	if !stale || i < 0 {
		return &sh.state
	}
	return &sh.past[i].state
}
