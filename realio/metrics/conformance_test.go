package metrics

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/realio/embeddedmeta"
	"github.com/novastream/nova/realio/fileblob"
	"github.com/novastream/nova/realio/runtime"
)

// The wrappers change nothing: what they wrap passes its suite through them, and no call is left under way.
func TestMetaConformance(t *testing.T) {
	m := New()
	for _, c := range iotest.Meta() {
		t.Run(c.Name, func(t *testing.T) {
			s, err := embeddedmeta.OpenMemory(nil)
			if err != nil {
				t.Fatal(err)
			}
			r := runtime.New(runtime.Config{})
			_ = r.Do(r.Context(), "case", func(ctx context.Context) {
				c.Run(iotest.MetaHarness{
					Harness: iotest.Harness{T: t, Ctx: ctx, Run: r},
					Client: func() iotest.MetaClient {
						client := s.Client()
						return iotest.MetaClient{Spaces: r.Spaces(m.Spaces(client.Spaces())), Expire: func(ctx context.Context) {
							r.Offload(ctx, func() {
								if err := client.Expire(ctx); err != nil {
									t.Errorf("expire: %v", err)
								}
							})
						}}
					},
				})
			})
			if err := errors.Join(r.Stop(time.Minute), s.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	for _, space := range []string{"records", "work", "ephemeral", "naming"} {
		want(t, m, 0, "nova_meta_calls_under_way", "space", space)
	}
}

func TestStoreConformance(t *testing.T) {
	m := New()
	for _, c := range iotest.Blob() {
		t.Run(c.Name, func(t *testing.T) {
			s, err := fileblob.Open(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			r := runtime.New(runtime.Config{})
			_ = r.Do(r.Context(), "case", func(ctx context.Context) {
				c.Run(iotest.BlobHarness{Harness: iotest.Harness{T: t, Ctx: ctx, Run: r}, Store: r.Blob(m.Store("standard", "", s))})
			})
			if err := errors.Join(r.Stop(time.Minute), s.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	want(t, m, 0, "nova_store_calls_under_way", "class", "standard", "zone", "")
}
