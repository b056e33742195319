package oxiameta

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
	"github.com/novastream/nova/realio/runtime"
)

// Random scripts, as all bindings of the metastore run them.
func TestParity(t *testing.T) {
	cluster := startCluster(t, oxiatest.Config{Nodes: 2, FrameItems: 2})
	runParity(t, configFor(cluster), expireAt(cluster))
}

func TestRealParity(t *testing.T) {
	runParity(t, realConfig(t), expireReal(t))
}

func runParity(t *testing.T, cfg Config, expire func(context.Context, *Client)) {
	rapid.Check(t, func(rt *rapid.T) {
		script := iotest.MetaScripts().Draw(rt, "script")
		client, err := Open(context.Background(), cfg)
		if err != nil {
			rt.Fatal(err)
		}
		wipe(t, client)
		r := runtime.New(runtime.Config{})
		err = r.Do(r.Context(), "case", func(ctx context.Context) {
			script.Case().Run(iotest.MetaHarness{
				Harness: iotest.Harness{T: rt, Ctx: ctx, Run: r},
				Client: func() iotest.MetaClient {
					return iotest.MetaClient{Spaces: r.Spaces(client.Spaces()), Expire: func(ctx context.Context) {
						r.Offload(ctx, func() { expire(ctx, client) })
					}}
				},
			})
		})
		if err := errors.Join(err, r.Stop(budget), client.Close(context.Background())); err != nil {
			rt.Error(err)
		}
	})
}
