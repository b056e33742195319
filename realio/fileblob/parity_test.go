package fileblob

import (
	"context"
	"os"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/realio/runtime"
)

// Random scripts, as all stores run them.
func TestParity(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		script := iotest.BlobScripts(false).Draw(rt, "script")
		root, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		s, err := Open(root)
		if err != nil {
			rt.Fatal(err)
		}
		r := runtime.New(runtime.Config{})
		_ = r.Do(r.Context(), "case", func(ctx context.Context) {
			script.Case().Run(iotest.BlobHarness{Harness: iotest.Harness{T: rt, Ctx: ctx, Run: r}, Store: r.Blob(s)})
		})
		if err := r.Stop(time.Minute); err != nil {
			rt.Error(err)
		}
		if err := s.Close(); err != nil {
			rt.Error(err)
		}
	})
}
