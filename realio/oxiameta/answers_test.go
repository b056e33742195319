package oxiameta

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// lossCase is a call whose request is applied, or not, and never answered.
type lossCase struct {
	name string
	call func(w *world, m meta.Metastore, v meta.Version) error // on p/k, which exists at v, or p/none
	// The outcome wanted, where the request was applied and where it was not.
	applied, dropped error
}

func lossCases() []lossCase {
	put := func(key string, expect func(meta.Version) meta.Expect) func(*world, meta.Metastore, meta.Version) error {
		return func(w *world, m meta.Metastore, v meta.Version) error {
			got, err := m.Put(w.ctx, key, []byte("new"), expect(v))
			if err == nil {
				w.wantRecord(key, "new", got)
			}
			return err
		}
	}
	del := func(expect func(meta.Version) meta.Expect) func(*world, meta.Metastore, meta.Version) error {
		return func(w *world, m meta.Metastore, v meta.Version) error { return m.Delete(w.ctx, "p/k", expect(v)) }
	}
	anything := func(meta.Version) meta.Expect { return meta.Any() }
	absent := func(meta.Version) meta.Expect { return meta.Absent() }
	return []lossCase{
		{"put of anything", put("p/k", anything), nil, nil},
		{"create", put("p/none", absent), nil, meta.ErrUnknown},
		{"create of what exists", put("p/k", absent), meta.ErrUnknown, meta.ErrUnknown},
		{"change", put("p/k", meta.At), nil, nil},
		{"change at a version of the past", put("p/k", func(v meta.Version) meta.Expect { return meta.At(v - 1) }), meta.ErrUnknown, meta.ErrUnknown},
		{"delete of anything", del(anything), meta.ErrUnknown, nil},
		{"delete", del(meta.At), meta.ErrUnknown, nil},
		{"delete range", func(w *world, m meta.Metastore, _ meta.Version) error { return m.DeleteRange(w.ctx, "p", "k", "l") }, nil, nil},
		{"ephemeral put", func(w *world, _ meta.Metastore, v meta.Version) error {
			_, err := w.records.PutEphemeral(w.ctx, "p/k", []byte("new"), meta.At(v))
			return err
		}, nil, nil},
		{"fresh get", func(w *world, m meta.Metastore, _ meta.Version) error {
			_, err := m.Fresh().Get(w.ctx, "p/k")
			return err
		}, nil, nil},
	}
}

func TestLostAnswers(t *testing.T) {
	for _, c := range lossCases() {
		t.Run(c.name, func(t *testing.T) {
			for _, applied := range []bool{true, false} {
				w := newWorld(t, oxiatest.Config{Nodes: 2, Namespaces: spacesOf(1)})
				v := w.put("p/k", "old", meta.Absent())
				hook := once("p/", oxiatest.Canceled())
				want := c.dropped
				if applied {
					want = c.applied
					w.cluster.OnApplied(hook)
				} else {
					w.cluster.OnWrite(hook)
				}
				w.wants(fmt.Sprintf("applied %v", applied), c.call(w, w.records, v), want)
			}
		})
	}
}

// The record that a lost change made was changed again: nobody can tell any more whose it was.
func TestLostAnswerAndAnotherChange(t *testing.T) {
	w := newWorld(t, oxiatest.Config{Nodes: 1})
	v := w.put("p/k", "old", meta.Absent())
	lost := once("p/k", oxiatest.Canceled())
	w.cluster.OnApplied(func(x oxiatest.Write) error {
		err := lost(x)
		if err != nil {
			w.behind(0, newPutRequest("p/k", "another"))
		}
		return err
	})
	_, err := w.records.Put(w.ctx, "p/k", []byte("mine"), meta.At(v))
	w.wants("change", err, meta.ErrUnknown)
}

// A failure in the middle of the server is not answered with the same request again.
func TestServerFails(t *testing.T) {
	w := newWorld(t, oxiatest.Config{})
	w.put("p/a", "", meta.Absent())
	w.cluster.OnWrite(once("p/k", status.Error(codes.Unknown, "segment is full")))
	_, err := w.records.Put(w.ctx, "p/k", nil, meta.Any())
	w.wants("put", err, meta.ErrUnknown)
	w.put("p/k", "", meta.Absent())
}

// A call whose context ends: what was not sent is unavailable, what was is unknown; others go on.
func TestCallersLeave(t *testing.T) {
	w := newWorld(t, oxiatest.Config{Namespaces: spacesOf(1)}, func(c *Config) { c.WriteWindow = 1 })
	w.put("p/a", "", meta.Absent())
	w.cluster.HoldAnswers(true)
	before := w.cluster.Calls("WriteStream")
	ctx, cancel := context.WithCancel(w.ctx)
	put := func(key string) func() error {
		return func() error { _, err := w.records.Put(ctx, key, nil, meta.Absent()); return err }
	}
	seen := w.goes(put("p/seen"))
	w.eventually("the first put is at the server", func() bool { return w.cluster.Calls("WriteStream") == before+1 })
	unseen := w.goes(put("p/unseen"))
	stays := w.goes(func() error { _, err := w.records.Put(w.ctx, "p/stays", nil, meta.Absent()); return err })
	w.eventually("the others wait", func() bool { return queued1(w) == 2 })
	cancel()
	w.wants("put that was sent", w.outcome(seen), meta.ErrUnknown)
	w.wants("put that was not sent", w.outcome(unseen), meta.ErrUnavailable)
	w.cluster.HoldAnswers(false)
	w.wants("put of somebody who stays", w.outcome(stays), nil)
	_, err := w.records.Fresh().Get(w.ctx, "p/unseen")
	w.wants("get of what was not sent", err, meta.ErrNotFound)
}

// queued1 counts what waits to be sent to the shard.
func queued1(w *world) int {
	s, err := w.client.records.shardAt(w.ctx, route(locality))
	if err != nil {
		w.Fatal(err)
	}
	s.writer.mu.Lock()
	defer s.writer.mu.Unlock()
	return len(s.writer.queue)
}

// Close ends what runs, and says what it knows.
func TestCloseWithCallsUnderWay(t *testing.T) {
	w := newWorld(t, oxiatest.Config{Namespaces: spacesOf(1)}, func(c *Config) { c.WriteWindow = 1 })
	w.put("p/a", "", meta.Absent())
	w.cluster.HoldAnswers(true)
	before := w.cluster.Calls("WriteStream")
	seen := w.goes(func() error { return w.records.Delete(w.ctx, "p/a", meta.Any()) })
	w.eventually("the delete is at the server", func() bool { return w.cluster.Calls("WriteStream") == before+1 })
	unseen := w.goes(func() error { return w.records.Delete(w.ctx, "p/b", meta.Any()) })
	w.eventually("the other waits", func() bool { return queued1(w) == 1 })
	if err := w.client.Close(w.ctx); err != nil {
		t.Error(err)
	}
	w.wants("delete that was sent", w.outcome(seen), meta.ErrUnknown)
	w.wants("delete that was not sent", w.outcome(unseen), meta.ErrUnavailable)
	_, err := w.records.Get(w.ctx, "p/a")
	w.wants("get after close", err, meta.ErrUnavailable)
	_, err = w.records.Put(w.ctx, "p/a", nil, meta.Any())
	w.wants("put after close", err, meta.ErrUnavailable)
	_, err = w.records.PutEphemeral(w.ctx, "p/a", nil, meta.Any())
	if !errors.Is(err, meta.ErrUnavailable) {
		t.Errorf("ephemeral put after close: got %v", err)
	}
}
