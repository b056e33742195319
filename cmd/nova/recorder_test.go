package main_test

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"sync"
	"time"

	"github.com/novastream/nova/history"
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

// client is the name of one more client.
func (r *recorder) client() history.Client {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	return r.last
}

// do records one operation: call answers how it ended.
func (r *recorder) do(invoke history.Invoke, call func() history.Complete) history.Complete {
	r.mu.Lock()
	invoke.At = int64(time.Since(r.began))
	r.log.Invoke(invoke)
	r.mu.Unlock()

	done := call()

	r.mu.Lock()
	defer r.mu.Unlock()
	done.At, done.Client, done.Op, done.Kind = int64(time.Since(r.began)), invoke.Client, invoke.Op, invoke.Kind
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

// failed is how an operation ended that has no answer.
func failed(err error) history.Complete {
	var refused *peer.Error
	if !errors.As(err, &refused) || !refused.Code.Definite() {
		return history.Complete{Outcome: history.Unknown, Code: peer.CodeOf(err).String()}
	}
	c := history.Complete{Outcome: history.Failed, Code: refused.Code.String()}
	if refused.Code == peer.Fenced {
		c.Token = history.Token(refused.Token)
	}
	return c
}

func hashes(records []peer.Record) []history.Hash {
	out := make([]history.Hash, len(records))
	for i, r := range records {
		h := fnv.New64a()
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(r.Body))))
		h.Write(r.Body)
		out[i] = history.Hash(h.Sum64())
	}
	return out
}
