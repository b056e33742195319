package leadership

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/directory"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
)

// errAgain says that somebody else moved first: the caller starts over with what is there now.
var errAgain = errors.New("somebody else moved first")

// MovedFirst says whether an error means that somebody else moved first and the call may start over at once.
func MovedFirst(err error) bool { return errors.Is(err, errAgain) }

// Open gives a producer handle on the stream, taking the lead where nobody has it and this star is the designate.
// It follows leadership.md ("Open, step by step") and is idempotent.
func (m *Manager) Open(ctx context.Context, req peer.OpenRequest) (*Session, error) {
	what := streamWhat(req.Stream)
	naming := m.env.Meta.Naming
	for tries := backoff.New(m.env.Run, backoff.Rows); ; naming = naming.Fresh() {
		s, err := m.openOnce(ctx, naming, req)
		if !errors.Is(err, errAgain) {
			return s, unavailable(what, err)
		}
		if err := tries.Wait(ctx); err != nil {
			return nil, retryable(what, "other stars move its rows at the same time", time.Second, err)
		}
	}
}

// openOnce is one try of an open.
func (m *Manager) openOnce(ctx context.Context, naming meta.Naming, req peer.OpenRequest) (*Session, error) {
	d, err := m.describe(ctx, naming, req)
	if err != nil {
		return nil, err
	}
	release, err := m.alone(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	defer release()
	l, joined := m.led[d.ID]
	switch {
	case joined && m.stopping:
		return nil, m.leave(ctx, d, l)
	case joined && l.phase == inLimbo:
		if err := m.takeBack(l); err != nil {
			return nil, err
		}
	case !joined && d.Value == nil:
		return nil, errAgain // it was led when it was looked up
	case !joined:
		if l, err = m.openVacant(ctx, d); err != nil {
			return nil, err
		}
	}
	s, err := l.admit(ctx, req.Token)
	if err != nil || !joined || m.env.Bugs.Has(planted.JoinUnconfirmed) {
		return s, err
	}
	release() // the barrier is no part of the single flight
	if _, err := l.confirm(ctx); err != nil {
		_ = s.Close(ctx) // never fails
		return nil, err
	}
	s.opened.Next = uint64(l.durable.next)
	return s, nil
}

// describe is step 1: the descriptor, created where the request and the bucket allow it.
func (m *Manager) describe(ctx context.Context, naming meta.Naming, req peer.OpenRequest) (directory.Descriptor, error) {
	if l, ok := m.Find(req.Stream); ok {
		return directory.Descriptor{Name: l.name, ID: l.id}, nil
	}
	d, err := directory.Resolve(ctx, naming, req.Stream)
	if peer.Is(err, peer.NotFound) && req.Create {
		return m.createOnOpen(ctx, req.Stream)
	}
	return d, err
}

// createOnOpen creates the stream with its bucket's defaults, where the bucket says so.
func (m *Manager) createOnOpen(ctx context.Context, name peer.StreamName) (directory.Descriptor, error) {
	bucket, err := directory.DescribeBucket(ctx, m.env.Meta.Naming, name.Bucket)
	if err != nil {
		return directory.Descriptor{}, err
	}
	if !bucket.CreateOnOpen {
		return directory.Descriptor{}, directory.StreamNotFound(name)
	}
	d, err := directory.CreateStream(ctx, m.env, peer.CreateStreamRequest{Stream: name})
	if peer.Is(err, peer.AlreadyExists) {
		return d, errAgain // another open created it
	}
	return d, err
}

// openVacant is steps 3 to 10: a new leadership, or whom to ask instead. A star at its bounds takes none.
func (m *Manager) openVacant(ctx context.Context, d directory.Descriptor) (*Leadership, error) {
	lease, err := m.approach(ctx, d)
	if err != nil {
		return nil, err
	}
	if m.full() {
		return nil, m.shed()
	}
	return m.lead(ctx, d, lease)
}

// lead is steps 6 to 10: the lease, the gate, the writer row.
func (m *Manager) lead(ctx context.Context, d directory.Descriptor, lease leaseRow) (*Leadership, error) {
	version, err := m.acquire(ctx, d, lease)
	if err != nil {
		return nil, err
	}
	l, err := m.claim(ctx, d)
	if err == nil && m.stopping {
		err = retryable(streamWhat(d.Name), "this star is stopping", TransferGrace, nil)
	}
	if err != nil && m.env.Bugs.Has(planted.LeaseLeaked) {
		return nil, err
	}
	if err != nil {
		m.giveBack(d.ID, version)
		return nil, err
	}
	l.lease = version
	m.add(l)
	m.env.Run.Note("leadership taken", "stream", l.name, "id", l.id, "epoch", l.epoch, "chain", l.chain, "tail", l.next)
	return l, nil
}

// full says whether the star is at a bound that keeps it from taking one more producer.
func (m *Manager) full() bool { return m.sessions >= m.cfg.Limits.Sessions || m.crowded(1) }

func (m *Manager) fullReason() string {
	if limits := m.cfg.Limits; m.sessions >= limits.Sessions {
		return fmt.Sprintf("it has %d producer sessions, its limit (--max-producer-sessions)", limits.Sessions)
	}
	return fmt.Sprintf("it holds %d bytes that refs do not cover yet; its limit is %d", m.retained, m.cfg.Limits.RetainedBytes)
}

func (m *Manager) shed() *peer.Error {
	return &peer.Error{
		Code: peer.Shed, What: "star " + string(m.env.Star), Reason: m.fullReason(), Try: "try again later, or add a star",
	}
}

// admit is step 2: one more handle on a leadership.
func (l *Leadership) admit(ctx context.Context, token uint64) (*Session, error) {
	m := l.m
	if m.full() {
		m.vacateUnused(l)
		return nil, m.shed()
	}
	m.sessions++ // counted from here on, for others are admitted while this one waits
	s, err := l.join(ctx, token)
	if err != nil {
		m.sessions--
		m.vacateUnused(l)
	}
	return s, err
}

// join makes the handle. On a Fenced stream the newer token has the stream.
func (l *Leadership) join(ctx context.Context, token uint64) (*Session, error) {
	if l.mode != records.Mode_MODE_FENCED {
		return l.newSession(), nil
	}
	m := l.m
	token, err := m.takeToken(ctx, l, token)
	if err != nil {
		return nil, err
	}
	if l.phase != leading {
		return nil, errAgain
	}
	switch {
	case l.producer == nil:
	case m.env.Bugs.Has(planted.OlderNotFenced):
		l.producer.hold(false)
	default:
		l.expel(l.producer, &peer.Error{
			Code: peer.Fenced, What: streamWhat(l.name), Reason: "a newer producer has it", Token: token,
			Try: "stop this producer, or open with a higher token",
		})
	}
	l.token = token
	l.producer = l.newSession()
	return l.producer, nil
}
