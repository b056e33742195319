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
	"github.com/novastream/nova/sim/simmeta"
)

// TestStopLeavesIndeterminate stops a star hard with flights under way: what was sealed is indeterminate, what never was is
// not appended, and a barrier is not confirmed.
func TestStopLeavesIndeterminate(t *testing.T) {
	r := newRig(t, 1, 1)
	s := r.boot("a")
	s.writing()
	r.blobs[0].SetDark(true)
	for range 7 { // the window holds 4
		s.append("s", 2100)
	}
	s.barrier()
	r.pass(time.Second)
	s.stopping = true
	s.p.Stop()
	r.until(time.Minute, func() bool { return r.outcomes()[chain.Indeterminate]+r.outcomes()[chain.NotAppended] == 7 })
	if n := r.outcomes(); n[chain.Indeterminate] != 4 || n[chain.NotAppended] != 3 || r.barriers != 1 {
		t.Errorf("outcomes %v, barriers %d", n, r.barriers)
	}
	if s.writer.Admitted() != 0 {
		t.Errorf("%d bytes are still admitted", s.writer.Admitted())
	}
	r.heal()
	r.fenceAll("a")
	r.check("a")
}

// TestCloseInTime stops cleanly: what waits is sealed and acknowledged first, and nothing is minted afterwards.
func TestCloseInTime(t *testing.T) {
	r := newRig(t, 1, 3)
	s := r.boot("a")
	s.writing()
	r.p(s, 50, 700)
	r.do(s.p, func(ctx context.Context) {
		if err := s.close(ctx); err != nil {
			t.Error(err)
		}
	})
	if n := r.outcomes(); n[chain.Durable] != 50 {
		t.Errorf("outcomes %v", n)
	}
	if _, ok := s.writer.Current(); ok || len(r.epochs("a")) != 1 || s.append("s", 1) != nil {
		t.Error("it goes on after a clean stop")
	}
	r.check("a")
}

