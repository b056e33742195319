package s3blob

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/novastream/nova/io/blob"
)

const (
	conflictTries = 6    // of a create that meets other writes of its key
	deleteBatch   = 1000 // keys in one request: S3's limit
)

// PutIfAbsent creates an object.
func (s *Store) PutIfAbsent(ctx context.Context, key string, data []byte) (blob.Outcome, error) {
	full, err := s.full(key)
	if err != nil {
		return blob.Unknown, err
	}
	for try := 1; ; try++ {
		f := s.put(ctx, full, data, true)
		switch {
		case f == nil:
			return blob.Created, nil
		case f.status == http.StatusPreconditionFailed:
			return blob.Exists, nil
		case f.conflict() && try < conflictTries && s.again(ctx, try) == nil: // it had no effect: ask again
		default:
			return blob.Unknown, s.writeError("create", key, f)
		}
	}
}

// conflict says that S3 refused a create because of another write of the same key at the same time.
func (f *failure) conflict() bool {
	return f.status == http.StatusConflict && (f.code == "ConditionalRequestConflict" || f.code == "OperationAborted")
}

// Put creates or replaces an object.
func (s *Store) Put(ctx context.Context, key string, data []byte) error {
	full, err := s.full(key)
	if err != nil {
		return err
	}
	if f := s.put(ctx, full, data, false); f != nil {
		return s.writeError("put", key, f)
	}
	return nil
}

// put sends one request, once: what comes back is the answer to it.
func (s *Store) put(ctx context.Context, full string, data []byte, ifAbsent bool) *failure {
	if err := ctx.Err(); err != nil {
		return &failure{text: "the call had ended before it began", ended: err}
	}
	// The SDK lets go of the reader before it returns, even where the connection goes on sending.
	request := &s3.PutObjectInput{Bucket: &s.bucket, Key: &full, Body: bytes.NewReader(data)}
	if ifAbsent {
		request.IfNoneMatch = aws.String("*")
	}
	traced, left := trace(ctx)
	_, err := s.client.PutObject(traced, request, func(o *s3.Options) { o.Retryer = aws.NopRetryer{} })
	return failed(ctx, err, left.Load())
}

// trace tells whether the headers of a request were written. Without them all nobody can carry it out.
func trace(ctx context.Context) (traced context.Context, left *atomic.Bool) {
	left = new(atomic.Bool)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { left.Store(true) }}), left
}

// Delete removes objects.
func (s *Store) Delete(ctx context.Context, keys ...string) error {
	doomed := make([]types.ObjectIdentifier, 0, len(keys))
	for _, key := range keys {
		full, err := s.full(key)
		if err != nil {
			return err
		}
		doomed = append(doomed, types.ObjectIdentifier{Key: &full})
	}
	for begin := 0; begin < len(doomed); begin += deleteBatch {
		batch := doomed[begin:min(begin+deleteBatch, len(doomed))]
		if err := s.deleteBatch(ctx, keys[begin], batch); err != nil {
			return fmt.Errorf("%w, with %d of %d keys deleted before", err, begin, len(doomed))
		}
	}
	return nil
}

func (s *Store) deleteBatch(ctx context.Context, first string, batch []types.ObjectIdentifier) error {
	if err := ctx.Err(); err != nil {
		return s.writeError("delete", first, &failure{text: "the call had ended before it began", ended: err})
	}
	traced, left := trace(ctx)
	reply, err := s.client.DeleteObjects(traced, &s3.DeleteObjectsInput{
		Bucket: &s.bucket, Delete: &types.Delete{Objects: batch, Quiet: aws.Bool(true)},
	})
	if f := failed(ctx, err, left.Load()); f != nil {
		return s.writeError("delete", first, f)
	}
	for _, e := range reply.Errors {
		if code := aws.ToString(e.Code); code != "NoSuchKey" {
			return fmt.Errorf("%w: store %s: delete %s: %s: %s; %d of %d keys failed", blob.ErrUnknown, s.name,
				aws.ToString(e.Key), code, aws.ToString(e.Message), len(reply.Errors), len(batch))
		}
	}
	return nil
}
