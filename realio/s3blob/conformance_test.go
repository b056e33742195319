package s3blob

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/realio/runtime"
)

// runSuite runs the suite of stores on an empty store for each case. Cases may be left out, each for a reason.
func runSuite(t *testing.T, skip map[string]string, open func(t *testing.T) blob.Store) {
	for _, c := range iotest.Blob() {
		t.Run(c.Name, func(t *testing.T) {
			if reason := skip[c.Name]; reason != "" {
				t.Skip(reason)
			}
			store := open(t)
			r := runtime.New(runtime.Config{})
			_ = r.Do(r.Context(), "case", func(ctx context.Context) {
				c.Run(iotest.BlobHarness{Harness: iotest.Harness{T: t, Ctx: ctx, Run: r}, Store: r.Blob(store)})
			})
			if err := r.Stop(time.Minute); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestConformance(t *testing.T) {
	runSuite(t, nil, func(t *testing.T) blob.Store {
		_, store := newStore(t)
		return store
	})
}

// The same where the first try of every third request is told to slow down, but for puts: the store asks again.
func TestConformanceThrottled(t *testing.T) {
	runSuite(t, nil, func(t *testing.T) blob.Store {
		server, store := newStore(t)
		server.mu.Lock()
		defer server.mu.Unlock()
		n := 0
		server.fault = func(r *http.Request) *fault {
			if r.Method == http.MethodPut || !strings.HasPrefix(r.Header.Get("Amz-Sdk-Request"), "attempt=1") {
				return nil
			}
			if n++; n%3 != 0 {
				return nil
			}
			return &fault{status: http.StatusServiceUnavailable, code: "SlowDown"}
		}
		return store
	})
}
