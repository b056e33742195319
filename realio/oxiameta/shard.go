package oxiameta

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// shard is one shard: who leads it, and when to ask again after failures. All calls to it share both, so that a shard in
// trouble is asked by turns that get rarer, and not by every caller in its own rhythm.
type shard struct {
	space     *space
	id        int64
	low, high uint32 // hashes, both inclusive
	writer    *writer

	mu        sync.Mutex
	leader    string // of the assignments; empty while there is none
	hint      string // of a server that refused, until the assignments say something new
	failures  int    // in a row
	notBefore time.Time
	last      error           // the newest failure
	changed   chan struct{}   // closed at a change of who to ask
	reign     context.Context // ends when the assignments name another leader: who waits for this one waits in vain
	dethrone  context.CancelFunc
	gone      bool
}

func newShard(sp *space, id int64, low, high uint32) *shard {
	s := &shard{space: sp, id: id, low: low, high: high, changed: make(chan struct{})}
	s.reign, s.dethrone = context.WithCancel(context.Background())
	s.writer = newWriter(s)
	return s
}

func (s *shard) String() string { return fmt.Sprintf("shard %d of %s", s.id, s.space.namespace) }

// holds says whether a route is the shard's.
func (s *shard) holds(at uint32) bool { return s.low <= at && at <= s.high }

// change wakes who waits. The caller holds mu.
func (s *shard) change() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// assign takes what the assignments say.
func (s *shard) assign(leader string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if leader == s.leader {
		return
	}
	s.leader, s.hint, s.notBefore = leader, "", time.Time{}
	s.dethrone()
	s.reign, s.dethrone = context.WithCancel(context.Background())
	s.change()
}

// remove marks a shard that is in the assignments no more.
func (s *shard) remove() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = true
	s.dethrone()
	s.change()
}

// target is who to ask, empty if nobody is known. The caller holds mu.
func (s *shard) target() string {
	if s.hint != "" {
		return s.hint
	}
	return s.leader
}

// current is who to ask now, empty if nobody is known, with a channel that closes when that changes.
func (s *shard) current() (addr string, changed <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return "", nil, errGone
	}
	return s.target(), s.changed, nil
}

// server waits until there is a server to ask and the time for it has come.
func (s *shard) server(ctx context.Context) (*server, error) {
	for {
		s.mu.Lock()
		addr, changed, wait, gone, last := s.target(), s.changed, time.Until(s.notBefore), s.gone, s.last
		s.mu.Unlock()
		if gone {
			return nil, errGone
		}
		if addr != "" && wait <= 0 {
			return s.space.servers.at(addr)
		}
		if addr == "" {
			wait, last = time.Hour, errors.Join(errNoServer, last)
		}
		if err := waitFor(ctx, changed, wait); err != nil {
			return nil, fmt.Errorf("%s: %w", s, errors.Join(last, err))
		}
	}
}

// waitFor waits until the channel closes, the time is over or the context ends.
func waitFor(ctx context.Context, changed <-chan struct{}, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-changed:
		return nil
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// failed notes that a server did not do what the leader of the shard does.
func (s *shard) failed(srv *server, f failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = fmt.Errorf("%s at %s: %w", s, srv.addr, f.err)
	if bare(s.target()) != srv.addr {
		return // somebody else is asked by now
	}
	s.failures++
	hinted := f.leader != "" && f.shard == s.id && bare(f.leader) != srv.addr
	if s.hint = ""; hinted {
		s.hint = f.leader
	}
	s.notBefore = time.Time{}
	if !hinted || s.failures > 1 { // one hint is followed at once; servers that send us round in circles are not
		s.notBefore = time.Now().Add(pause(s.failures))
	}
	s.change()
}

// succeeded notes that the shard answers.
func (s *shard) succeeded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures, s.last = 0, nil
}

// attempt is a context for one try at the leader of now: it ends after a while, and when the leader is another.
func (s *shard) attempt(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	s.mu.Lock()
	defer s.mu.Unlock()
	ignore := context.AfterFunc(s.reign, cancel)
	return ctx, func() {
		ignore()
		cancel()
	}
}
