package cli

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/novastream/nova/cmd/nova/output"
	"github.com/novastream/nova/io/peer"
)

// load is a bench under way.
type load struct {
	*benching
	fleet   peer.Star
	history *benchHistory // nil: nothing is written down
	streams []peer.StreamName

	began   time.Time
	ended   time.Time
	made    atomic.Uint64 // batches, so that each record differs
	records atomic.Uint64 // acknowledged
	failed  atomic.Uint64 // batches that are not in their stream
	unknown atomic.Uint64 // batches of which nobody knows
	reads   atomic.Uint64
	reopens atomic.Uint64
	refused atomic.Pointer[error] // what a producer met last
	appends latencies
	fetches latencies
}

// How long producers wait before they open again, and for their last outcomes; and how often what is recorded is written.
const (
	reopenPause = 100 * time.Millisecond
	lastAnswers = 15 * time.Second
	flushEvery  = time.Second // the history, so that an output that fails is found
)

// run lets everybody work until the time is up or ctx ends, and waits for the last answers, unless it is interrupted again.
func (l *load) run(ctx context.Context, again <-chan struct{}) error {
	l.began = time.Now()
	working, cancel := context.WithTimeout(ctx, l.duration)
	defer cancel()
	answers, enough := afterwards(ctx, again)
	defer enough()
	var all sync.WaitGroup
	for i := range l.producers {
		star := l.history.client(l.fleet)
		all.Go(func() { l.produce(working, answers, star, l.streams[i%len(l.streams)]) })
	}
	for i := range l.readers {
		star := l.history.client(l.fleet)
		all.Go(func() { l.read(working, star, i) })
	}
	l.work(working, cancel)
	l.ended = time.Now()
	patience := time.AfterFunc(l.patience, enough)
	all.Wait()
	patience.Stop()
	if ctx.Err() == nil && l.records.Load() == 0 && l.history.flush() == nil {
		return l.nothing()
	}
	return ctx.Err()
}

// work waits until ctx ends, and ends it where the history cannot be written any more.
func (l *load) work(ctx context.Context, end func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(flushEvery):
		}
		if l.history.flush() != nil {
			end()
			return
		}
	}
}

// interrupted says that the load was ended before its time, and what would cost the history that is there.
func (l *load) interrupted() error {
	stopped := &stoppedError{
		text: fmt.Sprintf("the load on bucket %s was interrupted after %v of %v", l.bucket, l.ended.Sub(l.began).Round(time.Millisecond), l.duration),
		try:  "the same command again, for the whole time",
	}
	switch {
	case l.history == nil || l.history.inStdout:
	case l.history.flush() != nil:
		stopped.try = "the same command again, with --record of a file that can be written to"
	default:
		stopped.try = fmt.Sprintf("novasim check %s for what was recorded until then; another run replaces it, unless --record names another file", l.history.path)
	}
	return stopped
}

// nothing says why no record was acknowledged.
func (l *load) nothing() error {
	if why := l.refused.Load(); why != nil {
		return &taskError{doing: "have one record acknowledged in " + l.duration.String(), err: *why}
	}
	return &peer.Error{
		Code: peer.Retry, What: "bucket " + l.bucket, Reason: "no record was acknowledged in " + l.duration.String(),
		Try: "a longer --duration, or fewer --producers",
	}
}

// met keeps what a producer met, unless the time was up.
func (l *load) met(ctx context.Context, err error) {
	if ctx.Err() == nil {
		l.refused.Store(&err)
	}
}

// produce appends to a stream until ctx ends, with one session after another. Answers are waited for until answers does.
func (l *load) produce(ctx, answers context.Context, star peer.Star, stream peer.StreamName) {
	for first := true; ctx.Err() == nil; first = false {
		if !first {
			l.reopens.Add(1)
			pause(ctx, reopenPause)
		}
		session, err := star.OpenSession(ctx, peer.OpenRequest{Stream: stream})
		if err != nil {
			l.met(ctx, err)
			continue
		}
		l.session(ctx, answers, session)
	}
}

// pause waits, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// session appends through one session until it breaks or the time is up. What was sent is waited for.
func (l *load) session(ctx, answers context.Context, s peer.Session) {
	answering, cancel := context.WithCancel(answers)
	defer cancel()
	sent := make(chan time.Time, l.underWay)
	var hearing sync.WaitGroup
	hearing.Go(func() {
		defer cancel() // nothing more is to be sent
		l.hear(answering, s, sent)
	})
	for ctx.Err() == nil && answering.Err() == nil {
		select {
		case sent <- time.Now():
		case <-answering.Done():
			continue
		case <-ctx.Done():
			continue
		}
		if err := s.Send(answering, l.makeBatch()); err != nil {
			l.met(answering, err)
			break
		}
	}
	close(sent)
	hearing.Wait()
	closing, cancelClosing := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancelClosing()
	_ = s.Close(closing) // where it does not arrive, the star finds out by itself
}

// hear takes the outcome of each batch that was sent.
func (l *load) hear(ctx context.Context, s peer.Session, sent <-chan time.Time) {
	for at := range sent {
		ack, err := s.Recv(ctx)
		switch {
		case err != nil:
			l.met(ctx, err)
			l.unknown.Add(1)
			for range sent {
				l.unknown.Add(1)
			}
			return
		case ack.Err == nil:
			l.records.Add(uint64(l.batch))
			l.appends.add(time.Since(at))
		case ack.Err.Code.Definite():
			l.met(ctx, ack.Err)
			l.failed.Add(1)
		default:
			l.met(ctx, ack.Err)
			l.unknown.Add(1)
		}
	}
}

// makeBatch makes records that differ from all others.
func (l *load) makeBatch() peer.Batch {
	b := peer.Batch{Records: make([]peer.Record, l.batch)}
	n := l.made.Add(1)
	for i := range b.Records {
		body := make([]byte, l.size)
		binary.BigEndian.PutUint64(body, n)
		binary.BigEndian.PutUint64(body[8:], uint64(i))
		for at := 16; at+8 <= len(body); at += 8 {
			binary.LittleEndian.PutUint64(body[at:], rand.Uint64()) // does not compress
		}
		b.Records[i].Body = body
	}
	return b
}

// read follows the streams in turn, and asks for a tail now and then.
func (l *load) read(ctx context.Context, star peer.Star, turn int) {
	next := make([]uint64, len(l.streams))
	for ; ctx.Err() == nil; turn++ {
		i := turn % len(l.streams)
		began := time.Now()
		if turn%8 == 7 {
			if _, err := star.Tail(ctx, l.streams[i]); err != nil {
				pause(ctx, reopenPause)
			}
			continue
		}
		reply, err := star.Fetch(ctx, peer.FetchRequest{Stream: l.streams[i], From: next[i], Wait: 50 * time.Millisecond, Linearizable: turn%2 == 1})
		if err != nil {
			pause(ctx, reopenPause)
			continue
		}
		next[i] = reply.Next
		if len(reply.Records) > 0 {
			l.reads.Add(uint64(len(reply.Records)))
			l.fetches.add(time.Since(began))
		}
	}
}

func (l *load) progress() string {
	seconds := time.Since(l.began).Seconds()
	records := l.records.Load()
	return fmt.Sprintf("%s acknowledged, %s/s", output.Plural(records, "record"), output.Bytes(uint64(float64(records)*float64(l.size)/seconds)))
}
