package absorb_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/core/absorb"
	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/core/refs"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/simnet"
)

// rig is a world in which stars write and absorb streams that move between them, through a gate as simple as it can be.
// It watches what nobody in the world can see.
type rig struct {
	testing.TB
	world  *sim.World
	net    *simnet.Network
	meta   *simmeta.Store
	blob   *simblob.Store
	bugs   planted.Set
	fanout int
	acked  map[keys.StreamID]map[keys.Seq]string // what was acknowledged, by seq
	failed map[string]bool                       // what failed as not appended
	broken []string
}

func newRig(t testing.TB, seed uint64) *rig {
	w := sim.New(sim.Config{Seed: seed})
	t.Cleanup(w.Close)
	net := simnet.New(w, simnet.Config{})
	r := &rig{
		TB: t, world: w, net: net, meta: simmeta.New(net, simmeta.Config{}), blob: simblob.New(net, "standard", simblob.Zonal()), fanout: 4096,
		acked: map[keys.StreamID]map[keys.Seq]string{}, failed: map[string]bool{},
	}
	r.meta.OnWrite(r.watch)
	return r
}

func (r *rig) violate(format string, args ...any) {
	r.broken = append(r.broken, fmt.Sprintf("at %v: ", r.world.Now())+fmt.Sprintf(format, args...))
}

// watch checks every change of a row: a checkpoint rests on coverage, a tail never falls.
func (r *rig) watch(w simmeta.Write) {
	switch {
	case w.Space != simmeta.Records:
	case strings.HasPrefix(w.Key, "chains/") && strings.Count(w.Key, "/") == 2:
		r.watchEpoch(w)
	case strings.Contains(w.Key, "/refs/") && w.New == nil:
		id := keys.StreamID(strings.Split(w.Key, "/")[1])
		old := &records.RefRow{}
		_ = proto.Unmarshal(w.Old.Value, old)
		first, _ := keys.ParseRefRow(w.Key)
		if rows := r.rows(id); len(rows) == 0 || rows[len(rows)-1].First < first {
			r.violate("the anchor of stream %s was deleted", id)
		}
	}
}

func (r *rig) watchEpoch(w simmeta.Write) {
	was, is := &records.ChainEpoch{}, &records.ChainEpoch{}
	if w.Old != nil {
		_ = proto.Unmarshal(w.Old.Value, was)
	}
	_ = proto.Unmarshal(w.New.Value, is)
	if is.Checkpoint < was.Checkpoint {
		r.violate("the checkpoint of %s fell", w.Key)
	}
	for slot := was.Checkpoint; slot < is.Checkpoint; slot++ {
		key := fmt.Sprintf("%s/%020d", w.Key, slot)
		object, _ := r.blob.Peek(key)
		o, err := format.Decode(key, object)
		if err != nil || o.Kind != format.KindFlight {
			r.violate("slot %s lies below the checkpoint and holds no flight: %v", key, err)
			continue
		}
		for _, e := range o.Entries {
			if tail := r.tail(e.Stream); tail < e.End() && !r.writerRow(e.Stream).Deleted {
				r.violate("%s moved its checkpoint to %d by %s; stream %s is covered up to %d, slot %d holds up to %d", w.Key, is.Checkpoint, w.By, e.Stream, tail, slot, e.End())
			}
		}
	}
}

// rows are the ref rows of a stream as they are.
func (r *rig) rows(id keys.StreamID) (rows []refs.Row) {
	for _, rec := range r.meta.All(simmeta.Records, keys.RefsPrefix(id)+"/") {
		first, _ := keys.ParseRefRow(rec.Key)
		row := refs.Row{First: first, Version: rec.Version, Value: &records.RefRow{}}
		_ = proto.Unmarshal(rec.Value, row.Value)
		rows = append(rows, row)
	}
	return rows
}

func (r *rig) tail(id keys.StreamID) keys.Seq {
	rows := r.rows(id)
	if len(rows) == 0 {
		return 0
	}
	return rows[len(rows)-1].End()
}

func (r *rig) writerRow(id keys.StreamID) *records.Writer {
	row := &records.Writer{}
	if rec, ok := r.meta.Peek(simmeta.Records, keys.WriterRow(id)); ok {
		_ = proto.Unmarshal(rec.Value, row)
	}
	return row
}

// star is one process life with a writer and an absorber.
type star struct {
	*rig
	p        *sim.Process
	env      env.Env
	stores   *chain.Stores
	writer   *chain.Writer
	absorber *absorb.Absorber
	led      map[keys.StreamID]*lead
	opening  map[keys.StreamID]bool
}

// lead is a leadership of one stream: as little as an honest test needs.
type lead struct {
	epoch keys.StreamEpoch
	chain keys.Epoch
	next  keys.Seq
	acked keys.Seq
}

// boot starts a process life of a star with its writer and absorber.
func (r *rig) boot(name string) *star {
	s := r.life(name)
	s.p.Go("writer", s.writer.Run)
	s.p.Go("absorber", s.absorber.Run)
	return s
}

// life is a process life of a star that writes nothing.
func (r *rig) life(name string) *star {
	p := r.world.Process(name)
	e := env.Env{Run: p, Meta: r.meta.Spaces(p), Star: keys.StarID(name), Boot: keys.BootID(fmt.Sprintf("%s-%d", name, p.Boot())), Bugs: r.bugs}
	set := chain.Standard(chain.Store{ID: "store", Zone: "standard", Blob: r.blob.Client(p)})
	set.FlightBytes, set.Window = 2000, 4
	s := &star{rig: r, p: p, env: e, stores: chain.NewStores(set), led: map[keys.StreamID]*lead{}, opening: map[keys.StreamID]bool{}}
	s.absorber = absorb.New(e, s.stores, set.Class, r.fanout, absorb.Hooks{Covered: s.covered, Fenced: func(epoch keys.Epoch) { s.writer.Fenced(epoch) }})
	s.writer = chain.NewWriter(e, set, s)
	return s
}

