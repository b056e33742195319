package client

import (
	"io"
	"sync"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/history/record"
	"github.com/novastream/nova/io/peer"
)

// Recorder writes one history, until Finish has succeeded: what its clients are asked after that is not recorded. Any goroutine
// may use them. What it writes is buffered: a program that ends without Finish
// calls Flush, and one that is killed leaves what was handed to the file by then, perhaps with a torn last line.
type Recorder struct {
	began time.Time

	mu      sync.Mutex
	out     *history.Writer
	clients history.Client
	streams map[peer.StreamName]*contents
	counts  Counts
	ended   bool // Finish has succeeded
}

// contents are those of a stream, as far as they were read back. They are written when they are whole, at once: parts alone
// would be taken for all there is.
type contents struct {
	progress
	hashes []history.Hash
	events uint64 // recorded of the stream
	told   bool   // an answer told of what is in it
}

// progress is how far a stream was read back.
type progress struct {
	next  uint64 // seq that is read next
	whole bool   // all of it is written, and nothing more of the stream is
}

// Counts are how many operations ended in which way.
type Counts struct{ OK, Failed, Unknown int }

// NewRecorder begins a history. madeBy is for people.
func NewRecorder(out io.Writer, madeBy string) (*Recorder, error) {
	w, err := history.NewWriter(out, history.Header{Clock: "wall", MadeBy: madeBy})
	if err != nil {
		return nil, err
	}
	return &Recorder{began: time.Now(), out: w, streams: map[peer.StreamName]*contents{}}, nil
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

// Flush hands everything recorded so far to the file. The error is the file's, and stays.
func (r *Recorder) Flush() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.Flush()
}

func (r *Recorder) now() int64 { return int64(time.Since(r.began)) }
