package oxiameta

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// shard is one shard: who leads it, and when to ask again after failures. All calls to it share both: a shard in trouble is
// asked by one caller at a time, by turns that get rarer, and when it answers the others follow.
type shard struct {
	space     *space
	id        int64
	low, high uint32 // hashes, both inclusive
	writer    *writer
	counts    counts

	mu        sync.Mutex
	leader    string // of the assignments; empty while there is none
	hint      string // of a server that refused, until the assignments say something new
	failures  int    // in a row, those of calls made at once counted once
	number    uint64 // of the turn: it grows with every failure that counts and every new leader
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
	s.leader, s.hint, s.failures, s.notBefore = leader, "", 0, time.Time{}
	s.number++
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

// turn is the right to ask a server now.
type turn struct {
	*server
	number uint64
}

// turn waits until there is a server to ask and the time for it has come.
func (s *shard) turn(ctx context.Context) (turn, error) {
	for {
		s.mu.Lock()
		addr, changed, wait, gone, last := s.target(), s.changed, time.Until(s.notBefore), s.gone, s.last
		number := s.number
		if addr != "" && wait <= 0 && s.failures > 0 { // this caller has the turn
			s.notBefore = time.Now().Add(pause(s.failures))
		}
		s.mu.Unlock()
		if gone {
			return turn{}, errGone
		}
		if addr != "" && wait <= 0 {
			srv, err := s.space.servers.at(addr)
			return turn{srv, number}, err
		}
		if addr == "" {
			wait, last = time.Hour, errors.Join(errNoServer, last)
		}
		if err := waitFor(ctx, changed, wait); err != nil {
			return turn{}, fmt.Errorf("%s: %w", s, errors.Join(last, err))
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

// turnAt is the right to ask a server that has just proved that it leads.
func (s *shard) turnAt(srv *server) turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return turn{srv, s.number}
}

// failed notes that a server did not do what the leader of the shard does.
func (s *shard) failed(t turn, f failure) {
	if f.kind == again {
		s.counts.retries.Add(1)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.number != t.number {
		return // the news is old
	}
	s.number++
	s.failures++
	s.last = fmt.Errorf("%s at %s: %w", s, t.addr, f.err)
	hinted := f.leader != "" && f.shard == s.id && bare(f.leader) != t.addr
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
	if s.failures == 0 {
		return
	}
	s.failures, s.last, s.notBefore = 0, nil, time.Time{}
	s.change()
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

// whileLed calls leave, once, when the shard is led from another address than this one; stop ends the watch.
func (s *shard) whileLed(addr string, leave func()) (stop func()) {
	var mu sync.Mutex
	var ignore func() bool
	stopped := false
	var watch func()
	watch = func() {
		mu.Lock()
		defer mu.Unlock()
		if stopped {
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if now := s.target(); s.gone || now != "" && bare(now) != addr {
			leave()
			return
		}
		ignore = context.AfterFunc(s.reign, watch)
	}
	watch()
	return func() {
		mu.Lock()
		defer mu.Unlock()
		if stopped = true; ignore != nil {
			ignore()
		}
	}
}
