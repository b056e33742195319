package simblob

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simnet"
)

// client is one process's access to a store.
type client struct {
	store   *Store
	process *sim.Process
}

var _ blob.Store = (*client)(nil)

// Client is the store as one process reaches it.
func (s *Store) Client(p *sim.Process) blob.Store { return &client{s, p} }

var outcomes = simnet.Errors{Unavailable: blob.ErrUnavailable, Unknown: blob.ErrUnknown} //nolint:gochecknoglobals // a constant

// opError names the call and the key; the outcome is one of blob's errors.
type opError struct {
	op, store, key string
	err            error
}

func (e *opError) Error() string {
	return fmt.Sprintf("simblob: %s %s in %s: %v", e.op, e.key, e.store, e.err)
}
func (e *opError) Unwrap() error { return e.err }

func (c *client) failed(op, key string, err error) error {
	if err == nil {
		return nil
	}
	return &opError{op, c.store.endpoint, key, err}
}

// request is a call as it leaves the client; bytes are what it carries.
func (c *client) request(kind, key string, work sim.Latency, bytes int) simnet.Request {
	s := c.store
	return simnet.Request{
		Process: c.process, Server: s.endpoint, Kind: kind, Target: key, Errors: &outcomes,
		Work: work.Draw(s.net.Dice(c.process.Name())) + s.transfer(bytes),
	}
}

func (s *Store) transfer(bytes int) time.Duration { return time.Duration(bytes) * s.cfg.PerMiB >> 20 }

// PutIfAbsent creates the object unless one is there.
func (c *client) PutIfAbsent(ctx context.Context, key string, data []byte) (blob.Outcome, error) {
	s := c.store
	s.stats.Puts++
	s.stats.BytesIn += uint64(len(data))
	if err := blob.CheckKey(key); err != nil {
		return blob.Unknown, c.failed("create", key, err)
	}
	own := s.copies.of(data)
	outcome, err := change(ctx, c, "blob.put-if-absent", key, len(data), func() (blob.Outcome, error) {
		if there, found := s.Peek(key); found {
			if s.faults.FlipMet > 0 && bytes.Equal(there, own.data) {
				s.met[key] = true
			}
			return blob.Exists, nil
		}
		if s.creating[key] > 1 && s.hit("blob.conflict", s.faults.Conflict) {
			return blob.Unknown, blob.ErrUnknown
		}
		s.set(key, own, c.process.Name())
		return blob.Created, nil
	})
	if err != nil {
		return blob.Unknown, c.failed("create", key, err)
	}
	return outcome, nil
}

// Put creates or replaces the object.
func (c *client) Put(ctx context.Context, key string, data []byte) error {
	s := c.store
	s.stats.Puts++
	s.stats.BytesIn += uint64(len(data))
	if err := blob.CheckKey(key); err != nil {
		return c.failed("put", key, err)
	}
	own := s.copies.of(data)
	_, err := change(ctx, c, "blob.put", key, len(data), func() (blob.Outcome, error) {
		s.set(key, own, c.process.Name())
		return blob.Created, nil
	})
	return c.failed("put", key, err)
}

// Get reads a range of the object.
func (c *client) Get(ctx context.Context, key string, r blob.Range) ([]byte, error) {
	s := c.store
	s.stats.Gets++
	if err := blob.CheckKey(key); err != nil {
		return nil, c.failed("get", key, err)
	}
	req := c.request("blob.get", key, s.cfg.Read, 0)
	req.Refuse = s.refuses(c.process)
	data, err := simnet.Exchange(ctx, s.net, req, func() ([]byte, error) {
		data, there := s.Peek(key)
		if !there {
			return nil, blob.ErrNotFound
		}
		offset, length, err := r.Within(int64(len(data)))
		if err != nil {
			return nil, err
		}
		s.stats.BytesOut += uint64(length)
		return s.flip(key, data[offset:offset+length:offset+length]), nil
	})
	return data, c.failed("get", key, err)
}

// Head describes the object.
func (c *client) Head(ctx context.Context, key string) (blob.Info, error) {
	s := c.store
	s.stats.Heads++
	if err := blob.CheckKey(key); err != nil {
		return blob.Info{}, c.failed("head", key, err)
	}
	req := c.request("blob.head", key, s.cfg.Read, 0)
	req.Refuse = s.refuses(c.process)
	info, err := simnet.Exchange(ctx, s.net, req, func() (blob.Info, error) {
		o := s.objects[key]
		if o == nil {
			return blob.Info{}, blob.ErrNotFound
		}
		return blob.Info{Key: key, SizeBytes: int64(len(o.data)), Modified: o.modified}, nil
	})
	return info, c.failed("head", key, err)
}

// List describes objects in key order.
func (c *client) List(ctx context.Context, prefix, after string, limit int) ([]blob.Info, error) {
	s := c.store
	s.stats.Lists++
	if limit <= 0 {
		return nil, c.failed("list", prefix, blob.ErrInvalid)
	}
	req := c.request("blob.list", prefix, s.cfg.List, 0)
	req.Refuse = s.refuses(c.process)
	if slow, by := s.world.HitBy("blob.slow-list", s.endpoint, s.faults.SlowList, s.rng, s.faults.SlowListUpto); slow {
		req.Work += by
	}
	infos, err := simnet.Exchange(ctx, s.net, req, func() ([]blob.Info, error) { return s.list(prefix, after, limit), nil })
	return infos, c.failed("list", prefix, err)
}

// Delete removes objects.
func (c *client) Delete(ctx context.Context, keys ...string) error {
	s := c.store
	s.stats.Deletes++
	if len(keys) == 0 {
		return nil
	}
	for _, key := range keys {
		if err := blob.CheckKey(key); err != nil {
			return c.failed("delete", key, err)
		}
	}
	own := append([]string(nil), keys...)
	_, err := change(ctx, c, "blob.delete", keys[0], 0, func() (blob.Outcome, error) {
		for _, key := range own {
			s.remove(key, c.process.Name())
		}
		return blob.Created, nil
	})
	return c.failed("delete", keys[0], err)
}

// change carries a write: apply is the instant of its effect.
func change(
	ctx context.Context, c *client, kind, key string, bytes int, apply func() (blob.Outcome, error),
) (blob.Outcome, error) {
	s := c.store
	req := c.request(kind, key, s.cfg.Write, bytes)
	req.Write = true
	after := s.plan(&req)
	s.creating[key]++
	landed := func() {
		if s.creating[key]--; s.creating[key] == 0 {
			delete(s.creating, key)
		}
	}
	if req.LateBy > 0 {
		s.world.After(req.LateBy, landed) // it is under way when its sender has given it up
	} else {
		defer landed()
	}
	return simnet.Exchange(ctx, s.net, req, func() (blob.Outcome, error) {
		switch after {
		case errorBefore:
			return blob.Unknown, blob.ErrUnknown
		case errorAfter:
			_, _ = apply() // it happened; its answer is the error
			return blob.Unknown, blob.ErrUnknown
		default:
			return apply()
		}
	})
}