// TestCloseRunsOut stops cleanly while the store is dark: the epoch is closed as it stands, behind.
func TestCloseRunsOut(t *testing.T) {
	r := newRig(t, 1, 1)
	s := r.boot("a")
	s.writing()
	r.blobs[0].SetDark(true)
	r.p(s, 3, 700)
	r.do(s.p, func(ctx context.Context) {
		short, cancel := s.p.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		if err := s.close(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
	r.until(time.Minute, func() bool { return len(s.closed) == 1 })
	if n := r.outcomes(); n[chain.NotAppended] != 3 {
		t.Errorf("outcomes %v", n)
	}
	r.check("a")
}

// TestCloseBeforeMint stops a star that never got an epoch.
func TestCloseBeforeMint(t *testing.T) {
	r := newRig(t, 1, 1)
	for shard := range r.meta.Shards(simmeta.Records) {
		r.meta.SetDown(simmeta.Records, shard, true)
	}
	s := r.boot("a")
	r.pass(10 * time.Second)
	r.do(s.p, func(ctx context.Context) {
		if err := s.close(ctx); err != nil {
			t.Error(err)
		}
	})
}

// TestUnknownCloseIsResolved takes the metastore away for a moment, right when the owner closes: nothing is resolved until the
// cut is known.
func TestUnknownCloseIsResolved(t *testing.T) {
	r := newRig(t, 1, 1)
	s := r.boot("a")
	s.writing()
	r.blobs[0].SetDark(true)
	r.p(s, 3, 700)
	for shard := range r.meta.Shards(simmeta.Records) {
		r.meta.SetDown(simmeta.Records, shard, true)
	}
	s.stopping = true
	r.do(s.p, func(context.Context) { s.writer.Fenced(1) })
	r.pass(10 * time.Second)
	if n := len(r.outcomes()); n != 0 || !s.ended[1] {
		t.Errorf("%v while the cut is not known; ended %v", r.outcomes(), s.ended)
	}
	for shard := range r.meta.Shards(simmeta.Records) {
		r.meta.SetDown(simmeta.Records, shard, false)
	}
	r.until(time.Minute, func() bool { return r.outcomes()[chain.NotAppended] == 3 })
	r.blobs[0].SetDark(false)
	if next := s.writing(); next != 2 {
		t.Errorf("minted %d", next)
	}
	r.check("a")
}

// TestUnencodableFlightEndsTheEpoch appends a batch that claims what it does not hold. To leave it out would leave a gap,
// so the epoch ends, and the star goes on in the next.
func TestUnencodableFlightEndsTheEpoch(t *testing.T) {
	r := newRig(t, 1, 1)
	s := r.boot("a")
	epoch := s.writing()
	s.append("s", 10)
	r.until(time.Minute, func() bool { return r.acked == 1 })
	var outcome chain.Outcome
	s.stopping = true
	raw := format.AppendBatch(nil, format.Batch{Records: []format.Record{{Body: []byte("x")}}})
	bad := chain.Batch{Stream: "bad", StreamEpoch: 1, Epoch: epoch, Count: 5, Raw: raw, Done: func(o chain.Outcome) { outcome = o }}
	if err := s.writer.Append(bad); err != nil {
		t.Fatal(err)
	}
	r.until(time.Minute, func() bool { _, closed := s.closed[epoch]; return closed })
	if outcome != chain.NotAppended || s.closed[epoch] != 1 {
		t.Errorf("the bad batch is %v, the cut %d", outcome, s.closed[epoch])
	}
	s.writing()
	r.check("a")
}

// TestEpochs lists the epochs of a star, of any number.
func TestEpochs(t *testing.T) {
	r := newRig(t, 1, 1)
	p, e := r.env("a")
	r.do(p, func(ctx context.Context) {
		m := e.Meta.Records
		for epoch := keys.Epoch(1); epoch <= 300; epoch++ {
			row := chain.Row{Star: "a", Epoch: epoch, Value: &records.ChainEpoch{Boot: fmt.Sprint(epoch)}}
			if _, err := m.Within(keys.ChainLocality("a")).Put(ctx, keys.EpochRow("a", epoch), records.Encode(row.Value), absent()); err != nil {
				t.Fatal(err)
			}
		}
		rows, err := chain.Epochs(ctx, m, "a")
		if err != nil || len(rows) != 300 || rows[299].Epoch != 300 || rows[41].Value.Boot != "42" {
			t.Errorf("%d rows, %v", len(rows), err)
		}
	})
}

// TestWalkReadsLongFooters walks a slot whose footer is longer than the first guess.
func TestWalkReadsLongFooters(t *testing.T) {
	r := newRig(t, 1, 1)
	s := r.boot("a")
	epoch := s.writing()
	for i := range 3000 {
		id := keys.StreamID(fmt.Sprintf("stream-number-%06d", i))
		raw := format.AppendBatch(nil, format.Batch{Records: []format.Record{{}}})
		_ = s.writer.Append(chain.Batch{Stream: id, StreamEpoch: 1, Epoch: epoch, Count: 1, Raw: raw, Done: func(chain.Outcome) { r.acked++ }})
	}
	r.until(time.Minute, func() bool { return r.acked == 3000 })
	s.p.Kill()
	f := r.fencer("b")
	r.do(f.p, func(ctx context.Context) {
		row, err := f.fence(ctx, "a", epoch)
		if err != nil {
			t.Fatal(err)
		}
		if entries, err := f.walk(ctx, row); err != nil || len(entries) != 3000 {
			t.Errorf("%d windows, %v", len(entries), err)
		}
	})
}

// TestUnknownCutIsOutwaited: a star whose chain was fenced cannot reach the metastore. Its batches are answered all the same, after a
// while: what was sealed as indeterminate, what never was as not appended. Until the cut is known, nothing of them counts as decided.
func TestUnknownCutIsOutwaited(t *testing.T) {
	r := newRig(t, 1, 1)
	s := r.boot("a")
	epoch := s.writing()
	r.blobs[0].SetDark(true)
	for range 7 { // the window holds 4
		s.append("s", 2100)
	}
	settled := false
	s.p.Go("settled", func(ctx context.Context) {
		settled = s.writer.Settled(ctx, keys.StreamID(fmt.Sprintf("s-%s-%d", s.env.Boot, epoch))) == nil
	})
	r.net.Cut("a", simmeta.Endpoint)
	p, e := r.env("b")
	r.do(p, func(ctx context.Context) {
		row, _, err := chain.ReadEpoch(ctx, e.Meta.Records.Fresh(), "a", epoch)
		if err == nil {
			row.Value.Fence()
			_, err = chain.Replace(ctx, e.Meta.Records, row)
		}
		if err != nil {
			t.Error(err)
		}
	})
	r.do(s.p, func(context.Context) { s.writer.Fenced(epoch) })
	r.pass(10 * time.Second)
	if n := r.outcomes(); n[chain.Indeterminate]+n[chain.NotAppended] != 0 {
		t.Errorf("outcomes %v before the cut could be known", n)
	}
	r.pass(10 * time.Second)
	if n := r.outcomes(); n[chain.Indeterminate] != 4 || n[chain.NotAppended] != 3 || settled {
		t.Errorf("outcomes %v while the cut is unknown; settled: %t", n, settled)
	}
	r.heal()
	r.until(time.Minute, func() bool { return settled })
	if s.writer.Admitted() != 0 {
		t.Errorf("%d bytes are still admitted", s.writer.Admitted())
	}
	r.fenceAll("a")
	r.check("a")
}