// covered checks that refs reach as far as is claimed.
func (s *star) covered(id keys.StreamID, end keys.Seq) {
	if tail := s.tail(id); tail < end && !s.writerRow(id).Deleted {
		s.violate("stream %s is told to be covered up to %d; its refs end at %d", id, end, tail)
	}
}

func (s *star) Durable(f *chain.Flight) { s.absorber.Durable(f) }

func (s *star) Ended(epoch keys.Epoch) {
	clear(s.led) // every leadership of this star writes into that epoch
	s.absorber.Ended(epoch)
}

func (s *star) Closed(epoch keys.Epoch, cut keys.Slot) { s.absorber.Closed(epoch, cut) }

// open passes the gate of a stream and leads it. It tries until it leads or ctx ends.
func (s *star) open(ctx context.Context, id keys.StreamID) {
	if s.opening[id] || s.led[id] != nil {
		return
	}
	s.opening[id] = true
	for ctx.Err() == nil && !s.tryOpen(ctx, id) {
		_ = s.p.Sleep(ctx, 50*time.Millisecond)
	}
	delete(s.opening, id)
}

func (s *star) tryOpen(ctx context.Context, id keys.StreamID) bool {
	mine, writing := s.writer.Current()
	m := s.env.Meta.Records.Within(keys.StreamLocality(id))
	rec, err := m.Fresh().Get(ctx, keys.WriterRow(id))
	row, expect := &records.Writer{}, simmetaAbsent()
	if err == nil {
		expect = simmetaAt(rec.Version)
		_ = proto.Unmarshal(rec.Value, row)
	} else if !notFound(err) {
		return false
	}
	if !writing || row.Deleted {
		return row.Deleted
	}
	switch before := keys.Epoch(row.ChainEpoch); {
	case before == 0:
	case row.Star == string(s.env.Star) && before == mine:
		if s.writer.Settled(ctx, id) != nil || s.absorber.Flush(ctx, id) != nil {
			return false
		}
	case absorb.Settle(ctx, s.env, s.stores, keys.StarID(row.Star), before) != nil:
		return false
	}
	acked := keys.Seq(len(s.acked[id])) // by now: a zombie may learn its tail much later
	row.Take(string(s.env.Star), records.Class_CLASS_STANDARD, uint64(mine))
	if _, err := m.Put(ctx, keys.WriterRow(id), records.Encode(row), expect); err != nil {
		return false
	}
	last, found, err := refs.Last(ctx, s.env.Meta.Records.Fresh(), id)
	if now, _ := s.writer.Current(); err != nil || now != mine {
		return false
	}
	tail := refs.Tail(last, found)
	if tail < acked {
		s.violate("stream %s opens at %d; %d records are acknowledged", id, tail, acked)
	}
	s.led[id] = &lead{epoch: keys.StreamEpoch(row.StreamEpoch), chain: mine, next: tail, acked: tail}
	return true
}

// release gives up a leadership after its flush, as a departure does.
func (s *star) release(ctx context.Context, id keys.StreamID) {
	l := s.led[id]
	if l == nil {
		return
	}
	delete(s.led, id)
	s.opening[id] = true
	defer delete(s.opening, id)
	if s.writer.Settled(ctx, id) != nil || s.absorber.Flush(ctx, id) != nil {
		return
	}
	if now, _ := s.writer.Current(); now == l.chain && s.tail(id) < l.acked {
		s.violate("stream %s is flushed up to %d; %d is acknowledged", id, s.tail(id), l.acked)
	}
}

// append writes one record to a stream that the star leads.
func (s *star) append(id keys.StreamID, bytes int) {
	l := s.led[id]
	if l == nil {
		return
	}
	seq := l.next
	body := fmt.Sprintf("%s@%s/%d/%d", id, s.env.Boot, l.epoch, seq)
	raw := format.AppendBatch(nil, format.Batch{Records: []format.Record{{Body: append([]byte(body+" "), make([]byte, bytes)...)}}})
	stamp := int64(seq) + 1
	err := s.writer.Append(chain.Batch{
		Stream: id, StreamEpoch: l.epoch, Epoch: l.chain, First: seq, Count: 1, FirstStamp: stamp, LastStamp: stamp, Raw: raw,
		Done: func(o chain.Outcome) { s.done(id, l, seq, body, o) },
	})
	if err == nil {
		l.next++
	}
}

func (s *star) done(id keys.StreamID, l *lead, seq keys.Seq, body string, o chain.Outcome) {
	switch o {
	case chain.Indeterminate:
	case chain.Durable:
		if s.acked[id] == nil {
			s.acked[id] = map[keys.Seq]string{}
		}
		if other, twice := s.acked[id][seq]; twice {
			s.violate("seq %d of stream %s is acknowledged twice: %s and %s", seq, id, other, body)
		}
		s.acked[id][seq] = body
		l.acked = max(l.acked, seq+1)
	case chain.NotAppended:
		s.failed[body] = true
	}
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

func (r *rig) do(p *sim.Process, fn func(ctx context.Context)) {
	r.Helper()
	finished := false
	p.Go("do", func(ctx context.Context) {
		fn(ctx)
		finished = true
	})
	r.until(10*time.Minute, func() bool { return finished })
}
