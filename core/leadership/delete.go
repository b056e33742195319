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
// descriptor to a tombstone; a crash in between is finished by whoever meets the row next. Indeterminate: the writer row may
// have turned.
func (m *Manager) Delete(ctx context.Context, name peer.StreamName) error {
	what, attempted, naming := streamWhat(name), false, m.env.Meta.Naming
	for tries := backoff.New(m.env.Run, backoff.Rows); ; naming = naming.Fresh() {
		err := m.deleteOnce(ctx, naming, name, &attempted)
		if errors.Is(err, errAgain) {
			if wait := tries.Wait(ctx); wait == nil {
				continue
			}
			err = retryable(what, "other stars move its rows at the same time", time.Second, ctx.Err())
		}
		switch {
		case attempted && peer.Is(err, peer.NotFound):
			return nil // another has finished what this call began
		case attempted && err != nil:
			return &peer.Error{Code: peer.Indeterminate, What: what, Reason: "the deletion has begun and is not known to be done", Err: err, Try: "delete it again"}
		default:
			return unavailable(what, err)
		}
	}
}

func (m *Manager) deleteOnce(ctx context.Context, naming meta.Naming, name peer.StreamName, attempted *bool) error {
	d, err := directory.Resolve(ctx, naming, name)
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
		lease, err := m.approach(ctx, d)
		if err != nil {
			return err
		}
		if l, err = m.lead(ctx, d, lease); err != nil {
			return err
		}
	}
	if l.phase == inLimbo {
		return limboRefusal(name)
	}
	m.enter(l, finishing)
	if err := m.bury(ctx, l, attempted); err != nil {
		m.notBuried(l, err)
		return err
	}
	m.releaseLease(m.env.Run.Context(), l.id, l.lease)
	m.drop(l)
	return m.finishDeletion(ctx, d)
}

// bury turns the writer row to deleted once nothing of the stream is in flight here.
func (m *Manager) bury(ctx context.Context, l *Leadership, attempted *bool) error {
	ctx, cancel := m.env.Run.WithTimeout(ctx, FinishPatience)
	defer cancel()
	m.endSessions(l)
	if err := m.cfg.Lines[l.class].Writer.Settled(ctx, l.id); err != nil {
		return err
	}
	for tries := backoff.New(m.env.Run, backoff.Rows); l.phase != over; {
		w, err := readWriter(ctx, m.records(l.id).Fresh(), l.id)
		if err != nil || w.value.GetDeleted() {
			return err
		}
		if keys.StreamEpoch(w.value.GetStreamEpoch()) > l.epoch {
			m.abandon(l, "another star has taken the lead")
			break
		}
		w.value.Delete()
		l.noReturn, *attempted = true, true
		m.env.Run.Step(ctx, "delete.writer")
		// Commit point. From here on whoever meets the row finishes the deletion.
		_, err = m.putWriter(ctx, l.id, w)
		if !errors.Is(err, meta.ErrConflict) && !errors.Is(err, meta.ErrUnknown) {
			return err
		}
		if err := tries.Wait(ctx); err != nil { // conflict or unknown: the next try reads what is there
			return err
		}
	}
	return errAgain
}

// notBuried leaves a leadership whose deletion did not land to a departure, unless a producer takes it back before.
func (m *Manager) notBuried(l *Leadership, why error) {
	if l.phase != finishing {
		return
	}
	m.enter(l, inLimbo)
	m.env.Run.Note("leadership in limbo", "stream", l.name, "id", l.id, "epoch", l.epoch, "why", why)
	m.env.Run.Go("finish", func(ctx context.Context) { m.depart(ctx, l, func() bool { return len(l.sessions) == 0 }) })
}

// finishDeletion makes the descriptor a tombstone, which frees the name. Where the name is another stream's by now there is
// nothing to do.
func (m *Manager) finishDeletion(ctx context.Context, d directory.Descriptor) error {
	for tries := backoff.New(m.env.Run, backoff.Rows); ; {
		now, found, err := directory.Read(ctx, m.env.Meta.Naming.Fresh(), d.Name)
		if err != nil {
			return err
		}
		if !found || now.ID != d.ID || now.Value.GetTombstone() {
			return nil
		}
		now.Value.Bury()
		m.env.Run.Step(ctx, "delete.descriptor")
		_, err = directory.Put(ctx, m.env.Meta.Naming, now.Value, meta.At(now.Version))
		if !errors.Is(err, meta.ErrConflict) && !errors.Is(err, meta.ErrUnknown) {
			return err
		}
		if err := tries.Wait(ctx); err != nil {
			return err
		}
	}
}

func (w writerRow) encode() []byte { return records.Encode(w.value) }
