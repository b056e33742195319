package chain_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/simnet"
)

// rig is a world with a metastore and a few stores, in which stars write chains and others fence them. It watches what
// nobody in the world can see, and holds it against the invariants of the chains page.
type rig struct {
	testing.TB
	world  *sim.World
	net    *simnet.Network
	meta   *simmeta.Store
	blobs  []*simblob.Store
	bugs   planted.Set
	quorum int

	batches  []*batch
	barriers int
	acked    int
	broken   []string // invariants seen broken
}

// batch is one batch on its way, and what became of it.
type batch struct {
	id      string
	epoch   keys.Epoch
	star    keys.StarID
	times   int // Done was called
	outcome chain.Outcome
}

func newRig(t testing.TB, seed uint64, stores int) *rig {
	w := sim.New(sim.Config{Seed: seed})
	t.Cleanup(w.Close)
	net := simnet.New(w, simnet.Config{})
	r := &rig{TB: t, world: w, net: net, meta: simmeta.New(net, simmeta.Config{}), quorum: stores/2 + 1}
	for i := range stores {
		r.blobs = append(r.blobs, simblob.New(net, fmt.Sprintf("zone-%c", 'a'+i), simblob.Zonal()))
	}
	r.meta.OnWrite(r.watchRow)
	return r
}

// violate remembers a broken invariant; check fails the test with them.
func (r *rig) violate(format string, args ...any) {
	r.broken = append(r.broken, fmt.Sprintf("at %v: ", r.world.Now())+fmt.Sprintf(format, args...))
}

// watchRow checks every change of an epoch row: one cut for ever, cursors and state never go back.
func (r *rig) watchRow(w simmeta.Write) {
	if _, err := keys.ParseEpochRow(w.Key); w.Space != simmeta.Records || err != nil || w.Key[:7] != "chains/" {
		return
	}
	if w.New == nil {
		r.violate("row %s was deleted", w.Key)
		return
	}
	was, is := &records.ChainEpoch{}, &records.ChainEpoch{}
	if w.Old != nil {
		_ = proto.Unmarshal(w.Old.Value, was)
	}
	_ = proto.Unmarshal(w.New.Value, is)
	switch {
	case was.Cut != nil && is.GetCut() != was.GetCut():
		r.violate("row %s has two cuts: %d and %d", w.Key, was.GetCut(), is.GetCut())
	case is.Checkpoint < was.Checkpoint, is.Cut != nil && is.Checkpoint > is.GetCut(), is.State < was.State:
		r.violate("row %s went back: %v after %v", w.Key, is, was)
	case is.State == records.ChainState_CHAIN_STATE_SETTLED && is.Checkpoint != is.GetCut():
		r.violate("row %s is settled at checkpoint %d of cut %d", w.Key, is.Checkpoint, is.GetCut())
	}
}

// star is one process life with the writer of one class.
type star struct {
	*rig
	p        *sim.Process
	env      env.Env
	stores   *chain.Stores
	writer   *chain.Writer
	ended    map[keys.Epoch]bool
	stopping bool // told to stop
	closed   map[keys.Epoch]keys.Slot
	next     map[keys.StreamID]keys.Seq
	prefix   map[keys.Epoch]keys.Slot
}

// env is the environment of a new process life.
func (r *rig) env(name string) (*sim.Process, env.Env) {
	p := r.world.Process(name)
	return p, env.Env{Run: p, Meta: r.meta.Spaces(p), Star: keys.StarID(name), Boot: keys.BootID(fmt.Sprintf("%s-%d", name, p.Boot())), Bugs: r.bugs}
}

// set is the store set as one process reaches it, with a writer of small numbers.
func (r *rig) set(p *sim.Process) chain.Set {
	var stores []chain.Store
	for i, b := range r.blobs {
		stores = append(stores, chain.Store{ID: keys.StoreID(fmt.Sprintf("store-%d", i)), Zone: b.Endpoint(), Blob: b.Client(p)})
	}
	set, err := chain.Express(stores)
	if err != nil {
		r.Fatal(err)
	}
	set.FlightBytes, set.Window = 2000, 4
	return set
}

// boot starts a process life of a star, and its writer.
func (r *rig) boot(name string) *star {
	p, e := r.env(name)
	set := r.set(p)
	s := &star{
		rig: r, p: p, env: e, stores: chain.NewStores(set),
		ended: map[keys.Epoch]bool{}, closed: map[keys.Epoch]keys.Slot{},
		next: map[keys.StreamID]keys.Seq{}, prefix: map[keys.Epoch]keys.Slot{},
	}
	s.writer = chain.NewWriter(e, set, s)
	p.Go("writer", s.writer.Run)
	return s
}

// Durable checks that the flight is in the durable prefix: in slot order, whole in a quorum of stores, below any cut.
func (s *star) Durable(f *chain.Flight) {
	if s.prefix[f.Epoch] != f.Slot {
		s.violate("flight of slot %d comes after slot %d", f.Slot, s.prefix[f.Epoch])
	}
	s.prefix[f.Epoch] = f.Slot + 1
	if s.ended[f.Epoch] {
		s.violate("slot %d of epoch %d is durable after its end", f.Slot, f.Epoch)
	}
	if n := s.copies(keys.SlotObject(s.env.Star, f.Epoch, f.Slot)); n < s.quorum {
		s.violate("slot %d of epoch %d is told durable with %d copies", f.Slot, f.Epoch, n)
	}
}

