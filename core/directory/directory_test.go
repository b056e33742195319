package directory_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/novastream/nova/core/directory"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/simnet"
)

// rig is a metastore, and a process that uses its names.
type rig struct {
	testing.TB
	world *sim.World
	meta  *simmeta.Store
	p     *sim.Process
	env   env.Env
	name  peer.StreamName
}

func newRig(t testing.TB, seed uint64) *rig {
	w := sim.New(sim.Config{Seed: seed})
	t.Cleanup(w.Close)
	r := &rig{TB: t, world: w, meta: simmeta.New(simnet.New(w, simnet.Config{}), simmeta.Config{}), p: w.Process("star"), name: peer.StreamName{Bucket: "b", Key: "a/b//c"}}
	r.env = env.Env{Run: r.p, Meta: r.meta.Spaces(r.p), Star: "star", Boot: "boot"}
	return r
}

func (r *rig) do(task func(ctx context.Context)) {
	r.Helper()
	done := false
	r.p.Go("do", func(ctx context.Context) {
		task(ctx)
		done = true
	})
	if err := r.world.RunUntil(time.Hour, func() bool { return done }); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) bucket(ctx context.Context, b peer.Bucket) {
	if _, err := directory.CreateBucket(ctx, r.env, b); err != nil {
		r.Error(err)
	}
}

func (r *rig) create(ctx context.Context) (directory.Descriptor, error) {
	return directory.CreateStream(ctx, r.env, peer.CreateStreamRequest{Stream: r.name})
}

// bury makes the descriptor a tombstone, as a deletion does.
func (r *rig) bury(ctx context.Context) {
	d, _, err := directory.Read(ctx, r.env.Meta.Naming.Fresh(), r.name)
	if err == nil {
		d.Value.Bury()
		_, err = directory.Put(ctx, r.env.Meta.Naming, d.Value, meta.At(d.Version))
	}
	if err != nil {
		r.Error(err)
	}
}

// TestANameIsTakenOnce: and is free again behind a tombstone, for another id that remembers the one before.
func TestANameIsTakenOnce(t *testing.T) {
	r := newRig(t, 1)
	r.do(func(ctx context.Context) {
		if _, err := r.create(ctx); !peer.Is(err, peer.NotFound) {
			t.Errorf("without its bucket: %v", err)
		}
		r.bucket(ctx, peer.Bucket{Name: "b", Mode: peer.ModeFenced, Class: peer.ClassExpress})
		if _, err := directory.CreateBucket(ctx, r.env, peer.Bucket{Name: "b"}); !peer.Is(err, peer.AlreadyExists) {
			t.Errorf("the bucket twice: %v", err)
		}
		first, err := r.create(ctx)
		if err != nil || directory.StreamOf(first.Value).Mode != peer.ModeFenced || directory.StreamOf(first.Value).Class != peer.ClassExpress {
			t.Errorf("%+v, %v", first, err)
		}
		if _, err := r.create(ctx); !peer.Is(err, peer.AlreadyExists) {
			t.Errorf("the name twice: %v", err)
		}
		r.bury(ctx)
		if _, err := directory.Resolve(ctx, r.env.Meta.Naming, r.name); !peer.Is(err, peer.NotFound) {
			t.Errorf("a tombstone: %v", err)
		}
		second, err := r.create(ctx)
		if err != nil || second.ID == first.ID || len(second.Value.GetReplacedIds()) != 1 || second.Value.GetReplacedIds()[0] != string(first.ID) {
			t.Errorf("%+v, %v", second, err)
		}
		if found, err := directory.Resolve(ctx, r.env.Meta.Naming, r.name); err != nil || found.ID != second.ID || found.Version != second.Version {
			t.Errorf("%+v, %v; created %+v", found, err, second)
		}
	})
}

// TestAbsenceIsJudgedFresh: what was created is found at once, and what was freed is free at once, by whoever was told, though
// plain reads are answered from the past.
func TestAbsenceIsJudgedFresh(t *testing.T) {
	for seed := range uint64(20) {
		r := newRig(t, seed)
		r.meta.SetFaults(simmeta.Faults{StaleReads: sim.Always, StaleUpto: 10 * time.Second})
		r.do(func(ctx context.Context) {
			r.bucket(ctx, peer.Bucket{Name: "b"})
			if _, err := directory.DescribeBucket(ctx, r.env.Meta.Naming, "b"); err != nil {
				t.Errorf("seed %d: the bucket: %v", seed, err)
			}
			for range 3 {
				if _, err := r.create(ctx); err != nil {
					t.Errorf("seed %d: create: %v", seed, err)
				}
				if _, err := directory.Resolve(ctx, r.env.Meta.Naming, r.name); err != nil {
					t.Errorf("seed %d: resolve: %v", seed, err)
				}
				r.bury(ctx)
			}
		})
	}
}

