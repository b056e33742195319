package s3blob

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/novastream/nova/io/blob"
)

// What becomes of one create, and what a second one then meets.
func TestOutcomesOfCreates(t *testing.T) {
	for name, c := range map[string]struct {
		fault   fault
		times   int
		outcome blob.Outcome
		kind    error
		puts    int  // requests of the first create
		there   bool // afterwards
	}{
		"answered":                      {fault{}, 0, blob.Created, nil, 1, true},
		"a rival at the same time":      {fault{status: 409, code: "ConditionalRequestConflict"}, 2, blob.Created, nil, 3, true},
		"rivals without end":            {fault{status: 409, code: "ConditionalRequestConflict"}, 99, blob.Unknown, blob.ErrUnavailable, conflictTries, false},
		"refused for another conflict":  {fault{status: 409, code: "ObjectParentIsFile"}, 1, blob.Unknown, blob.ErrUnavailable, 1, false},
		"not allowed":                   {fault{status: 403, code: "AccessDenied"}, 1, blob.Unknown, blob.ErrUnavailable, 1, false},
		"no bucket":                     {fault{status: 404, code: "NoSuchBucket"}, 1, blob.Unknown, blob.ErrUnavailable, 1, false},
		"another region":                {fault{status: 301, code: "PermanentRedirect"}, 1, blob.Unknown, blob.ErrUnavailable, 1, false},
		"throttled":                     {fault{status: 503, code: "SlowDown"}, 1, blob.Unknown, blob.ErrUnknown, 1, false},
		"a proxy without a store":       {fault{status: 502}, 1, blob.Unknown, blob.ErrUnknown, 1, false},
		"an error after the fact":       {fault{status: 500, code: "InternalError", executed: true}, 1, blob.Unknown, blob.ErrUnknown, 1, true},
		"a proxy gave up after it":      {fault{status: 504, executed: true}, 1, blob.Unknown, blob.ErrUnknown, 1, true},
		"too slow for a proxy":          {fault{status: 408, executed: true}, 1, blob.Unknown, blob.ErrUnknown, 1, true},
		"cut before":                    {fault{}, 1, blob.Unknown, blob.ErrUnknown, 1, false},
		"the answer is lost":            {fault{executed: true}, 1, blob.Unknown, blob.ErrUnknown, 1, true},
		"exists, by the server's word":  {fault{status: 412, code: "PreconditionFailed"}, 1, blob.Exists, nil, 1, false},
		"exists, by the status's alone": {fault{status: 412}, 1, blob.Exists, nil, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			server, store := newStore(t)
			server.on(http.MethodPut, c.times, c.fault)
			outcome, err := store.PutIfAbsent(t.Context(), "a/k", []byte("mine"))
			if outcome != c.outcome || !errors.Is(err, c.kind) || (err == nil) != (outcome != blob.Unknown) {
				t.Errorf("got %v, %v; want %v, %v", outcome, err, c.outcome, c.kind)
			}
			if got := server.asked(http.MethodPut); got != c.puts {
				t.Errorf("%d requests were sent, want %d", got, c.puts)
			}
			server.on("", 0, fault{})
			second, err := store.PutIfAbsent(t.Context(), "a/k", []byte("second"))
			if want := map[bool]blob.Outcome{true: blob.Exists, false: blob.Created}[c.there]; second != want {
				t.Errorf("a second create: %v, %v; want %v", second, err, want)
			}
		})
	}
}

// A put that replaces is told apart in the same way, and is sent once too.
func TestOutcomesOfPuts(t *testing.T) {
	server, store := newStore(t)
	for _, c := range []struct {
		fault fault
		kind  error
	}{
		{fault{status: 403, code: "AccessDenied"}, blob.ErrUnavailable},
		{fault{status: 503, code: "SlowDown"}, blob.ErrUnknown},
		{fault{executed: true}, blob.ErrUnknown},
	} {
		server.on(http.MethodPut, 99, c.fault)
		if err := store.Put(t.Context(), "k", nil); !errors.Is(err, c.kind) {
			t.Errorf("%+v: got %v, want %v", c.fault, err, c.kind)
		}
		if got := server.asked(http.MethodPut); got != 1 {
			t.Errorf("%+v: %d requests were sent", c.fault, got)
		}
	}
}

