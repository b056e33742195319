package oxiameta

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// view is a space as some caller looks at it. The two key orders have their own types above it.
type view struct {
	space    *space
	locality *string // nil where keys route by themselves
	fresh    bool
}

func (v view) route(key string) uint32 {
	if v.locality != nil {
		key = *v.locality
	}
	return route(key)
}

func (v view) check(key string) error {
	if v.locality != nil {
		if err := checkText(*v.locality); err != nil {
			return err
		}
	}
	if v.space.natural {
		return checkNatural(key)
	}
	return checkKey(key)
}

func (v view) timeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, v.space.client.cfg.RequestTimeout, errTimeout)
}

// Get reads one record.
func (v view) Get(ctx context.Context, key string) (meta.Record, error) {
	if err := v.check(key); err != nil {
		return meta.Record{}, err
	}
	answer, err := readAt(ctx, v, v.route(key), oneGet(&oxiav1.GetRequest{Key: key, IncludeValue: true}))
	if err != nil {
		return meta.Record{}, opError("get", key, err)
	}
	if !found(answer) {
		return meta.Record{}, notFound(key)
	}
	return record(key, answer), nil
}

func oneGet(get *oxiav1.GetRequest) query[*oxiav1.GetResponse] {
	return func(ctx context.Context, srv *server, shard int64) (*oxiav1.GetResponse, error) {
		answers, err := readGets(ctx, srv, &oxiav1.ReadRequest{Shard: proto.Int64(shard), Gets: []*oxiav1.GetRequest{get}})
		if err != nil {
			return nil, err
		}
		return answers[0], nil
	}
}

// span asks for records of a range, of keys or of an index.
func span(start, end string, index *string, limit int) query[[]*oxiav1.GetResponse] {
	return func(ctx context.Context, srv *server, shard int64) ([]*oxiav1.GetResponse, error) {
		return readSpan(ctx, srv, &oxiav1.RangeScanRequest{
			Shard: proto.Int64(shard), StartInclusive: start, EndExclusive: end, SecondaryIndexName: index,
		}, limit)
	}
}

// scan reads up to limit records of a range of keys that all have the same number of slashes, or of a natural space: there
// both orders are bytewise but for slashes at the same places.
func (v view) scan(ctx context.Context, start, end string, limit int) ([]meta.Record, error) {
	parts, err := readRange(ctx, v, span(start, end, nil, limit))
	if err != nil {
		return nil, opError("scan from", start, err)
	}
	var all []meta.Record
	for _, part := range parts {
		for _, r := range part {
			all = append(all, record(r.GetKey(), r))
		}
	}
	slices.SortStableFunc(all, func(a, b meta.Record) int { return strings.Compare(a.Key, b.Key) })
	return all[:min(limit, len(all))], nil
}

// Put writes one record and drops any indexes it had.
func (v view) Put(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error) {
	return v.PutIndexed(ctx, key, value, expect, nil)
}

// PutIndexed writes one record with its secondary keys.
func (v view) PutIndexed(ctx context.Context, key string, value []byte, expect meta.Expect, indexes []meta.Index) (meta.Version, error) {
	put, err := v.newPut(key, value, expect, indexes)
	if err != nil {
		return 0, err
	}
	ctx, cancel := v.timeout(ctx)
	defer cancel()
	o := v.write(ctx, &write{route: v.route(key), put: put})
	return o.version, opError("put", key, o.err)
}

// newPut checks and makes the request of a put.
func (v view) newPut(key string, value []byte, e meta.Expect, indexes []meta.Index) (*oxiav1.PutRequest, error) {
	if err := errors.Join(v.check(key), checkValue(key, value), checkIndexes(indexes)); err != nil {
		return nil, err
	}
	put := &oxiav1.PutRequest{
		Key: key, Value: slices.Clone(value), // the caller may leave while the write is on its way
		ExpectedVersionId: expect(e), PartitionKey: v.locality, ClientIdentity: proto.String(v.space.client.mark(indexes)),
	}
	for _, x := range indexes {
		put.SecondaryIndexes = append(put.SecondaryIndexes, &oxiav1.SecondaryIndex{IndexName: x.Name, SecondaryKey: escape(x.Key)})
	}
	if size := proto.Size(put); size > maxWriteBytes {
		return nil, invalid("put of %.80q has %d bytes with its indexes, at most %d fit", key, size, maxWriteBytes)
	}
	return put, nil
}

// Delete removes one record.
func (v view) Delete(ctx context.Context, key string, e meta.Expect) error {
	if err := v.check(key); err != nil {
		return err
	}
	ctx, cancel := v.timeout(ctx)
	defer cancel()
	del := &oxiav1.DeleteRequest{Key: key, ExpectedVersionId: expect(e), PartitionKey: v.locality}
	return opError("delete", key, v.write(ctx, &write{route: v.route(key), del: del}).err)
}

// write carries a write to the shard that it routes to.
func (v view) write(ctx context.Context, x *write) outcome {
	if err := context.Cause(ctx); err != nil {
		return outcome{err: unavailable(err)}
	}
	newWrite(x)
	for {
		s, err := v.space.shardAt(ctx, x.route)
		if err != nil {
			return outcome{err: unavailable(err)}
		}
		err = s.writer.submit(x)
		if err == nil {
			return x.wait(ctx)
		}
		if !errors.Is(err, errGone) {
			return outcome{err: unavailable(err)}
		}
	}
}

// deleteSpan removes the records of a range: on the shard of the view's locality in one step, otherwise on every shard.
func (v view) deleteSpan(ctx context.Context, start, end string) error {
	ctx, cancel := v.timeout(ctx)
	defer cancel()
	request := &oxiav1.DeleteRangeRequest{StartInclusive: start, EndExclusive: end}
	if v.locality != nil {
		return v.write(ctx, &write{route: route(*v.locality), span: request}).err
	}
	for {
		shards, err := v.space.shards(ctx)
		if err != nil {
			return unavailable(err)
		}
		errs := make([]error, len(shards))
		var writing sync.WaitGroup
		for i, s := range shards {
			writing.Go(func() {
				x := newWrite(&write{span: request, pinned: true})
				if errs[i] = s.writer.submit(x); errs[i] == nil {
					errs[i] = x.wait(ctx).err
				}
			})
		}
		writing.Wait()
		err = errors.Join(errs...)
		if !errors.Is(err, errGone) || ctx.Err() != nil {
			return partly(errs)
		}
	}
}

// partly is the outcome of writes of which each stands for itself: unknown, where some may have happened and some not.
func partly(errs []error) error {
	err, happened := errors.Join(errs...), false
	for _, one := range errs {
		happened = happened || one == nil || errors.Is(one, meta.ErrUnknown)
	}
	switch {
	case err == nil:
		return nil
	case happened && !errors.Is(err, meta.ErrUnknown):
		return unknown(errors.New(err.Error())) // some part has happened: it is not unavailable as a whole
	default:
		return err
	}
}

// opError says which call an error is of.
func opError(op, key string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("oxia: %s %.200q: %w", op, key, err)
}

func notFound(what string) error { return fmt.Errorf("%w: %q", meta.ErrNotFound, what) }
