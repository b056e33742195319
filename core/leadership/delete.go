package leadership

import (
	"context"
	"errors"
	"time"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/directory"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
)

// Delete deletes a stream, through its leadership like an open: the leader does it, or this star takes the vacant lease and
// the lead, and ends it. NotOwner names the leader. The writer row turns to deleted first (the point of no return), then the
// descriptor to a tombstone; a crash in between is finished by whoever meets the row next.
func (m *Manager) Delete(ctx context.Context, name peer.StreamName) error {
	for tries := backoff.New(m.env.Run, backoff.Rows); ; {
		err := m.deleteOnce(ctx, name)
		if !errors.Is(err, errAgain) {
			return unavailable(streamWhat(name), err)
		}
		if err := tries.Wait(ctx); err != nil {
			return retryable(streamWhat(name), "other stars move its rows at the same time", time.Second, err)
		}
	}
}

func (m *Manager) deleteOnce(ctx context.Context, name peer.StreamName) error {
	d, err := directory.Resolve(ctx, m.env.Meta.Naming, name)
	if err != nil {
		return err
	}
	release, err := m.alone(ctx, d.ID)
	if err != nil {
		return err
	}
	defer release()
	l, led := m.led[d.ID]
	if !led {
		if l, err = m.take(ctx, d); err != nil {
			return err
		}
	}
	if l.phase == inLimbo {
		return retryable(streamWhat(name), "its leadership is in limbo: a departure cannot land yet", time.Second, nil)
	}
	m.enter(l, finishing)
	if err := m.bury(ctx, d, l); err != nil {
		if l.phase == finishing { // it answers nothing more: the departure that runs now ends it
			m.enter(l, inLimbo)
			m.env.Run.Go("finish", func(ctx context.Context) { m.depart(ctx, l, func() bool { return true }) })
		}
		return err
	}
	m.drop(l)
	m.releaseLease(ctx, l.id, l.lease)
	return m.finishDeletion(ctx, d)
}

// bury turns the writer row to deleted once nothing of the stream is in flight here.
func (m *Manager) bury(ctx context.Context, d directory.Descriptor, l *Leadership) error {
	m.endSessions(l)
	if err := m.cfg.Lines[l.class].Writer.Settled(ctx, d.ID); err != nil {
		return err
	}
	for tries := backoff.New(m.env.Run, backoff.Rows); l.phase != over; {
		w, err := readWriter(ctx, m.records(d.ID), d.ID)
		if err != nil || w.value.GetDeleted() {
			return err
		}
		if keys.StreamEpoch(w.value.GetStreamEpoch()) > l.epoch {
			m.abandon(l, "another star has taken the lead")
			break
		}
		w.value.Delete()
		m.env.Run.Step(ctx, "delete.writer")
		_, err = m.putWriter(ctx, d.ID, w)
		if !errors.Is(err, meta.ErrConflict) && !errors.Is(err, meta.ErrUnknown) {
			return err
		}
		if err := tries.Wait(ctx); err != nil { // conflict or unknown: the next try reads what is there
			return err
		}
	}
	return errAgain
}

// finishDeletion makes the descriptor a tombstone, which frees the name, and answers that the stream is not there.
func (m *Manager) finishDeletion(ctx context.Context, d directory.Descriptor) error {
	now, found, err := directory.Read(ctx, m.env.Meta.Naming.Fresh(), d.Name)
	if err != nil {
		return err
	}
	if !found || now.ID != d.ID || now.Value.GetTombstone() {
		return nil
	}
	now.Value.Bury()
	m.env.Run.Step(ctx, "delete.descriptor")
	err = directory.Put(ctx, m.env.Meta.Naming, now.Value, meta.At(now.Version))
	if errors.Is(err, meta.ErrConflict) || errors.Is(err, meta.ErrUnknown) {
		return errAgain
	}
	return err
}

func (w writerRow) encode() []byte { return records.Encode(w.value) }
