package simmeta_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/novastream/nova/io/iotest"
)

func TestConformance(t *testing.T) {
	for _, c := range iotest.Meta() {
		t.Run(c.Name, func(t *testing.T) {
			for seed := range uint64(3) {
				f := newFixture(t, seed)
				clients := 0
				client := func() iotest.MetaClient {
					clients++
					p := f.world.Process(fmt.Sprint("client-", clients))
					return iotest.MetaClient{
						Spaces: f.store.Spaces(p),
						Expire: func(context.Context) { f.store.ExpireSession(p.Name()) },
					}
				}
				f.do(func(ctx context.Context) {
					c.Run(iotest.MetaHarness{Harness: iotest.Harness{T: t, Ctx: ctx, Run: f.world.Driver()}, Client: client})
				})
			}
		})
	}
}
