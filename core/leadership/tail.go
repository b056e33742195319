package leadership

import (
	"context"
	"errors"
	"time"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/directory"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/refs"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
)

// Tail is the linearizable tail of a stream: from the leader by the chain barrier, from a vacant stream by evidence.
func (m *Manager) Tail(ctx context.Context, name peer.StreamName) (peer.TailReply, error) {
	naming := m.env.Meta.Naming
	for tries := backoff.New(m.env.Run, backoff.Rows); ; naming = naming.Fresh() {
		reply, err := m.tailOnce(ctx, naming, name)
		if !errors.Is(err, errAgain) {
			return reply, unavailable(streamWhat(name), err)
		}
		if err := tries.Wait(ctx); err != nil {
			return peer.TailReply{}, retryable(streamWhat(name), "its leadership is moving", time.Second, err)
		}
	}
}

func (m *Manager) tailOnce(ctx context.Context, naming meta.Naming, name peer.StreamName) (peer.TailReply, error) {
	if l, ok := m.Find(name); ok {
		end, err := l.confirm(ctx)
		return peer.TailReply{Next: uint64(end.next), Last: stampTime(end.stampUs)}, err
	}
	d, err := directory.Resolve(ctx, naming, name)
	if err != nil {
		return peer.TailReply{}, err
	}
	if err := m.Elsewhere(ctx, d); err != nil {
		return peer.TailReply{}, err
	}
	last, err := m.VacantTail(ctx, d)
	return peer.TailReply{Next: uint64(refs.Tail(last, last.Value != nil)), Last: stampTime(last.Value.GetLastStampUs())}, err
}

func stampTime(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}

// confirm waits for the barrier: a flight sealed after this call became durable, so nobody had fenced the chain when the
// call was made, and only this leadership itself could have released the stream. No clock and no metastore is trusted.
// errAgain: the leadership is over.
func (l *Leadership) confirm(ctx context.Context) (end tail, err error) {
	if l.m.env.Bugs.Has(planted.NoTailBarrier) {
		return l.durable, nil
	}
	done, confirmed := false, false
	err = l.barrier(func(ok bool) { done, confirmed, end = true, ok, l.durable })
	if errors.Is(err, chain.ErrEnded) {
		return end, errAgain
	}
	if err != nil {
		return end, err
	}
	for !done {
		if err := l.signal().Wait(ctx); err != nil {
			return end, err
		}
	}
	if !confirmed {
		return end, errAgain
	}
	return end, nil
}

// Elsewhere refuses with the holder of the stream's lease where that is another star.
func (m *Manager) Elsewhere(ctx context.Context, d directory.Descriptor) error {
	lease, err := m.readLease(ctx, d.ID)
	if err != nil || !lease.found || lease.value.GetStar() == string(m.env.Star) {
		return err
	}
	stars, err := m.cfg.Registry.Snapshot(ctx)
	if err != nil {
		return err
	}
	holder := keys.StarID(lease.value.GetStar())
	if star, ok := stars.Find(holder); ok {
		return notOwner(streamWhat(d.Name), holder, star.Addr)
	}
	return nil // its star is gone; what it acknowledged shows by evidence
}

// VacantTail is the last row of a stream that nobody leads, empty where it has none: the writer row fresh, evidence that
// all acknowledged under it is covered (made as by the gate, without taking the lead, where there is none), then the last
// row fresh. An error that is no refusal says that the stream is led here by now, or cannot be told about.
func (m *Manager) VacantTail(ctx context.Context, d directory.Descriptor) (last refs.Row, err error) {
	release, err := m.alone(ctx, d.ID)
	if err != nil {
		return last, err
	}
	defer release()
	if l := m.led[d.ID]; l != nil {
		if l.phase == inLimbo {
			return last, limboRefusal(d.Name)
		}
		return last, errAgain // led by now
	}
	w, err := readWriter(ctx, m.records(d.ID).Fresh(), d.ID)
	if err != nil {
		return last, err
	}
	if w.found && !m.env.Bugs.Has(planted.TailUnproven) {
		if err := m.pass(ctx, d, w); err != nil {
			return last, err
		}
	}
	view := m.env.Meta.Records.Fresh()
	if m.env.Bugs.Has(planted.VacantTailStale) {
		view = m.env.Meta.Records
	}
	last, _, err = refs.Last(ctx, view, d.ID)
	return last, err
}

// WaitBeyond waits until something at or above seq may be revealed here, the leadership is over, or ctx ends.
func (l *Leadership) WaitBeyond(ctx context.Context, seq keys.Seq) error {
	for l.phase == leading && l.durable.next <= seq {
		if err := l.signal().Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Recent gives the acknowledged batches from seq on that refs may not cover yet. Nil where seq is not among them.
func (l *Leadership) Recent(seq keys.Seq) []Acked { return l.window.from(seq) }
