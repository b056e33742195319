package s3blob

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/novastream/nova/io/blob"
)

const listPage = 1000 // keys in one answer: S3's limit

// List describes objects in key order. What is no key of Nova's, such as the folder marks of consoles, is left out.
func (s *Store) List(ctx context.Context, prefix, after string, limit int) ([]blob.Info, error) {
	if limit <= 0 {
		return nil, fmt.Errorf("%w: limit %d", blob.ErrInvalid, limit)
	}
	request := &s3.ListObjectsV2Input{Bucket: &s.bucket, Prefix: aws.String(s.prefix + prefix)}
	if after != "" {
		request.StartAfter = aws.String(s.prefix + after)
	}
	l := listing{last: s.prefix + after, infos: []blob.Info{}}
	if after == "" {
		l.last = "" // a mark with the prefix's own name is the first of all
	}
	for {
		request.MaxKeys = aws.Int32(int32(min(limit-len(l.infos), listPage)))
		page, err := s.client.ListObjectsV2(ctx, request)
		if f := failed(ctx, err, true); f != nil {
			return nil, s.readError("list", prefix, f)
		}
		if aws.ToString(page.Name) == "" { // XML of any other kind would read as an empty listing
			return nil, s.readError("list", prefix, &failure{text: "what it answered is not S3's"})
		}
		more := aws.ToBool(page.IsTruncated)
		if err := l.add(s.prefix, page.Contents); err != nil {
			return nil, s.readError("list", prefix, &failure{text: err.Error()})
		}
		if len(l.infos) >= limit || !more {
			return l.infos[:min(limit, len(l.infos))], nil
		}
		if aws.ToString(page.NextContinuationToken) == "" {
			return nil, s.readError("list", prefix, &failure{text: "it says that there is more and not how to go on"})
		}
		request.ContinuationToken = page.NextContinuationToken
	}
}

// listing is the answer as far as it is known.
type listing struct {
	last  string // the last key, as the bucket has it
	infos []blob.Info
}

// add takes a page. Directory buckets list in no order, and would hide from Nova what it must find.
func (l *listing) add(prefix string, page []types.Object) error {
	for _, o := range page {
		full := aws.ToString(o.Key)
		key, ours := strings.CutPrefix(full, prefix)
		if !ours || full <= l.last {
			return fmt.Errorf("it lists %q after %q, and Nova relies on the order of keys", full, l.last)
		}
		l.last = full
		if blob.CheckKey(key) == nil {
			l.infos = append(l.infos, blob.Info{Key: key, SizeBytes: aws.ToInt64(o.Size), Modified: aws.ToTime(o.LastModified)})
		}
	}
	return nil
}
