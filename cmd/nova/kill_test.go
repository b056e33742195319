package main_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/novastream/nova/client"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/history/record"
	"github.com/novastream/nova/io/peer"
)

// Eight clients append to a star that is killed by kill -9 and started again, for 20 s. Nothing acknowledged is lost, the
// recorded history is linearizable, and what is read back is what was sent, byte for byte.
func TestKilledWhileEightClientsAppend(t *testing.T) {
	length, kills := 20*time.Second, 3
	if testing.Short() {
		length, kills = 4*time.Second, 1
	}
	s := newServer(t)
	s.start()
	s.must("", "bucket", "create", "any", "--create-on-open")
	s.must("", "bucket", "create", "fenced", "--create-on-open", "--mode", "fenced")

	r := newRecorder()
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	var clients sync.WaitGroup
	for i := range 8 {
		name := peer.StreamName{Bucket: "any", Key: fmt.Sprint("stream-", i%3)} // two clients each
		if i >= 6 {
			name = peer.StreamName{Bucket: "fenced", Key: fmt.Sprint("stream-", i)}
		}
		clients.Go(func() { (&worker{t: t, r: r, by: r.client(), stream: name}).run(ctx, s.addr) })
	}
	for range kills {
		select {
		case <-time.After(length / time.Duration(kills+1)):
		case <-ctx.Done():
		}
		s.kill()
		s.start()
	}
	clients.Wait()
	judge(t, s, r)
}

// judge reads every stream back, compares it with what was acknowledged, and has the history checked.
func judge(t *testing.T, s *server, r *recorder) {
	t.Helper()
	fleet, err := client.Connect(client.Config{Addrs: []string{s.addr}})
	if err != nil {
		t.Fatal(err)
	}
	defer fleet.Close()
	for stream, acked := range r.acked {
		bucket, key, _ := strings.Cut(stream, "/")
		records := readAll(t, fleet, peer.StreamName{Bucket: bucket, Key: key})
		for seq, body := range acked {
			if seq >= uint64(len(records)) || string(records[seq].Body) != body {
				t.Fatalf("stream %s: the acknowledged record %d is lost or another", stream, seq)
			}
		}
		r.log.Final(history.Final{Stream: stream, Hashes: record.HashesOf(records)})
		if got := s.must("", "read", stream); got != text(records) {
			t.Errorf("stream %s: nova read prints something else", stream)
		}
	}
	result, err := history.Check(&r.log, history.DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	if result.Verdict() == history.Violated || result.Witness.Appends == 0 {
		t.Errorf("the history: %v", result)
	}
	t.Logf("%v", result)
}

func text(records []peer.Record) string {
	var b strings.Builder
	for _, r := range records {
		b.Write(r.Body)
		b.WriteByte('\n')
	}
	return b.String()
}

func readAll(t *testing.T, from peer.Data, name peer.StreamName) (records []peer.Record) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for next := uint64(0); ; {
		reply, err := from.Fetch(ctx, peer.FetchRequest{Stream: name, From: next, Linearizable: true})
		if err != nil {
			t.Fatalf("read %v from %d: %v", name, next, err)
		}
		records = append(records, reply.Records...)
		if next = reply.Next; reply.AtTail {
			return records
		}
	}
}

// worker is one client: it appends, and now and then asks for the tail or reads what is new.
type worker struct {
	t       *testing.T
	r       *recorder
	by      *record.Client
	stream  peer.StreamName
	fleet   *client.Fleet
	session peer.Session
	next    uint64 // of its reads
}

// opTimeout is how long a worker waits for an answer before it counts as unknown.
const opTimeout = 10 * time.Second

func (w *worker) run(ctx context.Context, addrs ...string) {
	var err error
	if w.fleet, err = client.Connect(client.Config{Addrs: addrs}); err != nil {
		w.t.Error(err)
		return
	}
	defer w.fleet.Close()
	for i := 0; ctx.Err() == nil; i++ {
		call, cancel := context.WithTimeout(w.t.Context(), opTimeout)
		switch i % 20 {
		case 10:
			w.tail(call)
		case 15:
			w.read(call)
		default:
			_ = w.append(call, i) // what came of it is in the history
		}
		cancel()
	}
}

func (w *worker) open(ctx context.Context) (err error) {
	w.r.do(w.by, record.Open(w.stream, 0), func() (history.Complete, error) {
		var session peer.Session
		if session, err = w.fleet.OpenSession(ctx, peer.OpenRequest{Stream: w.stream, Create: true}); err != nil {
			return history.Complete{}, err
		}
		w.session = session
		return record.Opened(session.Opened()), nil
	})
	return err
}

func (w *worker) append(ctx context.Context, i int) (err error) {
	if w.session == nil {
		if err := w.open(ctx); err != nil {
			return err // nothing was sent: the next turn opens again
		}
	}
	batch := peer.Batch{}
	for n := range 1 + i%4 {
		body := fmt.Sprintf("client %d append %d record %d %s", w.by.ID(), i, n, strings.Repeat("x", i*37%500))
		batch.Records = append(batch.Records, peer.Record{Body: []byte(body)})
	}
	w.r.do(w.by, record.Append(w.stream, batch, w.session.Opened().Token), func() (history.Complete, error) {
		var ack peer.Ack
		ack, err = exchange(ctx, w.session, batch)
		if err != nil {
			_ = w.session.Close(ctx) // it broke
			w.session = nil
			return history.Complete{}, err
		}
		w.r.keep(w.stream.String(), ack.First, batch.Records)
		return record.Acked(ack), nil
	})
	return err
}

// exchange sends one batch and waits for its answer. An error without a code of its own says nothing of the batch.
func exchange(ctx context.Context, session peer.Session, batch peer.Batch) (peer.Ack, error) {
	if err := session.Send(ctx, batch); err != nil {
		return peer.Ack{}, &peer.Error{Code: peer.Indeterminate, Err: err}
	}
	ack, err := session.Recv(ctx)
	if err == nil && ack.Err != nil {
		err = ack.Err
	}
	return ack, err
}

func (w *worker) tail(ctx context.Context) {
	w.r.do(w.by, record.Tail(w.stream), func() (history.Complete, error) {
		tail, err := w.fleet.Tail(ctx, w.stream)
		return record.Told(tail.Next), err
	})
}

func (w *worker) read(ctx context.Context) {
	w.r.do(w.by, record.Read(w.stream, w.next, true), func() (history.Complete, error) {
		reply, err := w.fleet.Fetch(ctx, peer.FetchRequest{Stream: w.stream, From: w.next, Linearizable: true})
		if err == nil {
			w.next = reply.Next
		}
		return record.Got(reply), err
	})
}
