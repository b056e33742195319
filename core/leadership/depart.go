package leadership

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/core/refs"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
)

// errSuperseded says that a later leadership exists: the mark is not ours to stamp.
var errSuperseded = errors.New("a later leadership of the stream exists")

// release gives one handle back. The last one of a Fenced stream releases the leadership at once, because a handoff to the
// next producer must not wait; an Any stream idles first.
func (l *Leadership) release(s *Session) {
	before := len(l.sessions)
	l.forget(s)
	if len(l.sessions) < before { // a handle that the leadership ended before has no part in it any more
		l.m.vacateUnused(l)
	}
}

func (l *Leadership) forget(s *Session) {
	l.sessions = slices.DeleteFunc(l.sessions, func(open *Session) bool { return open == s })
	if l.producer == s {
		l.producer = nil
	}
}

// expel ends a handle: it takes nothing more, and does not keep the leadership from departing.
func (l *Leadership) expel(s *Session, why *peer.Error) {
	s.end(why)
	l.forget(s)
}

// vacateUnused starts the departure, now or after the idle time-out, of a leadership without handles.
func (m *Manager) vacateUnused(l *Leadership) {
	if len(l.sessions) > 0 || l.phase != leading {
		return
	}
	if l.mode == records.Mode_MODE_FENCED {
		m.env.Run.Go("finish", func(ctx context.Context) { m.depart(ctx, l, func() bool { return len(l.sessions) == 0 }) })
		return
	}
	m.markIdle(l)
}

// depart runs a departure unless another was first or the leadership is wanted again. A Finish that cannot land leaves the
// leadership in limbo, lease retained, and goes on trying.
func (m *Manager) depart(ctx context.Context, l *Leadership, wanted func() bool) {
	for tries := backoff.New(m.env.Run, backoff.Rows); ; {
		if m.tryDepart(ctx, l, wanted) || tries.Wait(ctx) != nil {
			return
		}
	}
}

// tryDepart is one try; done says that nothing is left to try.
func (m *Manager) tryDepart(ctx context.Context, l *Leadership, wanted func() bool) (done bool) {
	release, err := m.alone(ctx, l.id)
	if err != nil {
		return true
	}
	defer release()
	if m.led[l.id] != l || !l.noReturn && !wanted() {
		return true // another departure was first, or a producer wants it
	}
	retried := l.phase == inLimbo
	if !retried {
		m.enter(l, finishing)
	}
	err = m.finish(ctx, l)
	switch {
	case l.phase == over: // abandoned in between
		return true
	case err == nil, errors.Is(err, errSuperseded):
		m.env.Run.Note("leadership released", "stream", l.name, "id", l.id, "epoch", l.epoch, "clean", err == nil)
		m.releaseLease(m.env.Run.Context(), l.id, l.lease)
		m.drop(l)
		return true
	case !retried:
		m.enter(l, inLimbo)
		m.env.Run.Note("leadership in limbo", "stream", l.name, "id", l.id, "epoch", l.epoch, "why", err)
	}
	return false
}

// enter moves the leadership to a phase, keeping count of limbo.
func (m *Manager) enter(l *Leadership, p phase) {
	if l.phase == inLimbo {
		m.limbo--
	}
	if p == inLimbo {
		m.limbo++
	}
	l.phase = p
	l.broadcast()
}

// finish makes the departure clean: everything acknowledged covered by refs, and the mark that says so.
func (m *Manager) finish(ctx context.Context, l *Leadership) error {
	ctx, cancel := m.env.Run.WithTimeout(ctx, FinishPatience)
	defer cancel()
	if !m.env.Bugs.Has(planted.FinishAdmits) {
		m.endSessions(l)
	}
	if err := m.coverOwn(ctx, l.id, l.class, l.chain); err != nil || l.phase == over {
		return err
	}
	return m.stamp(ctx, l.id, l.epoch, &l.durable.next, func() { l.noReturn = true })
}

// endSessions makes the leadership admit nothing more.
func (m *Manager) endSessions(l *Leadership) {
	why := retryable(streamWhat(l.name), "this star is ending its leadership", 200*time.Millisecond, nil)
	for len(l.sessions) > 0 {
		l.expel(l.sessions[0], why)
	}
}

