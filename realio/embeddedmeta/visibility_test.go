package embeddedmeta

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/novastream/nova/io/meta"
)

// gate holds every sync of the log while it is shut.
type gate struct {
	shut    atomic.Bool
	open    chan struct{}
	arrived chan struct{} // a sync stands at the gate
}

func (g *gate) String() string { return "gate" }

func (g *gate) MaybeError(op errorfs.Op) error {
	sync := op.Kind == errorfs.OpFileSync || op.Kind == errorfs.OpFileSyncData || op.Kind == errorfs.OpFileSyncTo
	if sync && strings.HasSuffix(op.Path, ".log") && g.shut.Load() {
		select {
		case g.arrived <- struct{}{}:
		default:
		}
		<-g.open
	}
	return nil
}

// What a crash could take back is shown to nobody: reads and refusals that depend on a commit wait until it is on disk,
// others do not.
func TestNothingUnsyncedIsShown(t *testing.T) {
	index := func(key string) []meta.Index { return []meta.Index{{Name: "x", Key: key}} }
	type call = func(context.Context, meta.Spaces) error
	put := func(ctx context.Context, s meta.Spaces) error {
		_, err := s.Records.Put(ctx, "p/k", []byte("new"), meta.Any())
		return err
	}
	get := func(key string) call {
		return func(ctx context.Context, s meta.Spaces) error {
			_, err := s.Records.Get(ctx, key)
			return err
		}
	}
	scan := func(ctx context.Context, s meta.Spaces) error {
		_, err := s.Records.Scan(ctx, "p", "", 10)
		return err
	}
	floor := func(ctx context.Context, s meta.Spaces) error {
		_, err := s.Records.FloorGet(ctx, "p", "z")
		return err
	}
	byIndex := func(key string) call {
		return func(ctx context.Context, s meta.Spaces) error {
			_, err := s.Records.GetByIndex(ctx, "x", key)
			return err
		}
	}
	create := func(ctx context.Context, s meta.Spaces) error {
		_, err := s.Records.Put(ctx, "p/k", nil, meta.Absent())
		return err
	}
	lease := func(ctx context.Context, s meta.Spaces) error {
		_, err := s.Ephemeral.PutEphemeral(ctx, "p/lease", nil, meta.Any())
		return err
	}
	for _, c := range []struct {
		name           string
		write          call
		waits, answers []call
	}{
		{"change", put, []call{get("p/k"), scan, floor, create}, []call{get("q/calm"), byIndex("calm"), lease}},
		{"delete", func(ctx context.Context, s meta.Spaces) error {
			return s.Records.Delete(ctx, "p/k", meta.Any())
		}, []call{get("p/k"), scan, floor}, []call{lease}},
		{"delete children", func(ctx context.Context, s meta.Spaces) error {
			return s.Records.DeleteChildren(ctx, "p")
		}, []call{get("p/k"), scan, floor}, []call{lease}},
		{"replace indexes", func(ctx context.Context, s meta.Spaces) error {
			_, err := s.Records.PutIndexed(ctx, "p/indexed", nil, meta.Any(), index("new"))
			return err
		}, []call{byIndex("old"), byIndex("new"), get("p/indexed")}, []call{lease}},
		{"ephemeral over durable", func(ctx context.Context, s meta.Spaces) error {
			_, err := s.Records.PutEphemeral(ctx, "p/k", nil, meta.Any())
			return err
		}, []call{get("p/k"), scan}, []call{lease}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := &gate{open: make(chan struct{}), arrived: make(chan struct{}, 1)}
			s := must[*Store](t)(open("db", errorfs.Wrap(vfs.NewMem(), g), nil))
			spaces := s.Client().Spaces()
			must[meta.Version](t)(spaces.Records.Put(t.Context(), "p/k", []byte("old"), meta.Absent()))
			must[meta.Version](t)(spaces.Records.PutIndexed(t.Context(), "p/indexed", nil, meta.Absent(), index("old")))
			must[meta.Version](t)(spaces.Records.PutIndexed(t.Context(), "q/calm", nil, meta.Absent(), index("calm")))
			before := raw(t, s)

			g.shut.Store(true)
			done := make(chan error, 1)
			go func() { done <- c.write(t.Context(), spaces) }()
			<-g.arrived
			for same := true; same; { // the log may get to the disk before readers get to see the commit
				runtime.Gosched()
				same = raw(t, s) == before
			}
			for i, call := range c.answers {
				if err := call(t.Context(), spaces); err != nil {
					t.Errorf("call %d that does not depend on the commit: %v", i, err)
				}
			}
			for i, call := range c.waits {
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
				if err := call(ctx, spaces); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("call %d that depends on the commit answered before the disk: %v", i, err)
				}
				cancel()
			}
			close(g.open)
			if err := errors.Join(<-done, s.Close()); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// raw is all that a reader could see now, on disk or not.
func raw(t *testing.T, s *Store) (state string) {
	t.Helper()
	err := s.rows([]byte{tableRows}, after([]byte{tableRows}), func(at []byte, r row) bool {
		state += fmt.Sprintf("%q at %d\n", at, r.version)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return state
}
