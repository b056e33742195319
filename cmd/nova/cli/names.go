package cli

import (
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
