package main_test

import (
	"sync"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/history/record"
	"github.com/novastream/nova/io/peer"
)

// recorder takes what many clients do, one event at a time, and keeps the bodies that were acknowledged.
type recorder struct {
	began time.Time
	mu    sync.Mutex
	log   history.Log
	acked map[string]map[uint64]string // stream, seq: body
	last  history.Client
}

func newRecorder() *recorder {
	return &recorder{began: time.Now(), acked: map[string]map[uint64]string{}}
}

// client is one more client. One operation of it begins at a time.
func (r *recorder) client() *record.Client {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	c := record.NewClient(r.last)
	return &c
}

// do records one operation of a client: call says what it was answered, or why it was not.
func (r *recorder) do(by *record.Client, in history.Invoke, call func() (history.Complete, error)) history.Complete {
	r.mu.Lock()
	in, op := by.Ask(int64(time.Since(r.began)), in)
	r.log.Invoke(in)
	r.mu.Unlock()

	done, err := call()
	if err != nil {
		done = op.Refused(err)
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	done = op.Ended(int64(time.Since(r.began)), done)
	r.log.Complete(done)
	return done
}

// keep remembers the bodies of an acknowledged append.
func (r *recorder) keep(stream string, first uint64, records []peer.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.acked[stream] == nil {
		r.acked[stream] = map[uint64]string{}
	}
	for i, record := range records {
		r.acked[stream][first+uint64(i)] = string(record.Body)
	}
}
