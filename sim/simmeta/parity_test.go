package simmeta_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/novastream/nova/io/iotest"
)

// Random scripts, as all bindings of the metastore run them.
func TestParity(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		script := iotest.MetaScripts().Draw(rt, "script")
		f := newFixture(t, 1)
		p := f.world.Process("client")
		client := func() iotest.MetaClient {
			return iotest.MetaClient{
				Spaces: f.store.Spaces(p),
				Expire: func(context.Context) { f.store.ExpireSession(p.Name()) },
			}
		}
		f.do(func(ctx context.Context) {
			script.Case().Run(iotest.MetaHarness{Harness: iotest.Harness{T: rt, Ctx: ctx, Run: f.world.Driver()}, Client: client})
		})
	})
}
