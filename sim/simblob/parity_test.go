package simblob_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/novastream/nova/io/iotest"
)

// Random scripts, as all stores run them.
func TestParity(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		script := iotest.BlobScripts(false).Draw(rt, "script")
		f := newFixture(t, 1)
		f.do(func(ctx context.Context) {
			d := f.world.Driver()
			script.Case().Run(iotest.BlobHarness{Harness: iotest.Harness{T: rt, Ctx: ctx, Run: d}, Store: f.store.Client(d)})
		})
	})
}