// Ended checks that somebody made the epoch end: a stop of the star, or a fencer.
func (s *star) Ended(epoch keys.Epoch) {
	s.ended[epoch] = true
	if !s.stopping && s.row(s.env.Star, epoch).State == records.ChainState_CHAIN_STATE_ACTIVE {
		s.violate("epoch %d of %s ends, and nobody fenced it", epoch, s.env.Boot)
	}
}

func (s *star) Closed(epoch keys.Epoch, cut keys.Slot) {
	if !s.ended[epoch] {
		s.violate("epoch %d is closed before it ended", epoch)
	}
	s.closed[epoch] = cut
}

// close stops the star cleanly.
func (s *star) close(ctx context.Context) error {
	s.stopping = true
	return s.writer.Close(ctx)
}

// append sends one batch of a stream that belongs to the current epoch alone.
func (s *star) append(stream string, bytes int) *batch {
	epoch, ok := s.writer.Current()
	if !ok {
		return nil
	}
	id := keys.StreamID(fmt.Sprintf("%s-%s-%d", stream, s.env.Boot, epoch))
	b := &batch{id: fmt.Sprintf("%s:%d", id, s.next[id]), epoch: epoch, star: s.env.Star}
	body := append([]byte(b.id+" "), make([]byte, bytes)...)
	raw := format.AppendBatch(nil, format.Batch{Records: []format.Record{{Body: body}}})
	err := s.writer.Append(chain.Batch{
		Stream: id, StreamEpoch: 1, Epoch: epoch, First: s.next[id], Count: 1, Raw: raw,
		Done: func(o chain.Outcome) { s.done(b, o) },
	})
	if err != nil {
		s.violate("append to the current epoch %d: %v", epoch, err)
	}
	s.next[id]++
	s.batches = append(s.batches, b)
	return b
}

func (r *rig) done(b *batch, o chain.Outcome) {
	b.times++
	b.outcome = o
	if b.times > 1 {
		r.violate("batch %s is resolved twice", b.id)
	}
	if o == chain.Durable {
		r.acked++
	}
}

// barrier asks for a barrier; when it is confirmed, nobody may have cut the epoch before it was asked for.
func (s *star) barrier() {
	epoch, ok := s.writer.Current()
	if !ok {
		return
	}
	row := s.row(s.env.Star, epoch)
	cut := row.Cut != nil
	_ = s.writer.Barrier(epoch, func(o chain.Outcome) {
		s.barriers++
		if o == chain.Durable && cut {
			s.violate("a barrier of epoch %d is confirmed, asked for after its cut was published", epoch)
		}
	})
}

// row is an epoch row as it is.
func (r *rig) row(name keys.StarID, epoch keys.Epoch) *records.ChainEpoch {
	row := &records.ChainEpoch{}
	if rec, ok := r.meta.Peek(simmeta.Records, keys.EpochRow(name, epoch)); ok {
		_ = proto.Unmarshal(rec.Value, row)
	}
	return row
}

// copies counts the stores that hold a valid flight under a key.
func (r *rig) copies(key string) (n int) {
	for _, b := range r.blobs {
		if o, err := format.Decode(key, peek(b, key)); err == nil && o.Kind == format.KindFlight {
			n++
		}
	}
	return n
}

func peek(b *simblob.Store, key string) []byte {
	object, _ := b.Peek(key)
	return object
}

// epochs are the epochs of a star that have a row.
func (r *rig) epochs(name keys.StarID) (all []keys.Epoch) {
	for _, rec := range r.meta.All(simmeta.Records, keys.ChainObjects(name)) {
		if epoch, err := keys.ParseEpochRow(rec.Key); err == nil {
			all = append(all, epoch)
		}
	}
	return all
}

// do runs fn as a task of a process until it returns.
func (r *rig) do(p *sim.Process, fn func(ctx context.Context)) {
	r.Helper()
	finished := false
	p.Go("do", func(ctx context.Context) {
		fn(ctx)
		finished = true
	})
	r.until(10*time.Minute, func() bool { return finished })
}

func (r *rig) until(limit time.Duration, done func() bool) {
	r.Helper()
	if err := r.world.RunUntil(limit, done); err != nil {
		r.Fatalf("seed %d: %v\n%v", r.world.Seed(), err, r.broken)
	}
}

func (r *rig) pass(d time.Duration) {
	r.Helper()
	if err := r.world.RunFor(d); err != nil {
		r.Fatalf("seed %d: %v\n%v", r.world.Seed(), err, r.broken)
	}
}

// writing waits until the star has an epoch to write into.
func (s *star) writing() keys.Epoch {
	s.Helper()
	s.until(10*time.Minute, func() bool { _, ok := s.writer.Current(); return ok })
	epoch, _ := s.writer.Current()
	return epoch
}

// heal ends every fault, and releases what was held.
func (r *rig) heal() {
	for _, b := range r.blobs {
		b.SetFaults(simblob.Faults{})
		b.SetDark(false)
	}
	r.meta.SetFaults(simmeta.Faults{})
	r.net.Heal()
	r.world.JudgeEffects(nil)
	r.world.Release()
}
