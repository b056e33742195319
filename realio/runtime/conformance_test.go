package runtime_test

import (
	"context"
	"testing"

	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/realio/runtime"
)

func TestConformance(t *testing.T) {
	for _, c := range iotest.Runtime() {
		t.Run(c.Name, func(t *testing.T) {
			r := runtime.New(runtime.Config{})
			err := r.Do(r.Context(), "case", func(ctx context.Context) {
				c.Run(iotest.RuntimeHarness{Harness: iotest.Harness{T: t, Ctx: ctx, Run: r}})
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Stop(budget); err != nil {
				t.Fatal(err)
			}
		})
	}
}