// stamp puts the clean-release mark of epoch on the stream's last row, by CAS on the version read, and on the writer row
// where there are no rows. acked is what the row must end at; nil where the caller has just seen all covered. attempted is
// called before the first attempt: the point of no return.
func (m *Manager) stamp(ctx context.Context, id keys.StreamID, epoch keys.StreamEpoch, acked *keys.Seq, attempted func()) error {
	last, found, err := refs.Last(ctx, m.env.Meta.Records.Fresh(), id)
	if err != nil {
		return err
	}
	short := acked != nil && refs.Tail(last, found) < *acked
	if short && !m.env.Bugs.Has(planted.SkipReleaseFlush) {
		return m.short(ctx, id)
	}
	if !found {
		return m.stampWriter(ctx, id, epoch, attempted)
	}
	marked := keys.StreamEpoch(last.Value.GetCleanEpoch())
	switch {
	case marked == epoch:
		return nil
	case marked > epoch, acked != nil && last.End() > *acked:
		return errSuperseded
	}
	last.Value.Mark(uint64(epoch))
	attempted()
	m.env.Run.Step(ctx, "finish.mark")
	_, err = refs.Replace(ctx, m.env.Meta.Records, id, last)
	return m.stamped(err)
}

func (m *Manager) stampWriter(ctx context.Context, id keys.StreamID, epoch keys.StreamEpoch, attempted func()) error {
	w, err := readWriter(ctx, m.records(id).Fresh(), id)
	if err != nil {
		return err
	}
	if !w.found || keys.StreamEpoch(w.value.GetStreamEpoch()) != epoch || w.value.GetDeleted() {
		return errSuperseded
	}
	if keys.StreamEpoch(w.value.GetCleanEpoch()) == epoch {
		return nil
	}
	w.value.Mark(uint64(epoch))
	attempted()
	m.env.Run.Step(ctx, "finish.mark")
	_, err = m.putWriter(ctx, id, w)
	return m.stamped(err)
}

// short is why refs do not reach the acknowledged tail: not yet, or, for a stream that was deleted, never.
func (m *Manager) short(ctx context.Context, id keys.StreamID) error {
	w, err := readWriter(ctx, m.records(id).Fresh(), id)
	if err == nil && w.value.GetDeleted() {
		return errSuperseded
	}
	return errors.Join(errors.New("refs do not reach the acknowledged tail yet"), err)
}

// stamped leaves an outcome that is not known, or a row that moved, to the next try, which reads what is there.
func (m *Manager) stamped(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(errors.New("the clean-release mark is not known to have landed"), err)
}

// takeBack makes a leadership in limbo lead again for a producer that wants it, as long as nothing final was attempted.
func (m *Manager) takeBack(l *Leadership) error {
	if l.noReturn && !m.env.Bugs.Has(planted.AckAfterMark) {
		return limboRefusal(l.name)
	}
	m.enter(l, leading)
	l.noReturn = false
	m.env.Run.Note("departure taken back", "stream", l.name, "id", l.id, "epoch", l.epoch)
	return nil
}

// Ended abandons every leadership that writes into a chain epoch which has ended: no mark, the lease dropped.
func (m *Manager) Ended(epoch keys.Epoch) {
	if m.env.Bugs.Has(planted.LeadPastEpoch) {
		return
	}
	for _, id := range m.ledIDs() {
		if l := m.led[id]; l.chain == epoch {
			m.abandon(l, "its chain epoch ended")
		}
	}
}

// abandon ends a leadership without Finish: what it had in flight is the chain's to decide.
func (m *Manager) abandon(l *Leadership, why string) {
	m.env.Run.Note("leadership abandoned", "stream", l.name, "id", l.id, "epoch", l.epoch, "why", why)
	m.endSessions(l)
	m.drop(l)
	m.giveBack(l.id, l.lease)
}

// Stop finishes every leadership, and returns once all have landed or ctx ends. No new one is taken from now on.
func (m *Manager) Stop(ctx context.Context) error {
	m.stopping = true
	left := m.inPasses(ctx, "finish", m.ledIDs(), func(ctx context.Context, id keys.StreamID) (done bool) {
		if l := m.led[id]; l != nil {
			m.tryDepart(ctx, l, func() bool { return true })
		}
		return m.led[id] == nil
	})
	if len(left) == 0 {
		return nil
	}
	return &peer.Error{
		Code: peer.Unavailable, What: "star " + string(m.env.Star), Err: ctx.Err(),
		Reason: fmt.Sprintf("%d streams are left unfinished; the next open of each covers it", len(left)),
	}
}

// Covered drops from the tail window what refs cover: the hook of absorb.
func (m *Manager) Covered(id keys.StreamID, end keys.Seq) {
	if l := m.led[id]; l != nil {
		m.retain(-l.window.cover(end))
	}
}

func (m *Manager) putWriter(ctx context.Context, id keys.StreamID, w writerRow) (meta.Version, error) {
	return m.records(id).Put(ctx, keys.WriterRow(id), w.encode(), w.expect())
}