// A write is unavailable where its request never left, and unknown where its context ends while it is under way.
func TestWritesWithoutAnAnswer(t *testing.T) {
	server, store := newStore(t)
	outcome, err := store.PutIfAbsent(ended(), "k", nil)
	if outcome != blob.Unknown || !errors.Is(err, blob.ErrUnavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("in an ended context: %v, %v", outcome, err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	hang := make(chan struct{})
	server.on("", 1, fault{executed: true, then: cancel, hang: hang})
	outcome, err = store.PutIfAbsent(ctx, "k", nil)
	if outcome != blob.Unknown || !errors.Is(err, blob.ErrUnknown) || !errors.Is(err, context.Canceled) {
		t.Errorf("in a context that ends: %v, %v", outcome, err)
	}
	close(hang)
	server.on("", 0, fault{})
	if outcome, err := store.PutIfAbsent(t.Context(), "k", nil); outcome != blob.Exists {
		t.Errorf("after that: %v, %v", outcome, err)
	}

	server.Close()
	_ = store.Close() // else a connection that was alive may be tried first
	outcome, err = store.PutIfAbsent(t.Context(), "k", nil)
	if outcome != blob.Unknown || !errors.Is(err, blob.ErrUnavailable) || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("where nobody listens: %v, %v", outcome, err)
	}
	if err := store.Delete(t.Context(), "k"); !errors.Is(err, blob.ErrUnavailable) {
		t.Errorf("delete where nobody listens: %v", err)
	}
}

// A put that was answered early reads the rest of its data no more: the race detector watches.
func TestDataIsReleased(t *testing.T) {
	server, store := newStore(t)
	hang := make(chan struct{})
	server.next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = r.Body.Read(make([]byte, 1))
		w.Header().Set("Content-Length", "0")
		w.WriteHeader(http.StatusServiceUnavailable)
		_ = http.NewResponseController(w).Flush()
		<-hang // the connection stays, with most of the data still to be sent
	})
	data := make([]byte, 32<<20)
	if _, err := store.PutIfAbsent(t.Context(), "k", data); !errors.Is(err, blob.ErrUnknown) {
		t.Errorf("got %v", err)
	}
	clear(data)
	close(hang)
}

// Only S3's own word makes an object absent.
func TestAbsence(t *testing.T) {
	server, store := newStore(t)
	for name, c := range map[string]struct {
		fault fault
		get   error
	}{
		"S3 says so":         {fault{status: 404, code: "NoSuchKey"}, blob.ErrNotFound},
		"the bucket is gone": {fault{status: 404, code: "NoSuchBucket"}, blob.ErrUnavailable},
		"a proxy says so":    {fault{status: 404}, blob.ErrUnavailable},
	} {
		server.on("", 99, c.fault)
		if _, err := store.Get(t.Context(), "k", blob.All()); !errors.Is(err, c.get) {
			t.Errorf("%s: get: %v, want %v", name, err, c.get)
		}
		if _, err := store.Head(t.Context(), "k"); !errors.Is(err, blob.ErrUnavailable) { // the bucket itself is a 404
			t.Errorf("%s: head: %v, want %v", name, err, blob.ErrUnavailable)
		}
	}
}

// Reads are asked again, up to a bound.
func TestReadsAreRepeated(t *testing.T) {
	server, store := newStore(t)
	if err := store.Put(t.Context(), "k", []byte("v")); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func() error{
		"get":    func() error { _, err := store.Get(t.Context(), "k", blob.All()); return err },
		"head":   func() error { _, err := store.Head(t.Context(), "k"); return err },
		"list":   func() error { _, err := store.List(t.Context(), "", "", 10); return err },
		"delete": func() error { return store.Delete(t.Context(), "none") },
	} {
		server.on("", 2, fault{status: 503, code: "SlowDown"})
		if err := read(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		server.on("", 1, fault{})
		if err := read(); err != nil {
			t.Errorf("%s after a cut: %v", name, err)
		}
		server.on("", 99, fault{status: 500, code: "InternalError"})
		if err := read(); err == nil || len(server.requests) != 3 {
			t.Errorf("%s: %v after %d requests", name, err, len(server.requests))
		}
	}
}
