package s3blob

import (
	"context"
	"crypto/rand"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/realio/runtime"
)

// runSuite runs the suite of stores, on an empty store for each case.
func runSuite(t *testing.T, fileNames bool, open func(t *testing.T) blob.Store) {
	for _, c := range iotest.Blob() {
		t.Run(c.Name, func(t *testing.T) {
			store := open(t)
			r := runtime.New(runtime.Config{})
			_ = r.Do(r.Context(), "case", func(ctx context.Context) {
				c.Run(iotest.BlobHarness{
					Harness: iotest.Harness{T: t, Ctx: ctx, Run: r}, Store: r.Blob(store), FileNames: fileNames,
				})
			})
			if err := r.Stop(time.Minute); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestConformance(t *testing.T) {
	runSuite(t, false, func(t *testing.T) blob.Store {
		_, store := newStore(t)
		return store
	})
}

// The same where the first try of every third request is told to slow down, but for puts: the store asks again.
func TestConformanceThrottled(t *testing.T) {
	runSuite(t, false, func(t *testing.T) blob.Store {
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

// serverEnv is the URL of a bucket that is there, with credentials in the environment. Each case has a prefix of its own.
const serverEnv = "NOVA_TEST_S3"

func TestConformanceServer(t *testing.T) {
	text := os.Getenv(serverEnv)
	if text == "" {
		t.Skipf("%s does not name a bucket: s3://bucket/prefix?endpoint=...", serverEnv)
	}
	cfg, err := ParseURL(text)
	if err != nil {
		t.Fatal(err)
	}
	root := strings.TrimPrefix(cfg.Prefix+"/nova-test-"+rand.Text(), "/")
	runSuite(t, false, func(t *testing.T) blob.Store {
		if strings.HasSuffix(t.Name(), "keys/good_ones") {
			t.Skip("the prefix leaves no room for the longest keys")
		}
		cfg.Prefix = root + "/" + rand.Text()
		store := openTest(t, cfg)
		t.Cleanup(func() { empty(t, store) })
		return store
	})
}

// empty deletes what a case left.
func empty(t *testing.T, store *Store) {
	ctx := context.WithoutCancel(t.Context())
	for {
		infos, err := store.List(ctx, "", "", 1000)
		if err != nil {
			t.Error(err)
		}
		if len(infos) == 0 {
			return
		}
		keys := make([]string, len(infos))
		for i, info := range infos {
			keys[i] = info.Key
		}
		if err := store.Delete(ctx, keys...); err != nil {
			t.Fatal(err)
		}
	}
}
