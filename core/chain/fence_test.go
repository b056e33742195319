package chain_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
)

// fencer is a process that ends epochs.
type fencer struct {
	*rig
	p      *sim.Process
	stores *chain.Stores
	fence  func(ctx context.Context, star keys.StarID, epoch keys.Epoch) (chain.Row, error)
	sweep  func(ctx context.Context, star keys.StarID, epoch keys.Epoch) error
	walk   func(ctx context.Context, row chain.Row) ([]format.Entry, error)
}

func (r *rig) fencer(name string) *fencer {
	p, e := r.env(name)
	f := &fencer{rig: r, p: p, stores: chain.NewStores(r.set(p))}
	f.fence = func(ctx context.Context, star keys.StarID, epoch keys.Epoch) (chain.Row, error) {
		return chain.Fence(ctx, e, f.stores, star, epoch)
	}
	f.sweep = func(ctx context.Context, star keys.StarID, epoch keys.Epoch) error {
		return chain.Sweep(ctx, e, f.stores, star, epoch)
	}
	f.walk = func(ctx context.Context, row chain.Row) (all []format.Entry, err error) {
		cut, _ := row.Cut()
		err = chain.Walk(ctx, e, f.stores, row, row.Checkpoint(), cut, func(_ keys.Slot, entries []format.Entry) bool {
			all = append(all, entries...)
			return true
		})
		return all, err
	}
	return f
}

// end fences one epoch and gives its cut.
func (f *fencer) end(star keys.StarID, epoch keys.Epoch) (cut keys.Slot, err error) {
	f.Helper()
	f.do(f.p, func(ctx context.Context) {
		var row chain.Row
		row, err = f.fence(ctx, star, epoch)
		if err == nil {
			cut, _ = row.Cut()
		}
	})
	return cut, err
}

// TestFenceDeadStar ends the epoch of a star that died in the middle of its writes.
func TestFenceDeadStar(t *testing.T) {
	for _, stores := range []int{1, 3, 5} {
		for seed := range uint64(20) {
			t.Run(fmt.Sprintf("%d stores, seed %d", stores, seed), func(t *testing.T) {
				r := newRig(t, seed, stores)
				s := r.boot("a")
				s.writing()
				r.p(s, 40, 600)
				r.pass(time.Duration(seed) * time.Millisecond)
				s.p.Kill()
				f := r.fencer("b")
				cut, err := f.end("a", 1)
				if err != nil || cut < s.prefix[1] {
					t.Fatalf("cut %d, %v; the durable prefix ended at %d", cut, err, s.prefix[1])
				}
				again, err := f.end("a", 1)
				if err != nil || again != cut {
					t.Fatalf("fenced again: cut %d, %v", again, err)
				}
				var entries []format.Entry
				r.do(f.p, func(ctx context.Context) {
					row, err := f.fence(ctx, "a", 1)
					if err == nil {
						entries, err = f.walk(ctx, row)
					}
					if err != nil {
						t.Error(err)
					}
				})
				if len(entries) < int(cut) {
					t.Errorf("a walk of %d slots gives %d windows", cut, len(entries))
				}
				r.check("a")
			})
		}
	}
}

// p appends batches of one stream after the other.
func (r *rig) p(s *star, batches, bytes int) {
	for i := range batches {
		s.append(fmt.Sprintf("s%d", i%5), bytes)
	}
}

