package simmeta

import (
	"context"
	"errors"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simnet"
)

var outcomes = simnet.Errors{Unavailable: meta.ErrUnavailable, Unknown: meta.ErrUnknown} //nolint:gochecknoglobals // a constant

func isExpired(err error) bool { return errors.Is(err, meta.ErrSessionExpired) }

// request is a call as it leaves the client.
func (v *view) request(kind, key string) simnet.Request {
	return simnet.Request{Process: v.client.process, Server: Endpoint, Kind: kind, Target: key, Errors: &outcomes}
}

// read asks one shard.
func read[T any](ctx context.Context, v *view, kind, key string, sh *shard, look func(*state) (T, error)) (T, error) {
	st := v.client.store
	req := v.request(kind, key)
	req.Work = st.cfg.Read.Draw(st.rng)
	return simnet.Exchange(ctx, st.net, req, func() (T, error) {
		var none T
		if err := sh.refuses(); err != nil {
			return none, err
		}
		return look(st.stateFor(v, sh))
	})
}

// readAll asks several shards at one instant.
func readAll[T any](ctx context.Context, v *view, kind, key string, shards []*shard, look func([]*state) (T, error)) (T, error) {
	st := v.client.store
	req := v.request(kind, key)
	req.Work = st.cfg.Read.Draw(st.rng)
	return simnet.Exchange(ctx, st.net, req, func() (T, error) {
		var none T
		states := make([]*state, len(shards))
		for i, sh := range shards {
			if err := sh.refuses(); err != nil {
				return none, err
			}
			states[i] = st.stateFor(v, sh)
		}
		return look(states)
	})
}

// change writes to shards at one instant.
func change[T any](ctx context.Context, v *view, kind, key string, shards []*shard, apply func(*Store) (T, error)) (T, error) {
	st := v.client.store
	req := v.request(kind, key)
	req.Write = true
	req.Work = st.cfg.Write.Draw(st.rng)
	st.plan(&req)
	return simnet.Exchange(ctx, st.net, req, func() (T, error) {
		var none T
		for _, sh := range shards {
			if err := sh.refuses(); err != nil {
				return none, err
			}
		}
		return apply(st)
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
	if v.fresh || len(sh.past) == 0 || !st.faults.StaleReads.Hits(st.rng) {
		return &sh.state
	}
	oldest := st.world.Now() - sim.Upto(st.rng, st.faults.StaleUpto)
	for i := range sh.past { // snapshot i holds what was true until it was taken
		if sh.past[i].at >= oldest {
			st.world.CountFault("meta.stale-read", v.client.process.Name())
			return &sh.past[i].state
		}
	}
	return &sh.state
}
