package record

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/novastream/nova/history"
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

// New begins a history. madeBy is for people.
func New(out io.Writer, madeBy string) (*Recorder, error) {
	w, err := history.NewWriter(out, history.Header{Clock: "wall", MadeBy: madeBy})
	if err != nil {
		return nil, err
	}
	return &Recorder{began: time.Now(), out: w, streams: map[peer.StreamName]bool{}}, nil
}

// Client is a star of which everything that is asked about records is written down, as one client of the history.
func (r *Recorder) Client(star peer.Star) *Client {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clients++
	return &Client{Star: star, recorder: r, id: r.clients}
}

// Counts are the operations that have ended so far.
func (r *Recorder) Counts() Counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counts
}

// Finish reads every stream back and ends the history. Nothing may be under way any more, or be asked after it: what was sent
// and has no outcome yet would stand behind what is read back.
func (r *Recorder) Finish(ctx context.Context, star peer.Star) error {
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
		r.out.Final(history.Final{At: r.now(), Stream: name.String(), First: history.Seq(next), Hashes: hashesOf(reply.Records)})
		r.mu.Unlock()
		if next = reply.Next; reply.AtTail {
			return nil
		}
	}
}

func (r *Recorder) now() int64 { return int64(time.Since(r.began)) }

// op is an operation under way.
type op struct {
	recorder *Recorder
	client   history.Client
	id       history.OpID
	kind     history.Kind
	match    bool
}

// invoke writes the start of an operation.
func (c *Client) invoke(stream peer.StreamName, in history.Invoke) op {
	r := c.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	c.last++
	in.At, in.Client, in.Op, in.Stream = r.now(), c.id, c.last, stream.String()
	r.streams[stream] = true
	r.out.Invoke(in)
	return op{r, c.id, c.last, in.Kind, in.Match != nil}
}

// done writes the end of an operation.
func (o op) done(end history.Complete) {
	r := o.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	end.At, end.Client, end.Op, end.Kind = r.now(), o.client, o.id, o.kind
	r.out.Complete(end)
	switch end.Outcome {
	case history.OK:
		r.counts.OK++
	case history.Failed:
		r.counts.Failed++
	case history.Unknown:
		r.counts.Unknown++
	}
}

// refused writes that an operation ended with an error: it failed where the error is definite, else nobody knows.
func (o op) refused(err error) {
	var e *peer.Error
	if !errors.As(err, &e) || !e.Code.Definite() {
		o.done(history.Complete{Outcome: history.Unknown, Code: peer.CodeOf(err).String()})
		return
	}
	end := history.Complete{Outcome: history.Failed, Code: e.Code.String()}
	switch {
	case e.Code == peer.MatchFailed && o.match:
		end.Tail = history.Seq(e.Tail)
	case e.Code == peer.MatchFailed:
		end.Code = "expected-elsewhere" // the client set the expected seq, not the caller
	case e.Code == peer.Fenced && (o.kind == history.Append || o.kind == history.Open):
		end.Token = history.Token(e.Token)
	case e.Code == peer.Fenced:
		end.Code = "refused"
	}
	o.done(end)
}

// hashesOf stand for records, headers and all.
func hashesOf(records []peer.Record) []history.Hash {
	hashes := make([]history.Hash, len(records))
	for i, r := range records {
		seed := uint64(len(r.Body))
		if len(r.Headers) > 0 {
			var all []byte
			for _, h := range r.Headers {
				all = binary.AppendUvarint(all, uint64(len(h.Name)))
				all = append(all, h.Name...)
				all = binary.AppendUvarint(all, uint64(len(h.Value)))
				all = append(all, h.Value...)
			}
			seed = xxh3.Hash(all)
		}
		hashes[i] = history.Hash(xxh3.HashSeed(r.Body, seed))
	}
	return hashes
}
