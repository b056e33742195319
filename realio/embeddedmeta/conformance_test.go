package embeddedmeta

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/realio/runtime"
)

func openTest(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func runSuite(t *testing.T, open func(t *testing.T) *Store) {
	for _, c := range iotest.Meta() {
		t.Run(c.Name, func(t *testing.T) {
			s := open(t)
			r := runtime.New(runtime.Config{})
			_ = r.Do(r.Context(), "case", func(ctx context.Context) {
				c.Run(iotest.MetaHarness{
					Harness: iotest.Harness{T: t, Ctx: ctx, Run: r},
					Client: func() iotest.MetaClient {
						client := s.Client()
						return iotest.MetaClient{Spaces: r.Spaces(client.Spaces()), Expire: func(ctx context.Context) {
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
}

func TestConformanceOnDisk(t *testing.T) {
	runSuite(t, func(t *testing.T) *Store { return openTest(t, t.TempDir()) })
}

func TestConformanceInMemory(t *testing.T) {
	runSuite(t, func(t *testing.T) *Store {
		s, err := OpenMemory(nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}
