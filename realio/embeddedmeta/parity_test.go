package embeddedmeta

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/realio/runtime"
)

// Random scripts, as all bindings of the metastore run them.
func TestParity(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		script := iotest.MetaScripts().Draw(rt, "script")
		s, err := OpenMemory(nil)
		if err != nil {
			rt.Fatal(err)
		}
		client := s.Client()
		r := runtime.New(runtime.Config{})
		err = r.Do(r.Context(), "case", func(ctx context.Context) {
			script.Case().Run(iotest.MetaHarness{
				Harness: iotest.Harness{T: rt, Ctx: ctx, Run: r},
				Client: func() iotest.MetaClient {
					return iotest.MetaClient{Spaces: r.Spaces(client.Spaces()), Expire: func(ctx context.Context) {
						r.Offload(ctx, func() {
							if err := client.Expire(ctx); err != nil {
								rt.Errorf("expire: %v", err)
							}
						})
					}}
				},
			})
		})
		if err := errors.Join(err, r.Stop(time.Minute), s.Close()); err != nil {
			rt.Error(err)
		}
	})
}