// TestFenceLiveZombie ends the epoch of a star that goes on writing. The zombie meets the poison, closes, and mints anew.
func TestFenceLiveZombie(t *testing.T) {
	for _, stores := range []int{1, 3, 5} {
		for seed := range uint64(20) {
			t.Run(fmt.Sprintf("%d stores, seed %d", stores, seed), func(t *testing.T) {
				r := newRig(t, seed, stores)
				s := r.boot("a")
				epoch := s.writing()
				stop := false
				s.p.Go("load", func(ctx context.Context) {
					for !stop && s.p.Sleep(ctx, time.Millisecond) == nil {
						s.append("s", 700)
					}
				})
				r.pass(100 * time.Millisecond)
				f, g := r.fencer("b"), r.fencer("c")
				g.p.Go("second", func(ctx context.Context) { _, _ = g.fence(ctx, "a", epoch) })
				cut, err := f.end("a", epoch)
				if err != nil {
					t.Fatal(err)
				}
				r.until(time.Minute, func() bool { _, closed := s.closed[epoch]; return closed })
				if s.closed[epoch] != cut {
					t.Errorf("the owner closed at %d, the cut is %d", s.closed[epoch], cut)
				}
				if next := s.writing(); next <= epoch {
					t.Errorf("minted %d after %d", next, epoch)
				}
				stop = true
				r.pass(time.Second)
				s.p.Kill()
				r.fenceAll("a")
				r.check("a")
				if r.outcomes()[chain.NotAppended] == 0 {
					t.Error("nothing failed as not appended")
				}
			})
		}
	}
}

// TestFenceResumes kills a fencer at each of its steps; another comes to an end.
func TestFenceResumes(t *testing.T) {
	for _, step := range []string{"fence.row", "fence.ahead", "fence.complete", "fence.poison", "fence.cut"} {
		for after := range 2 {
			t.Run(fmt.Sprintf("%s, %d", step, after), func(t *testing.T) {
				r := newRig(t, 7, 3)
				s := r.boot("a")
				s.writing()
				r.blobs[2].SetDark(true)
				r.blobs[1].SetFaults(lossy(100 * sim.Percent))
				r.p(s, 6, 1500) // lands in the first zone, perhaps in the second
				r.pass(2 * time.Second)
				s.p.Kill()
				r.heal()
				f, seen := r.fencer("b"), 0
				r.world.OnStep(func(p *sim.Process, name string) {
					if p == f.p && name == step {
						if seen == after {
							p.Kill()
						}
						seen++
					}
				})
				f.p.Go("fence", func(ctx context.Context) { _, _ = f.fence(ctx, "a", 1) })
				r.pass(time.Minute)
				if _, err := r.fencer("c").end("a", 1); err != nil {
					t.Fatal(err)
				}
				r.check("a")
			})
		}
	}
}

// TestFenceIsUnavailable shows when a fencer does not answer: stores missing here, or too few that answer. It never poisons
// then, and never guesses.
func TestFenceIsUnavailable(t *testing.T) {
	r := newRig(t, 1, 3)
	s := r.boot("a")
	s.writing()
	r.p(s, 10, 600)
	r.pass(time.Second)
	s.p.Kill()

	lone, e := r.env("lone")
	r.do(lone, func(ctx context.Context) {
		only := r.set(lone)
		only.Stores = only.Stores[:2]
		_, err := chain.Fence(ctx, e, chain.NewStores(only), "a", 1)
		var missing *chain.MissingStoreError
		if !errors.Is(err, chain.ErrUnavailable) || !errors.As(err, &missing) || missing.Store != "store-2" {
			t.Errorf("a star without one of the stores: %v", err)
		}
	})
	if r.row("a", 1).State != records.ChainState_CHAIN_STATE_ACTIVE {
		t.Error("a star that cannot finish fenced the row")
	}

	r.blobs[0].SetDark(true)
	r.blobs[1].SetDark(true)
	f := r.fencer("b")
	puts := r.puts()
	if _, err := f.end("a", 1); !errors.Is(err, chain.ErrUnavailable) {
		t.Errorf("two of three stores dark: %v", err)
	}
	if r.puts() != puts {
		t.Error("a fencer that reaches too few stores poisons")
	}
	r.blobs[1].SetDark(false)
	if _, err := f.end("a", 1); err != nil {
		t.Errorf("one of three stores dark: %v", err)
	}
	r.blobs[0].SetDark(false)
	r.check("a")
}

