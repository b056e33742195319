package oxiameta

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"google.golang.org/grpc"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// query asks one server about one shard.
type query[T any] func(ctx context.Context, srv *server, shard int64) (T, error)

// readAt reads from the shard that a route leads to.
func readAt[T any](ctx context.Context, v view, at uint32, ask query[T]) (T, error) {
	caller := ctx
	ctx, cancel := v.timeout(ctx)
	defer cancel()
	for {
		s, err := v.space.shardAt(ctx, at)
		if err == nil {
			var found T
			found, err = askShard(ctx, s, v.fresh, ask)
			if err == nil {
				return found, nil
			}
		}
		if !errors.Is(err, errGone) {
			var none T
			return none, readEnded(caller, err)
		}
	}
}

// readAll reads from all shards at once: a range without a locality sees the records of all.
func readAll[T any](ctx context.Context, v view, ask query[T]) ([]T, error) {
	caller := ctx
	ctx, cancel := v.timeout(ctx)
	defer cancel()
	for {
		shards, err := v.space.shards(ctx)
		if err != nil {
			return nil, readEnded(caller, err)
		}
		found, errs := make([]T, len(shards)), make([]error, len(shards))
		var asking sync.WaitGroup
		for i, s := range shards {
			asking.Go(func() { found[i], errs[i] = askShard(ctx, s, v.fresh, ask) })
		}
		asking.Wait()
		err = errors.Join(errs...)
		switch {
		case err == nil:
			return found, nil
		case !errors.Is(err, errGone) || ctx.Err() != nil:
			return nil, readEnded(caller, err)
		}
	}
}

// readRange reads from the shard of the view's locality, or from all.
func readRange[T any](ctx context.Context, v view, ask query[T]) ([]T, error) {
	if v.locality == nil {
		return readAll(ctx, v, ask)
	}
	found, err := readAt(ctx, v, route(*v.locality), ask)
	if err != nil {
		return nil, err
	}
	return []T{found}, nil
}

// askShard asks whoever leads a shard until there is an answer that counts.
func askShard[T any](ctx context.Context, s *shard, fresh bool, ask query[T]) (found T, err error) {
	for {
		t, err := s.reader(ctx, fresh)
		if err != nil {
			return found, err
		}
		trying, cancel := s.attempt(ctx)
		found, err = ask(trying, t.server, s.id)
		cancel()
		if err == nil {
			s.succeeded()
			return found, nil
		}
		if ctx.Err() != nil {
			return found, fmt.Errorf("%s at %s: %w", s, t.addr, errors.Join(context.Cause(ctx), err))
		}
		f := classify(err)
		s.failed(t, f)
		if f.kind != again {
			return found, fmt.Errorf("%s at %s: %w", s, t.addr, err)
		}
	}
}

// reader is the server to read from. For a fresh read it is one that has acknowledged a write since the read began: its
// records then hold all that was acknowledged before. A leader that was deposed and does not know it acknowledges nothing.
func (s *shard) reader(ctx context.Context, fresh bool) (turn, error) {
	if !fresh {
		return s.turn(ctx)
	}
	x := newWrite(&write{pinned: true})
	if err := s.writer.submit(x); err != nil {
		return turn{}, err
	}
	o := x.wait(ctx)
	if o.err != nil {
		return turn{}, o.err
	}
	return s.turnAt(o.server), nil
}

// collect reads the frames of an answer to their end, or until enough says so.
func collect[M, T any](stream grpc.ServerStreamingClient[M], items func(*M) []T, enough func(int) bool) (all []T, err error) {
	for {
		frame, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if all = append(all, items(frame)...); enough(len(all)) {
			return all, nil
		}
	}
}

// readGets asks for several records; one answer for each.
func readGets(ctx context.Context, srv *server, req *oxiav1.ReadRequest) ([]*oxiav1.GetResponse, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := srv.rpc.Read(ctx, req)
	if err != nil {
		return nil, err
	}
	found, err := collect(stream, (*oxiav1.ReadResponse).GetGets, func(int) bool { return false })
	if err == nil && len(found) != len(req.GetGets()) {
		err = errAnswer
	}
	return found, err
}

// readSpan reads up to limit records of a range.
func readSpan(ctx context.Context, srv *server, req *oxiav1.RangeScanRequest, limit int) ([]*oxiav1.GetResponse, error) {
	ctx, cancel := context.WithCancel(ctx) // which stops the server early
	defer cancel()
	stream, err := srv.rpc.RangeScan(ctx, req)
	if err != nil {
		return nil, err
	}
	found, err := collect(stream, (*oxiav1.RangeScanResponse).GetRecords, func(n int) bool { return n >= limit })
	if err != nil {
		return nil, err
	}
	return found[:min(limit, len(found))], nil
}

// record is a record as callers see it.
func record(key string, r *oxiav1.GetResponse) meta.Record {
	v := r.GetVersion()
	return meta.Record{
		Key: key, Value: r.GetValue(), Version: meta.Version(v.GetVersionId()),
		Created: time.UnixMilli(int64(v.GetCreatedTimestamp())), Modified: time.UnixMilli(int64(v.GetModifiedTimestamp())),
	}
}

func found(r *oxiav1.GetResponse) bool { return r.GetStatus() == oxiav1.Status_STATUS_OK }
