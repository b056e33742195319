package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/novastream/nova/io/peer"
)

// streamName takes "bucket/key" apart: the bucket ends at the first "/", and the key may hold more of them.
func streamName(text string) (peer.StreamName, error) {
	bucket, key, ok := strings.Cut(text, "/")
	if !ok || bucket == "" || key == "" {
		return peer.StreamName{}, usagef("logs/app, for the stream app of the bucket logs", "%q is no stream: write BUCKET/KEY", text)
	}
	return peer.StreamName{Bucket: bucket, Key: key}, nil
}

// modeOf and classOf read what views show.
func modeOf(text string) (peer.Mode, error) {
	for _, m := range []peer.Mode{peer.ModeAny, peer.ModeFenced} {
		if m.String() == text {
			return m, nil
		}
	}
	if text == "" {
		return peer.ModeDefault, nil
	}
	return 0, usagef("--mode any, or --mode fenced", "mode %q is unknown", text)
}

func classOf(text string) (peer.Class, error) {
	for _, c := range []peer.Class{peer.ClassStandard, peer.ClassExpress} {
		if c.String() == text {
			return c, nil
		}
	}
	if text == "" {
		return peer.ClassDefault, nil
	}
	return 0, usagef("--class standard, or --class express", "class %q is unknown", text)
}

// missing makes of "no such stream" what is missing in truth: a stream cannot be where its bucket is not.
func (a *app) missing(ctx context.Context, fleet peer.Star, name peer.StreamName, err error) error {
	if !peer.Is(err, peer.NotFound) {
		return err
	}
	ctx, cancel := a.answer(ctx)
	defer cancel()
	if _, bucket := fleet.DescribeBucket(ctx, name.Bucket); peer.Is(bucket, peer.NotFound) {
		return bucket
	}
	return err
}

// streamMissing is what to try where a stream is not there, or its bucket is not.
func streamMissing(name peer.StreamName, err error) string {
	var call *peer.Error
	if errors.As(err, &call) && call.What == "bucket "+name.Bucket {
		return "nova bucket create " + name.Bucket + ", or nova bucket ls to see the buckets there are"
	}
	if call != nil && call.Try != "" {
		return call.Try
	}
	return "nova stream create " + name.String()
}