// TestFenceBesideDarkZone ends an epoch of many slots while one zone is dark: it waits for that zone once, not at each slot.
func TestFenceBesideDarkZone(t *testing.T) {
	r := newRig(t, 1, 3)
	s := r.boot("a")
	s.writing()
	for i := range 200 {
		s.append("s", 2100)
		r.until(time.Minute, func() bool { return r.acked == i+1 })
	}
	s.p.Kill()
	r.blobs[0].SetDark(true)
	f := r.fencer("b")
	from := r.world.Now()
	cut, err := f.end("a", 1)
	if err != nil || cut != 200 {
		t.Fatalf("cut %d, %v", cut, err)
	}
	r.do(f.p, func(ctx context.Context) {
		row, _ := f.fence(ctx, "a", 1)
		if entries, err := f.walk(ctx, row); err != nil || len(entries) != 200 {
			t.Errorf("walk: %d windows, %v", len(entries), err)
		}
	})
	if took := r.world.Now() - from; took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	r.blobs[0].SetDark(false)
	r.check("a")
}

// TestStrayPoisonBesideDarkStore is the state that nobody may decide: one store dark, one poisoned, one with the flight.
func TestStrayPoisonBesideDarkStore(t *testing.T) {
	r := newRig(t, 1, 3)
	s := r.boot("a")
	s.writing()
	s.append("s", 10)
	r.until(time.Minute, func() bool { return r.acked == 1 })
	s.p.Kill()
	header := format.Header{Star: "a", Boot: s.env.Boot, Epoch: 1, Slot: 1, Class: records.Class_CLASS_EXPRESS}
	flight, _, _ := format.EncodeFlight(header, nil)
	r.plant(0, header.Key(), flight)
	r.plant(1, header.Key(), format.EncodePoison(header, format.Poison{By: "x"}))
	r.blobs[2].SetDark(true)
	f := r.fencer("b")
	if _, err := f.end("a", 1); !errors.Is(err, chain.ErrUnavailable) {
		t.Fatalf("decided: %v", err)
	}
	r.blobs[2].SetDark(false)
	cut, err := f.end("a", 1)
	if err != nil || cut != 2 { // the dark store had nothing: the flight was completed there
		t.Fatalf("cut %d, %v; want 2", cut, err)
	}
	r.check("a")
}

// plant puts an object into one store, as a process of its own.
func (r *rig) plant(store int, key string, object []byte) {
	p := r.world.Process("gardener")
	b := r.blobs[store].Client(p)
	r.do(p, func(ctx context.Context) { _, _ = b.PutIfAbsent(ctx, key, object) })
	p.Kill()
}

// TestDamagedCopyIsNoVote damages a copy at rest: it counts for nothing, the intact ones decide.
func TestDamagedCopyIsNoVote(t *testing.T) {
	r := newRig(t, 1, 3)
	s := r.boot("a")
	s.writing()
	r.p(s, 3, 1500)
	r.pass(time.Second)
	s.p.Kill()
	r.blobs[1].Damage(keys.SlotObject("a", 1, 1), 999)
	cut, err := r.fencer("b").end("a", 1)
	if err != nil || cut != s.prefix[1] {
		t.Fatalf("cut %d, %v; the prefix ended at %d", cut, err, s.prefix[1])
	}
}

// TestHeadWithoutRow fences an epoch that was numbered and never begun; its minter comes too late.
func TestHeadWithoutRow(t *testing.T) {
	r := newRig(t, 1, 1)
	r.world.JudgeEffects(func(e sim.Effect) sim.Fate {
		if e.Step == "mint.row" && e.Process.Boot() == 1 && e.Process.Name() == "a" {
			return sim.Late
		}
		return sim.Normal
	})
	r.boot("a")
	r.until(time.Minute, func() bool { return r.world.Held() == 1 })
	r.world.JudgeEffects(nil)
	cut, err := r.fencer("b").end("a", 1)
	if err != nil || cut != 0 {
		t.Fatalf("cut %d, %v", cut, err)
	}
	r.world.Release() // the create lands now
	s := r.boot("a")
	if epoch := s.writing(); epoch != 2 {
		t.Errorf("the next epoch is %d", epoch)
	}
	if row := r.row("a", 1); row.State != records.ChainState_CHAIN_STATE_FENCED || row.Cut == nil {
		t.Errorf("the late create won: %v", row)
	}
	if len(r.epochs("a")) != 2 || r.meta.Len(simmeta.Records) != 3 {
		t.Errorf("rows: %v", r.epochs("a"))
	}
}
