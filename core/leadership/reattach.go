package leadership

import (
	"context"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/fanout"
	"github.com/novastream/nova/core/keys"
)

// passFanout is how many streams are worked on at once where something is due for all of them.
const passFanout = 64

// inPasses tries a job for every stream, and again for those where it is not done, until none is left or ctx ends. Streams
// for which it cannot be done now do not keep the others. It gives those that are left.
func (m *Manager) inPasses(ctx context.Context, name string, ids []keys.StreamID, try func(context.Context, keys.StreamID) (done bool)) []keys.StreamID {
	for tries := backoff.New(m.env.Run, backoff.Rows); ; {
		done := make([]bool, len(ids))
		// Where the process is told to stop, what is left undone is left.
		_ = fanout.Each(ctx, m.env.Run, name, len(ids), passFanout, func(ctx context.Context, i int) { done[i] = try(ctx, ids[i]) })
		var left []keys.StreamID
		for i, id := range ids {
			if !done[i] {
				left = append(left, id)
			}
		}
		if ids = left; len(left) == 0 || tries.Wait(ctx) != nil {
			return left
		}
	}
}

// Reattach puts the leases of this star's leaderships under its new session, after it lost the old one. Appends go on
// meanwhile: the epoch guard protects, not the lease. A leadership whose epoch another star has bumped is abandoned.
func (m *Manager) Reattach(ctx context.Context) {
	m.inPasses(ctx, "reattach", m.ledIDs(), m.reattach)
}

// reattach is one try for one stream. A lease that another star took meanwhile is waited for: that star either bumps the
// epoch, or finds at the gate that this one leads and gives the lease back.
func (m *Manager) reattach(ctx context.Context, id keys.StreamID) (done bool) {
	release, err := m.alone(ctx, id)
	if err != nil {
		return true
	}
	defer release()
	l := m.led[id]
	if l == nil {
		return true
	}
	w, err := readWriter(ctx, m.records(id).Fresh(), id)
	if err != nil {
		return false
	}
	if keys.StreamEpoch(w.value.GetStreamEpoch()) > l.epoch {
		m.abandon(l, "another star has taken the lead")
		return true
	}
	lease, err := readLease(ctx, m.leases(id).Fresh(), id)
	if err != nil || lease.found && lease.value.GetBoot() != string(m.env.Boot) {
		return false
	}
	m.env.Run.Step(ctx, "reattach.lease")
	version, err := m.attach(ctx, id, lease)
	if err != nil {
		return false // the next try reads what became of it
	}
	if l.lease = version; l.phase == over {
		m.giveBack(id, version)
	}
	return true
}