// TestLostAnswers: whatever becomes of the answer of a create, it is told as what it was.
func TestLostAnswers(t *testing.T) {
	for _, fate := range []sim.Fate{sim.Lost, sim.Refused} {
		r := newRig(t, 3)
		r.do(func(ctx context.Context) { r.bucket(ctx, peer.Bucket{Name: "b"}) })
		r.world.JudgeEffects(func(e sim.Effect) sim.Fate { return fate })
		r.do(func(ctx context.Context) {
			d, err := r.create(ctx)
			if created := err == nil && d.ID != ""; created != (fate == sim.Lost) {
				t.Errorf("%s: the stream: %+v, %v", fate, d, err)
			}
			b, err := directory.CreateBucket(ctx, r.env, peer.Bucket{Name: "c"})
			if created := err == nil && b.Name == "c"; created != (fate == sim.Lost) {
				t.Errorf("%s: the bucket: %+v, %v", fate, b, err)
			}
		})
	}
}

// TestListings: pages in name order, prefixes, tombstones left out.
func TestListings(t *testing.T) {
	r := newRig(t, 4)
	r.do(func(ctx context.Context) {
		for _, b := range []string{"b", "bb", "c"} {
			r.bucket(ctx, peer.Bucket{Name: b})
		}
		var keys []string
		for i := range 10 {
			keys = append(keys, fmt.Sprintf("k/%d", i))
			for _, b := range []string{"b", "bb"} {
				stream := peer.StreamName{Bucket: b, Key: keys[i]}
				if _, err := directory.CreateStream(ctx, r.env, peer.CreateStreamRequest{Stream: stream}); err != nil {
					t.Error(err)
				}
			}
		}
		r.name = peer.StreamName{Bucket: "b", Key: keys[1]}
		r.bury(ctx)
		want := append(keys[:1:1], keys[2:]...)
		var got []string
		for after := ""; ; {
			page, err := directory.ListStreams(ctx, r.env.Meta.Naming, "b", peer.Page{Prefix: "k/", After: after, Limit: 3})
			if err != nil {
				t.Error(err)
			}
			if len(page) == 0 {
				break
			}
			for _, s := range page {
				got = append(got, s.Name.Key)
			}
			after = got[len(got)-1]
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if buckets, err := directory.ListBuckets(ctx, r.env.Meta.Naming, peer.Page{Prefix: "b"}); err != nil || len(buckets) != 2 {
			t.Errorf("%v, %v", buckets, err)
		}
		if buckets, err := directory.ListBuckets(ctx, r.env.Meta.Naming, peer.Page{After: "b", Limit: 1}); err != nil || len(buckets) != 1 || buckets[0].Name != "bb" {
			t.Errorf("%v, %v", buckets, err)
		}
		if _, err := directory.ListStreams(ctx, r.env.Meta.Naming, "nope", peer.Page{}); !peer.Is(err, peer.NotFound) {
			t.Errorf("a bucket that is not there: %v", err)
		}
	})
}

// TestNames: what breaks the rules of names is refused before anything is asked.
func TestNames(t *testing.T) {
	r := newRig(t, 5)
	r.do(func(ctx context.Context) {
		for _, bad := range []peer.StreamName{{}, {Bucket: "b"}, {Bucket: "B", Key: "k"}, {Bucket: "b/c", Key: "k"}, {Bucket: "b", Key: "\x00"}, {Bucket: "b", Key: "\xff"}} {
			if _, err := directory.Resolve(ctx, r.env.Meta.Naming, bad); !peer.Is(err, peer.Invalid) {
				t.Errorf("%q: %v", bad, err)
			}
			if _, err := directory.CreateStream(ctx, r.env, peer.CreateStreamRequest{Stream: bad}); !peer.Is(err, peer.Invalid) {
				t.Errorf("creating %q: %v", bad, err)
			}
		}
		if _, err := directory.CreateBucket(ctx, r.env, peer.Bucket{Name: "../etc"}); !peer.Is(err, peer.Invalid) {
			t.Errorf("%v", err)
		}
	})
}
