package simmeta_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
)

func TestRollBackIsCaughtByNobodyHere(t *testing.T) {
	f := newFixture(t, 1)
	f.store.SetFaults(simmeta.Faults{StaleReads: 1, StaleUpto: time.Minute})
	p := f.world.Driver()
	rec := f.store.Spaces(p).Naming
	f.do(func(ctx context.Context) {
		for i := range 10 {
			_, _ = rec.Put(ctx, "k", []byte{byte(i)}, meta.Any())
			_ = p.Sleep(ctx, time.Second)
		}
		if !f.store.RollBack(simmeta.Naming, 0, 5*time.Second) {
			t.Error("no past")
		}
		if r, err := rec.Fresh().Get(ctx, "k"); err != nil || r.Value[0] == 9 {
			t.Errorf("got %v, %v", r, err)
		}
	})
}

func TestSplitMovesRowsAndMayDoHarm(t *testing.T) {
	for name, c := range map[string]struct {
		damage   simmeta.Damage
		rows     int // of 40 ephemeral ones after their session ended
		harmless bool
	}{
		"no harm":       {simmeta.Damage{}, 0, true},
		"lost bindings": {simmeta.Damage{Bindings: sim.Always}, 10, true},
		"rolled back":   {simmeta.Damage{RollBack: 10 * time.Second}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, 1)
			f.store.SetFaults(simmeta.Faults{StaleReads: 1, StaleUpto: time.Minute})
			p := f.world.Process("a1")
			eph := f.store.Spaces(p).Ephemeral
			lost := 0
			p.Go("client", func(ctx context.Context) {
				key := func(i int) string { return fmt.Sprintf("streams/%d/lease", i) }
				versions := make([]meta.Version, 40)
				for round := range 20 {
					for i := range versions {
						expect := meta.At(versions[i])
						if round == 0 {
							expect = meta.Absent()
						}
						var err error
						if versions[i], err = eph.PutEphemeral(ctx, key(i), []byte{byte(round)}, expect); err != nil {
							t.Error(err)
						}
					}
					_ = p.Sleep(ctx, time.Second)
				}
				f.store.Split(simmeta.Ephemeral, 1, time.Second, c.damage)
				if f.store.Shards(simmeta.Ephemeral) != 4 {
					t.Error("no split")
				}
				_ = p.Sleep(ctx, 2*time.Second)
				for i := range versions {
					r, err := eph.Get(ctx, key(i))
					if err != nil || r.Version != versions[i] {
						lost++
					}
				}
			})
			f.run(time.Minute)
			if (lost == 0) != c.harmless {
				t.Errorf("%d rows are not as they were written", lost)
			}
			p.Kill()
			f.run(time.Minute)
			left := f.store.Len(simmeta.Ephemeral)
			if (left == 0) != (c.rows == 0) {
				t.Errorf("%d rows are left after the session", left)
			}
		})
	}
}

// TestDownShardIsFoundAgain: a split before it moves the shard that is down; it is that one which serves again.
func TestDownShardIsFoundAgain(t *testing.T) {
	f := newFixture(t, 1)
	p := f.world.Driver()
	rows := f.store.Spaces(p).Records
	f.do(func(ctx context.Context) {
		up := f.store.Down(simmeta.Records, f.store.Shards(simmeta.Records)-1)
		f.store.Split(simmeta.Records, 0, time.Second, simmeta.Damage{})
		_ = p.Sleep(ctx, 2*time.Second)
		refused := func() (n int) {
			for i := range 40 {
				if _, err := rows.Put(ctx, fmt.Sprintf("streams/%d/writer", i), nil, meta.Any()); err != nil {
					n++
				}
			}
			return n
		}
		if n := refused(); n == 0 || n == 40 {
			t.Errorf("%d of 40 rows are refused by one shard that is down", n)
		}
		up()
		if n := refused(); n > 0 {
			t.Errorf("%d of 40 rows are refused though all shards are up", n)
		}
	})
}
