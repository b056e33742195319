package embeddedmeta

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/novastream/nova/io/meta"
)

// maxSyncing is how many commits may wait for the disk; pebble's own bound is of this order.
const maxSyncing = 1024

// request is one change on its way through the committer.
type request struct {
	change func(*edit) error // decides, and fills the edit
	done   chan outcome      // of capacity one
}

// outcome answers a request.
type outcome struct {
	version meta.Version
	shows   meta.Version // a refusal shows the state up to this version
	err     error        // the refusal
}

// syncing is a commit that is applied and waits for the disk.
type syncing struct {
	batch *pebble.Batch
	req   *request
	out   outcome
}

// submit sends a change through the committer and waits until it is on disk, or was refused by a state that is.
func (s *Store) submit(ctx context.Context, change func(*edit) error) (meta.Version, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("%w: %w", meta.ErrUnavailable, err)
	}
	req := &request{change: change, done: make(chan outcome, 1)}
	select {
	case s.requests <- req:
	case <-ctx.Done():
		return 0, fmt.Errorf("%w: %w", meta.ErrUnavailable, ctx.Err())
	case <-s.ended:
		return 0, s.unavailable()
	}
	select {
	case out := <-req.done:
		if out.err == nil {
			return out.version, nil
		}
		if err := s.settled(ctx, out.shows); err != nil {
			return 0, fmt.Errorf("%w: %w", meta.ErrUnavailable, err)
		}
		return 0, out.err
	case <-ctx.Done():
		return 0, fmt.Errorf("%w: %w", meta.ErrUnknown, ctx.Err())
	case <-s.ended:
		return 0, s.unknown()
	}
}

// committer takes changes one by one. What it holds is its own.
type committer struct {
	store    *Store
	last     meta.Version // given
	sessions map[uint64]*session
	opened   uint64 // sessions, ever
}

func newCommitter(s *Store, last meta.Version) *committer {
	return &committer{store: s, last: last, sessions: map[uint64]*session{}}
}

func (c *committer) run() {
	defer close(c.store.syncs)
	for {
		select {
		case req := <-c.store.requests:
			if err := c.commit(req); err != nil {
				c.store.fail(err)
				return
			}
		case <-c.store.ended:
			return
		}
	}
}

// commit lets a change decide, applies its batch, and passes it on to the syncer. An error is pebble's and ends the store:
// the batch may be in the log or not.
func (c *committer) commit(req *request) (err error) {
	defer func() {
		if v := recover(); v != nil { // pebble panics where it finds its own state broken
			err = fmt.Errorf("commit: %v", v)
		}
	}()
	e := &edit{committer: c, batch: c.store.db.NewBatch(), version: c.last + 1}
	if refusal := req.change(e); refusal != nil {
		req.done <- outcome{shows: max(e.shows, meta.Version(c.store.barrier.Load())), err: refusal}
		return e.batch.Close()
	}
	c.last = e.version
	if e.removes {
		c.store.barrier.Store(int64(e.version)) // before anybody can see what is missing
	}
	out := outcome{version: e.version}
	if !e.synced {
		if err := c.store.db.Apply(e.batch, pebble.NoSync); err != nil {
			return err
		}
		e.settle()
		req.done <- out
		return e.batch.Close()
	}
	if err := c.store.db.ApplyNoSyncWait(e.batch, pebble.Sync); err != nil {
		return err
	}
	e.settle()
	c.store.syncs <- syncing{e.batch, req, out}
	return nil
}

// runSyncer waits for the disk in the order of commits, and answers.
func (s *Store) runSyncer() {
	for sync := range s.syncs {
		if err := sync.batch.SyncWait(); err != nil {
			s.fail(err)
			continue // the log is broken from here on: every later commit fails too
		}
		s.durable.rise(sync.out.version)
		sync.req.done <- sync.out
		_ = sync.batch.Close() // gives memory back; it holds nothing that could fail
	}
}
