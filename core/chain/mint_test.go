package chain_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/sim"
)

// TestMintCrashPoints lets each effect of a mint go wrong in every way. Whatever becomes of the process, it never writes
// into an epoch that is not its own, and its next life mints and writes.
func TestMintCrashPoints(t *testing.T) {
	for _, step := range []string{"mint.counter", "mint.row"} {
		for _, fate := range sim.Fates() {
			t.Run(fmt.Sprintf("%s %s", step, fate), func(t *testing.T) {
				r := newRig(t, 5, 1)
				hit := false
				r.world.JudgeEffects(func(e sim.Effect) sim.Fate {
					if !hit && e.Step == step {
						hit = true
						return fate
					}
					return sim.Normal
				})
				s := r.boot("a")
				r.pass(10 * time.Second)
				if !hit {
					t.Fatalf("the step %s was not crossed", step)
				}
				if !s.p.Alive() {
					s = r.boot("a")
					r.pass(10 * time.Second)
					r.world.Release()
				}
				s.writing()
				s.append("s", 10)
				r.until(time.Minute, func() bool { return r.acked == 1 })
				r.pass(time.Minute)
				s.p.Kill()
				r.fenceAll("a")
				r.check("a")
			})
		}
	}
}

// TestTwoProcessesOfOneIdentity moves a volume by force: two live processes with one star id mint and write side by side,
// with lost answers, and never in one epoch.
func TestTwoProcessesOfOneIdentity(t *testing.T) {
	for seed := range uint64(30) {
		r := newRig(t, seed, 1)
		f := unkindMeta(5 * sim.Percent)
		f.LoseAfter = 30 * sim.Percent
		r.meta.SetFaults(f)
		one, two := r.boot("a"), r.boot("a")
		r.until(time.Hour, func() bool {
			_, ok1 := one.writer.Current()
			_, ok2 := two.writer.Current()
			return ok1 && ok2
		})
		if a, b := one.writing(), two.writing(); a == b {
			t.Fatalf("seed %d: both write into epoch %d", seed, a)
		}
		r.p(one, 20, 600)
		r.p(two, 20, 600)
		r.pass(time.Minute)
		r.heal()
		one.p.Kill()
		two.p.Kill()
		r.fenceAll("a")
		r.check("a")
	}
}

// TestMark gives a store its identity once, whatever races and gets lost, and keeps clusters apart.
func TestMark(t *testing.T) {
	for seed := range uint64(20) {
		r := newRig(t, seed, 1)
		r.blobs[0].SetFaults(lossy(60 * sim.Percent))
		ids := map[keys.StoreID]int{}
		for i := range 3 {
			p, e := r.env(fmt.Sprintf("star-%d", i))
			p.Go("mark", func(ctx context.Context) {
				store, err := chain.Mark(ctx, e, "cluster", "zone-a", r.blobs[0].Client(p))
				if err != nil {
					t.Error(err)
				}
				ids[store.ID]++
			})
		}
		r.until(time.Hour, func() bool {
			n := 0
			for _, times := range ids {
				n += times
			}
			return n == 3
		})
		if len(ids) != 1 {
			t.Errorf("seed %d: one store has identities %v", seed, ids)
		}
		p, e := r.env("stranger")
		r.do(p, func(ctx context.Context) {
			var foreign *chain.ForeignStoreError
			if _, err := chain.Mark(ctx, e, "other", "zone-a", r.blobs[0].Client(p)); !errors.As(err, &foreign) {
				t.Errorf("another cluster takes the store: %v", err)
			}
		})
	}
}

// TestDamagedMarker refuses a store whose marker cannot be read.
func TestDamagedMarker(t *testing.T) {
	r := newRig(t, 1, 1)
	r.plant(0, keys.StoreMarker, []byte("NOVASTOR but no marker"))
	p, e := r.env("a")
	r.do(p, func(ctx context.Context) {
		if _, err := chain.Mark(ctx, e, "cluster", "zone-a", r.blobs[0].Client(p)); err == nil {
			t.Error("accepted")
		}
	})
}
