package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/history/record"
	"github.com/novastream/nova/io/peer"
)

// Recorder writes one history. Any goroutine may use its clients.
type Recorder struct {
	began time.Time

	mu      sync.Mutex
	out     *history.Writer
	clients history.Client
	streams map[peer.StreamName]bool
	counts  Counts
}

// Counts are how many operations ended in which way.
type Counts struct{ OK, Failed, Unknown int }

// NewRecorder begins a history. madeBy is for people.
func NewRecorder(out io.Writer, madeBy string) (*Recorder, error) {
	w, err := history.NewWriter(out, history.Header{Clock: "wall", MadeBy: madeBy})
	if err != nil {
		return nil, err
	}
	return &Recorder{began: time.Now(), out: w, streams: map[peer.StreamName]bool{}}, nil
}

// Client is a star of which everything that is asked about records is written down, as one client of the history. A program in
// which several read gives each a client of its own, over one Fleet that is not recorded itself.
func (r *Recorder) Client(star peer.Star) *Recorded {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clients++
	return &Recorded{Star: star, recorder: r, asks: record.NewClient(r.clients)}
}

// Counts are the operations that have ended so far.
func (r *Recorder) Counts() Counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counts
}

// Finish reads every stream back and ends the history. Nothing may be under way any more, or be asked after it: what was sent
// and has no outcome yet would stand behind what is read back. What it reads itself is not recorded.
func (r *Recorder) Finish(ctx context.Context, star peer.Star) error {
	for past, ok := star.(recording); ok; past, ok = star.(recording) {
		star = past.unrecorded()
	}
	r.mu.Lock()
	names := slices.Collect(maps.Keys(r.streams))
	r.mu.Unlock()
	slices.SortFunc(names, func(a, b peer.StreamName) int { return strings.Compare(a.String(), b.String()) })
	for _, name := range names {
		if err := r.readBack(ctx, star, name); err != nil {
			return fmt.Errorf("read back stream %s: %w", name, errors.Join(err, r.flush()))
		}
	}
	return r.flush()
}

// recording is a star that writes down what it is asked, or may.
type recording interface{ unrecorded() peer.Star }

func (r *Recorder) flush() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.Flush()
}

func (r *Recorder) readBack(ctx context.Context, star peer.Star, name peer.StreamName) error {
	for next := uint64(0); ; {
		reply, err := star.Fetch(ctx, peer.FetchRequest{Stream: name, From: next, Linearizable: true})
		if err != nil {
			return err
		}
		r.mu.Lock()
		r.out.Final(history.Final{At: r.now(), Stream: name.String(), First: history.Seq(next), Hashes: record.HashesOf(reply.Records)})
		r.mu.Unlock()
		if next = reply.Next; reply.AtTail {
			return nil
		}
	}
}

func (r *Recorder) now() int64 { return int64(time.Since(r.began)) }
