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

// CreateStream creates a stream in an existing bucket, with the bucket's defaults where the request names none.
// peer.AlreadyExists, peer.NotFound (the bucket), peer.Invalid. An unknown outcome is resolved by reading: the id is ours.
func CreateStream(ctx context.Context, e env.Env, req peer.CreateStreamRequest) (Descriptor, error) {
	d, found, err := Read(ctx, e.Meta.Naming.Fresh(), req.Stream) // a name that was freed is free
	if err != nil {
		return d, err
	}
	bucket, err := DescribeBucket(ctx, e.Meta.Naming, req.Stream.Bucket)
	if err != nil {
		return d, err
	}
	if found && !d.Value.GetTombstone() {
		return d, taken(req.Stream)
	}
	mode, class := modeOr(req.Mode, records.Mode(bucket.Mode)), classOr(req.Class, records.Class(bucket.Class))
	id, now := newStreamID(e.Run), e.Run.Now().UnixMicro()
	expect := meta.Absent()
	if found {
		d.Value.Replace(id, mode, class, now)
		expect = meta.At(d.Version)
	} else {
		d.Value = &records.Stream{Id: id, Bucket: req.Stream.Bucket, Key: req.Stream.Key, Mode: mode, Class: class, CreatedUs: now}
	}
	d.ID = keys.StreamID(id)
	d.Version, err = Put(ctx, e.Meta.Naming, d.Value, expect)
	if !errors.Is(err, meta.ErrConflict) && !errors.Is(err, meta.ErrUnknown) {
		return d, err
	}
	d, found, readErr := Read(ctx, e.Meta.Naming.Fresh(), req.Stream)
	switch {
	case readErr != nil:
		return d, readErr
	case found && string(d.ID) == id:
		return d, nil
	case found && !d.Value.GetTombstone():
		return d, taken(req.Stream)
	default:
		return d, err // unknown and not there yet, or deleted again
	}
}

func taken(name peer.StreamName) *peer.Error {
	return &peer.Error{Code: peer.AlreadyExists, What: "stream " + name.String(), Reason: "the name is taken", Try: "nova stream info " + name.String()}
}

// ListStreams reads a page of a bucket's streams in key order, tombstones left out.
func ListStreams(ctx context.Context, naming meta.Naming, bucket string, page peer.Page) ([]peer.Stream, error) {
	if _, err := DescribeBucket(ctx, naming, bucket); err != nil {
		return nil, err
	}
	after, limit := "", pageLimit(page.Limit)
	if page.After != "" {
		after = keys.StreamRow(bucket, page.After)
	}
	streams := []peer.Stream{}
	for len(streams) < limit {
		rows, err := naming.List(ctx, keys.StreamsPrefix(bucket, page.Prefix), after, limit-len(streams))
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			break
		}
		for _, row := range rows {
			value := &records.Stream{}
			if err := records.Decode(row.Key, row.Value, value); err != nil {
				return nil, err
			}
			if !value.GetTombstone() {
				streams = append(streams, StreamOf(value))
			}
		}
		after = rows[len(rows)-1].Key
	}
	return streams, nil
}

// StreamOf is the descriptor as the API shows it.
func StreamOf(s *records.Stream) peer.Stream {
	return peer.Stream{
		Name: peer.StreamName{Bucket: s.GetBucket(), Key: s.GetKey()}, ID: s.GetId(),
		Mode: peer.Mode(s.GetMode()), Class: peer.Class(s.GetClass()), Created: time.UnixMicro(s.GetCreatedUs()).UTC(),
	}
}
