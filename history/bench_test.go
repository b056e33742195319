package history

import (
	"bytes"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// busy records ops operations of many clients on a few streams: each client has one open, answers come in random order,
// one in 50 is unknown.
func busy(r Recorder, ops, clients, streams int) {
	rng := rand.New(rand.NewPCG(1, 2))
	contents := make([][]Hash, streams)
	open := make([]*Invoke, clients)
	var at int64
	for n := 0; n < 2*ops; n++ {
		at++
		c := rng.IntN(clients)
		if open[c] == nil {
			in := Invoke{At: at, Client: Client(c), Op: OpID(n + 1), Kind: Append, Stream: fmt.Sprintf("logs/%d", c%streams)}
			if rng.IntN(4) == 0 {
				in.Kind = Tail
			} else {
				in.Hashes = []Hash{Hash(rng.Uint64()), Hash(rng.Uint64())}
			}
			open[c] = &in
			r.Invoke(in)
			continue
		}
		in := open[c]
		open[c] = nil
		s := c % streams
		done := Complete{At: at, Client: in.Client, Op: in.Op, Kind: in.Kind, Outcome: OK, Tail: Seq(len(contents[s]))}
		if in.Kind == Append {
			done.First = Seq(len(contents[s]))
			contents[s] = append(contents[s], in.Hashes...)
			done.Next = Seq(len(contents[s]))
			if rng.IntN(50) == 0 {
				done.Outcome, done.First, done.Next = Unknown, 0, 0
			}
		}
		r.Complete(done)
	}
	for s, records := range contents {
		for first := 0; first < len(records); first += 1000 {
			r.Final(Final{At: at, Stream: fmt.Sprintf("logs/%d", s), First: Seq(first), Hashes: records[first:min(first+1000, len(records))]})
		}
	}
}

func text(ops, clients, streams int) string {
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{Clock: "virtual"})
	if err != nil {
		panic(err)
	}
	busy(w, ops, clients, streams)
	if err := w.Flush(); err != nil {
		panic(err)
	}
	return out.String()
}

// weighed is a source that weighs the heap when its events are through: what the checker then holds.
type weighed struct {
	*Stored
	before, after uint64
}

func (w *weighed) Events() iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		w.Stored.Events()(yield)
		w.after = heap()
	}
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestMemory: the witness check holds what doc.go says, however long the history is.
func TestMemory(t *testing.T) {
	const ops = 200_000
	stored, err := NewStored(strings.NewReader(text(ops, 64, 8)))
	if err != nil {
		t.Fatal(err)
	}
	w := &weighed{Stored: stored, before: heap()}
	r, err := Check(w, Config{})
	if err != nil || !r.OK() {
		t.Fatalf("%v %s", err, r)
	}
	held := int(w.after) - int(w.before)
	if limit := 100*r.Witness.Ops() + 12*r.Witness.Records + 1<<20; held > limit {
		t.Errorf("holds %d bytes, more than %d, for %s", held, limit, r.Witness)
	}
}

func BenchmarkMillion(b *testing.B) {
	in := text(1_000_000, 64, 8)
	for b.Loop() {
		stored, err := NewStored(strings.NewReader(in))
		if err != nil {
			b.Fatal(err)
		}
		if r, err := Check(stored, Config{}); err != nil || !r.OK() {
			b.Fatal(err, r)
		}
	}
}

func BenchmarkWitness(b *testing.B) {
	log := &Log{}
	busy(log, 100_000, 64, 8)
	for b.Loop() {
		if r, err := Check(log, Config{}); err != nil || !r.OK() {
			b.Fatal(err, r)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100_000, "ns/op-checked")
}

func BenchmarkRead(b *testing.B) {
	in := text(100_000, 64, 8)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		stored, err := NewStored(strings.NewReader(in))
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range stored.Events() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	for b.Loop() {
		text(100_000, 64, 8)
	}
}

func BenchmarkPorcupine(b *testing.B) {
	for _, clients := range []int{5, 20, 50} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			log := &Log{}
			busy(log, 2000, clients, 1)
			for b.Loop() {
				r, err := Check(log, DefaultConfig())
				if err != nil || !r.OK() {
					b.Fatal(err, r)
				}
			}
		})
	}
}
