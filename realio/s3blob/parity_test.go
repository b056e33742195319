package s3blob

import (
	"context"
	"crypto/rand"
	"os"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/realio/runtime"
)

// Random scripts, as all stores run them.
func TestParity(t *testing.T) {
	environment(t, "key", "secret")
	server := newServer(t)
	server.Start()
	runParity(t, server.config(), false)
}

func TestParityVersitygw(t *testing.T) {
	cfg := newGateway(t, t.TempDir()).config("nova")
	createBucket(t, cfg)
	runParity(t, cfg, true)
}

func TestParityServer(t *testing.T) {
	text := os.Getenv(serverEnv)
	if text == "" {
		t.Skipf("%s does not name a bucket: s3://bucket/prefix?endpoint=...", serverEnv)
	}
	cfg, err := ParseURL(text)
	if err != nil {
		t.Fatal(err)
	}
	runParity(t, cfg, false)
}

// runParity runs each script below a prefix of its own.
func runParity(t *testing.T, cfg Config, fileNames bool) {
	prefix := cfg.Prefix
	rapid.Check(t, func(rt *rapid.T) {
		script := iotest.BlobScripts(fileNames).Draw(rt, "script")
		cfg.Prefix = rand.Text()
		if prefix != "" {
			cfg.Prefix = prefix + "/" + cfg.Prefix
		}
		store := openTest(t, cfg)
		r := runtime.New(runtime.Config{})
		_ = r.Do(r.Context(), "case", func(ctx context.Context) {
			script.Case().Run(iotest.BlobHarness{
				Harness: iotest.Harness{T: rt, Ctx: ctx, Run: r}, Store: r.Blob(store), FileNames: fileNames,
			})
		})
		if err := r.Stop(time.Minute); err != nil {
			rt.Error(err)
		}
		empty(t, store)
	})
}
