package client

import (
	"context"

	"github.com/novastream/nova/io/peer"
)

// tries is what became of the requests of one open. The client repeats them, and gives the last answer, which does not tell of
// those before it.
type tries struct{ happened bool } // one did, or may have

type triesKey struct{}

// doubtError is a refusal of an open of which a request before the last one happened, or may have.
type doubtError struct{ error }

func (e doubtError) Unwrap() error { return e.error }

// openTried calls an open, and marks its error where not every request of it is known to have failed.
func openTried(ctx context.Context, open func(context.Context) (peer.Session, error)) (peer.Session, error) {
	t := &tries{}
	s, err := open(context.WithValue(ctx, triesKey{}, t))
	if err != nil && t.happened {
		return nil, doubtError{err}
	}
	return s, err
}

// tried is a network whose stars note what becomes of the requests of an open.
type tried struct{ peer.Network }

func (n tried) Dial(addr string) peer.Star { return triedStar{n.Network.Dial(addr)} }

type triedStar struct{ peer.Star }

func (s triedStar) OpenSession(ctx context.Context, q peer.OpenRequest) (peer.Session, error) {
	session, err := s.Star.OpenSession(ctx, q)
	if t, ok := ctx.Value(triesKey{}).(*tries); ok && (err == nil || !peer.CodeOf(err).Definite()) {
		t.happened = true
	}
	return session, err
}
