package client

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/novastream/nova/io/peer"
)

// asked is a recorder whose client asked for the tails of streams with these keys.
func asked(t *testing.T, star peer.Star, keys ...string) (*Recorder, func() string) {
	t.Helper()
	r, out := newRecorder(t)
	for _, key := range keys {
		if _, err := r.Client(star).Tail(t.Context(), peer.StreamName{Bucket: "logs", Key: key}); err != nil {
			t.Fatal(err)
		}
	}
	return r, func() string { return strings.Join(lines(t, out), "\n") }
}

// TestFinishGoesOn where a call before it stopped, in the middle of a stream too, and reads nothing once all is read.
func TestFinishGoesOn(t *testing.T) {
	star := &script{records: make([]peer.Record, 3), least: true, reads: 3}
	for i := range star.records {
		star.records[i] = peer.Record{Seq: uint64(i), Body: []byte{byte(i)}}
	}
	r, text := asked(t, star, "a", "b")
	if err := r.Finish(t.Context(), star); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it was cut short by %v", err)
	}
	if got := strings.Count(text(), `"final"`); got != 2 {
		t.Errorf("%d finals are written before it was cut short, want 2", got)
	}
	star.reads = 0
	for range 2 {
		if err := r.Finish(t.Context(), star); err != nil {
			t.Error(err)
		}
		if got := strings.Count(text(), `"final"`); got != 6 { // lines has read the file: each stream's go on from 0
			t.Errorf("%d finals, want 6 in\n%s", got, text())
		}
	}
}

// TestFinishTriesEveryStream: one that is gone and one that nobody answers for are named, and the others are read.
func TestFinishTriesEveryStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		star := &script{records: []peer.Record{{Body: []byte("x")}}}
		r, text := asked(t, star, "a", "b", "c", "d")
		star.gone, star.dark = "a", "b"
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := r.Finish(ctx, star)
		if !errors.Is(err, context.DeadlineExceeded) || !peer.Is(err, peer.NotFound) {
			t.Errorf("it ended with %v", err)
		}
		for _, want := range []string{"read back stream logs/a: ", "read back stream logs/b: "} {
			if err == nil || strings.Count(err.Error(), want) != 1 || strings.Contains(err.Error(), "logs/c") {
				t.Errorf("%q once is not what it says: %v", want, err)
			}
		}
		if got := text(); !strings.Contains(got, `"final":"logs/c"`) || !strings.Contains(got, `"final":"logs/d"`) {
			t.Errorf("the others were not read:\n%s", got)
		}
	})
}

// TestFlush hands what was recorded to the file, without a Finish.
func TestFlush(t *testing.T) {
	r, text := asked(t, &script{}, "a")
	if err := r.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := text(); !strings.Contains(got, `"complete":"tail"`) {
		t.Errorf("the file has %q", got)
	}
}

// full is a file on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestFinishOfAFullDisk says so, and reads nothing back.
func TestFinishOfAFullDisk(t *testing.T) {
	r, err := NewRecorder(full{}, "a test")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = r.Client(&script{}).Tail(t.Context(), stream)
	for range 2 {
		if err := r.Finish(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("it ended with %v", err)
		}
	}
}
