package s3blob

import (
	"net/http"
	"testing"

	"github.com/novastream/nova/io/blob"
)

// Stats tell requests, and which of them asked again: a read that was told to slow down twice, and a create that met another
// write of its key.
func TestStats(t *testing.T) {
	server, store := newStore(t)
	if _, err := store.PutIfAbsent(t.Context(), "a", []byte("x")); err != nil {
		t.Fatal(err)
	}
	before := store.Stats()
	if before.Requests == 0 || before.Retries != 0 {
		t.Errorf("after Open and a create: %+v", before)
	}
	server.on(http.MethodGet, 2, fault{status: http.StatusServiceUnavailable, code: "SlowDown"})
	if _, err := store.Get(t.Context(), "a", blob.All()); err != nil {
		t.Fatal(err)
	}
	server.on(http.MethodPut, 1, fault{status: http.StatusConflict, code: "ConditionalRequestConflict"})
	if outcome, err := store.PutIfAbsent(t.Context(), "b", []byte("x")); outcome != blob.Created {
		t.Fatal(outcome, err)
	}
	after := store.Stats()
	if after.Requests-before.Requests != 5 || after.Retries != 3 {
		t.Errorf("%+v after %+v", after, before)
	}
}
