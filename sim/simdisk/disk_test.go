package simdisk_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/novastream/nova/io/disk"
	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simdisk"
)

func TestConformance(t *testing.T) {
	for _, c := range iotest.Disk() {
		t.Run(c.Name, func(t *testing.T) {
			w := sim.New(sim.Config{Seed: 1})
			defer w.Close()
			d := simdisk.New(w)
			err := w.Do(time.Hour, func(ctx context.Context) {
				c.Run(iotest.DiskHarness{
					Harness: iotest.Harness{T: t, Ctx: ctx, Run: w.Driver()},
					Disk:    d.Client(w.Process("a1")),
					Reopen:  func() disk.Disk { return d.Client(w.Process("a1")) },
				})
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestDiskOutlivesItsStarUntilItIsWiped(t *testing.T) {
	w := sim.New(sim.Config{Seed: 1})
	defer w.Close()
	d := simdisk.New(w)
	w.JudgeEffects(func(e sim.Effect) sim.Fate {
		if e.Ordinal == 2 {
			return sim.Before
		}
		return sim.Normal
	})
	p := w.Process("a1")
	p.Go("boot", func(ctx context.Context) {
		_ = d.Client(p).Save(ctx, "identity", []byte("one"))
		_ = d.Client(p).Save(ctx, "identity", []byte("two"))
	})
	if err := w.RunFor(time.Second); err != nil {
		t.Fatal(err)
	}
	if got, _ := d.Peek("identity"); string(got) != "one" || p.Alive() {
		t.Errorf("identity %q, alive %v", got, p.Alive())
	}
	d.Wipe("a1")
	p = w.Process("a1")
	p.Go("boot", func(ctx context.Context) {
		if _, err := d.Client(p).Load(ctx, "identity"); !errors.Is(err, disk.ErrNotFound) {
			t.Errorf("after the wipe: %v", err)
		}
	})
	if err := w.RunFor(time.Second); err != nil {
		t.Fatal(err)
	}
}
