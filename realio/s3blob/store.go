package s3blob

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/novastream/nova/io/blob"
)

// Store is an object store in a bucket. It is safe for any number of goroutines.
type Store struct {
	name   string // for errors
	bucket string
	prefix string // of all keys; empty, or ends with "/"
	client *s3.Client
	wire   transport
	pace   pace // of tries
}

var _ blob.Store = (*Store)(nil)

// Close closes the connections that are idle; no call may be under way.
func (s *Store) Close() error {
	s.wire.CloseIdleConnections()
	return nil
}

// full is a key as the bucket has it.
func (s *Store) full(key string) (string, error) {
	if err := blob.CheckKey(key); err != nil {
		return "", err
	}
	if full := s.prefix + key; len(full) <= blob.MaxKeyBytes {
		return full, nil
	}
	return "", fmt.Errorf("%w: key of %d bytes with the prefix %q before it: S3 allows %d in all",
		blob.ErrInvalid, len(key), s.prefix, blob.MaxKeyBytes)
}

// Get reads a range of an object.
func (s *Store) Get(ctx context.Context, key string, r blob.Range) ([]byte, error) {
	full, err := s.full(key)
	if err != nil {
		return nil, err
	}
	header, ok := r.Header()
	if !ok {
		return s.getNothing(ctx, key, r)
	}
	request := &s3.GetObjectInput{Bucket: &s.bucket, Key: &full}
	if header != "" {
		request.Range = &header
	}
	reply, err := s.client.GetObject(ctx, request)
	switch f := failed(ctx, err, true); {
	case f == nil:
	case f.status == http.StatusRequestedRangeNotSatisfiable && strings.HasPrefix(header, "bytes=-"):
		return s.getSuffix(ctx, key, r)
	case f.status == http.StatusRequestedRangeNotSatisfiable:
		return nil, fmt.Errorf("%w: %s of %s", blob.ErrRange, header, key)
	case f.code == "NoSuchKey":
		return nil, fmt.Errorf("%w: %s", blob.ErrNotFound, key)
	default:
		return nil, s.readError("read", key, f)
	}
	data, err := readBody(reply)
	if f := failed(ctx, err, true); f != nil {
		return nil, s.readError("read", key, f)
	}
	if header == "" || reply.ContentRange != nil {
		return data, nil
	}
	return cut(key, data, r) // it gave the whole object
}

// getSuffix reads the suffix of an object that is shorter. Some servers refuse that, and S3 does where it is empty.
func (s *Store) getSuffix(ctx context.Context, key string, r blob.Range) ([]byte, error) {
	data, err := s.Get(ctx, key, blob.All())
	if err != nil {
		return nil, err
	}
	return cut(key, data, r)
}

// cut is a range of a whole object.
func cut(key string, data []byte, r blob.Range) ([]byte, error) {
	offset, length, err := r.Within(int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("%w: %s has %d bytes", err, key, len(data))
	}
	return data[offset : offset+length], nil
}

// getNothing reads a range that no request can ask for.
func (s *Store) getNothing(ctx context.Context, key string, r blob.Range) ([]byte, error) {
	info, err := s.Head(ctx, key)
	if err != nil {
		return nil, err
	}
	if _, _, err := r.Within(info.SizeBytes); err != nil {
		return nil, fmt.Errorf("%w: %s has %d bytes", err, key, info.SizeBytes)
	}
	return []byte{}, nil
}

// readBody reads the whole of what was announced.
func readBody(reply *s3.GetObjectOutput) ([]byte, error) {
	defer reply.Body.Close() //nolint:errcheck // it was read to the end, or failed already
	if reply.ContentLength == nil {
		return io.ReadAll(reply.Body)
	}
	data := make([]byte, *reply.ContentLength)
	_, err := io.ReadFull(reply.Body, data)
	return data, err
}

// Head describes an object.
func (s *Store) Head(ctx context.Context, key string) (blob.Info, error) {
	full, err := s.full(key)
	if err != nil {
		return blob.Info{}, err
	}
	reply, err := s.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &s.bucket, Key: &full})
	f := failed(ctx, err, true)
	if f == nil {
		return blob.Info{Key: key, SizeBytes: aws.ToInt64(reply.ContentLength), Modified: aws.ToTime(reply.LastModified)}, nil
	}
	if f.status == http.StatusNotFound { // no word of S3 comes with it: the whole bucket may be gone
		_, err := s.client.HeadBucket(ctx, &s3.HeadBucketInput{Bucket: &s.bucket})
		if f = failed(ctx, err, true); f == nil {
			return blob.Info{}, fmt.Errorf("%w: %s", blob.ErrNotFound, key)
		}
	}
	return blob.Info{}, s.readError("describe", key, f)
}
