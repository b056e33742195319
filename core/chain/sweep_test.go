package chain_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/keys"
)

// TestPoisonStays sweeps an epoch whose writer is paused: the poison at the cut stays, until the owner itself has ended it.
func TestPoisonStays(t *testing.T) {
	r := newRig(t, 3, 3)
	s := r.boot("a")
	epoch := s.writing()
	r.p(s, 10, 600)
	r.pass(4 * time.Millisecond)
	s.p.Pause()
	f := r.fencer("b")
	cut, err := f.end("a", epoch)
	if err != nil {
		t.Fatal(err)
	}
	at := keys.SlotObject("a", epoch, cut)
	sweep := func() {
		r.do(f.p, func(ctx context.Context) {
			if err := f.sweep(ctx, "a", epoch); err != nil {
				t.Error(err)
			}
		})
	}
	sweep()
	if held := r.held(at); held < 2 {
		t.Errorf("%d stores hold the poison at the cut after a sweep", held)
	}
	s.p.Resume()
	r.until(time.Minute, func() bool { _, closed := s.closed[epoch]; return closed })
	s.writing() // minted again: the owner has ended the epoch
	r.settle(f, "a", epoch)
	sweep()
	if held := r.held(at); held != 0 {
		t.Errorf("%d stores hold the poison at the cut after the owner moved on", held)
	}
	r.check("a")
	for _, b := range r.blobs {
		for _, info := range b.All(keys.EpochObjects("a", epoch)) {
			if _, _, slot, _ := keys.ParseSlotObject(info.Key); slot >= cut {
				t.Errorf("%s is left above the cut", info.Key)
			}
		}
	}
}

// held counts the stores that hold anything under a key.
func (r *rig) held(key string) (n int) {
	for _, b := range r.blobs {
		if _, there := b.Peek(key); there {
			n++
		}
	}
	return n
}

// settle marks an epoch settled, as if refs covered it.
func (r *rig) settle(f *fencer, star keys.StarID, epoch keys.Epoch) {
	r.Helper()
	r.do(f.p, func(ctx context.Context) {
		row, err := f.fence(ctx, star, epoch)
		if err == nil {
			row.Value.Settle()
			_, err = chain.Replace(ctx, r.meta.Spaces(f.p).Records, row)
		}
		if err != nil {
			r.Error(err)
		}
	})
}
