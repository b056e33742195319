package directory

import (
	"context"
	"errors"
	"time"

	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
)

// maxPage is the most that one page of a listing holds.
const maxPage = 1000

func pageLimit(limit int) int {
	if limit <= 0 || limit > maxPage {
		return maxPage
	}
	return limit
}

// CreateBucket creates a bucket. peer.AlreadyExists, peer.Invalid. A create whose outcome is unknown is resolved by
// reading: a bucket with this very stamp and settings is ours.
func CreateBucket(ctx context.Context, e env.Env, bucket peer.Bucket) (peer.Bucket, error) {
	if err := keys.CheckBucket(bucket.Name); err != nil {
		return bucket, invalid(err)
	}
	value := &records.Bucket{
		Name: bucket.Name, Mode: modeOr(bucket.Mode, records.Mode_MODE_ANY), Class: classOr(bucket.Class, records.Class_CLASS_STANDARD),
		CreateOnOpen: bucket.CreateOnOpen, CreatedUs: e.Run.Now().UnixMicro(),
	}
	_, err := e.Meta.Naming.Put(ctx, keys.BucketRow(bucket.Name), records.Encode(value), meta.Absent())
	if err == nil {
		return bucketOf(value), nil
	}
	if !errors.Is(err, meta.ErrConflict) && !errors.Is(err, meta.ErrUnknown) {
		return bucket, err
	}
	now, found, readErr := readBucket(ctx, e.Meta.Naming.Fresh(), bucket.Name)
	switch {
	case readErr != nil:
		return bucket, readErr
	case !found:
		return bucket, err // unknown, and not there yet
	case errors.Is(err, meta.ErrUnknown) && now.GetCreatedUs() == value.GetCreatedUs():
		return bucketOf(now), nil
	}
	return bucketOf(now), &peer.Error{
		Code: peer.AlreadyExists, What: "bucket " + bucket.Name, Reason: "the name is taken",
		Try: "nova bucket info " + bucket.Name,
	}
}

// DescribeBucket reads a bucket. peer.NotFound.
func DescribeBucket(ctx context.Context, naming meta.Naming, name string) (peer.Bucket, error) {
	if err := keys.CheckBucket(name); err != nil {
		return peer.Bucket{}, invalid(err)
	}
	for _, view := range []meta.Naming{naming, naming.Fresh()} { // absence is judged on a fresh read
		value, found, err := readBucket(ctx, view, name)
		if err != nil || found {
			return bucketOf(value), err
		}
	}
	return peer.Bucket{}, &peer.Error{Code: peer.NotFound, What: "bucket " + name, Reason: "it does not exist", Try: "nova bucket create " + name}
}

// ListBuckets reads a page of buckets in name order.
func ListBuckets(ctx context.Context, naming meta.Naming, page peer.Page) ([]peer.Bucket, error) {
	after := ""
	if page.After != "" {
		after = keys.BucketRow(page.After)
	}
	rows, err := naming.List(ctx, keys.BucketsPrefix(page.Prefix), after, pageLimit(page.Limit))
	if err != nil {
		return nil, err
	}
	buckets := make([]peer.Bucket, len(rows))
	for i, row := range rows {
		value := &records.Bucket{}
		if err := records.Decode(row.Key, row.Value, value); err != nil {
			return nil, err
		}
		buckets[i] = bucketOf(value)
	}
	return buckets, nil
}

func readBucket(ctx context.Context, naming meta.Naming, name string) (*records.Bucket, bool, error) {
	rec, err := naming.Get(ctx, keys.BucketRow(name))
	if errors.Is(err, meta.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	value := &records.Bucket{}
	return value, true, records.Decode(rec.Key, rec.Value, value)
}

func bucketOf(b *records.Bucket) peer.Bucket {
	return peer.Bucket{
		Name: b.GetName(), Mode: peer.Mode(b.GetMode()), Class: peer.Class(b.GetClass()),
		CreateOnOpen: b.GetCreateOnOpen(), Created: time.UnixMicro(b.GetCreatedUs()).UTC(),
	}
}

func modeOr(m peer.Mode, otherwise records.Mode) records.Mode {
	if m == peer.ModeDefault {
		return otherwise
	}
	return records.Mode(m)
}

func classOr(c peer.Class, otherwise records.Class) records.Class {
	if c == peer.ClassDefault {
		return otherwise
	}
	return records.Class(c)
}
