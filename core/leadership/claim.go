package leadership

import (
	"context"
	"errors"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/core/directory"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/core/refs"
	"github.com/novastream/nova/io/meta"
)

// claim is steps 7 to 10: through the gate, the writer row by CAS, the tail fresh, and a last look at the chain epoch.
func (m *Manager) claim(ctx context.Context, d directory.Descriptor) (*Leadership, error) {
	line := m.cfg.Lines[d.Value.GetClass()]
	for {
		early, _, err := m.tailEarly(ctx, d.ID)
		if err != nil {
			return nil, err
		}
		w, err := m.gate(ctx, d)
		if err != nil {
			return nil, err
		}
		chainEpoch, ok := line.Writer.Current()
		if !ok {
			if err := line.Writer.Changed().Wait(ctx); err != nil {
				return nil, err
			}
			continue
		}
		if err := m.takeWriter(ctx, d, w, chainEpoch); err != nil {
			return nil, err
		}
		// Commit point: the row names this star. A crash from here on leaves a writer row whose chain epoch holds nothing of
		// the stream; the next gate settles it.
		view := m.env.Meta.Records.Fresh()
		if m.env.Bugs.Has(planted.TailStale) {
			view = m.env.Meta.Records
		}
		last, found, err := refs.Last(ctx, view, d.ID)
		if err != nil {
			return nil, err
		}
		if current, ok := line.Writer.Current(); (!ok || current != chainEpoch) && !m.env.Bugs.Has(planted.DeadEpochLed) {
			continue // the epoch ended in between: a leadership writes only into the epoch its row names
		}
		end := tail{refs.Tail(last, found), last.Value.GetLastStampUs()}
		if m.env.Bugs.Has(planted.StampsForgotten) {
			end.stampUs = 0
		}
		if m.env.Bugs.Has(planted.TailBeforeCAS) {
			end.next = early
		}
		return &Leadership{
			m: m, id: d.ID, name: d.Name, mode: d.Value.GetMode(), class: d.Value.GetClass(),
			epoch: keys.StreamEpoch(w.value.GetStreamEpoch()), chain: chainEpoch,
			next: end.next, durable: end, lastStamp: end.stampUs,
		}, nil
	}
}

// tailEarly serves the planted bug that reads the tail before the writer row is taken.
func (m *Manager) tailEarly(ctx context.Context, id keys.StreamID) (keys.Seq, bool, error) {
	if !m.env.Bugs.Has(planted.TailBeforeCAS) {
		return 0, false, nil
	}
	last, found, err := refs.Last(ctx, m.env.Meta.Records, id)
	return refs.Tail(last, found), found, err
}

// takeWriter is step 8. On return w.value is the row as written. errAgain: another leadership was claimed in between, or the
// outcome is unknown. No reading resolves an unknown one, for the row does not name the attempt: over a stale read of
// the row the attempt may repeat a stream epoch that this process has led and released before. The next try claims
// a stream epoch above whatever landed, and a late landing fails on the version.
func (m *Manager) takeWriter(ctx context.Context, d directory.Descriptor, w writerRow, chainEpoch keys.Epoch) error {
	before := w.value.GetStreamEpoch()
	sameStar := w.value.GetStar() == string(m.env.Star)
	w.value.Take(string(m.env.Star), d.Value.GetClass(), uint64(chainEpoch))
	if m.env.Bugs.Has(planted.EpochInMemory) && sameStar {
		w.value.StreamEpoch = before
	}
	m.env.Run.Step(ctx, "open.writer")
	expect := w.expect()
	if m.env.Bugs.Has(planted.ClaimWithoutCAS) {
		expect = meta.Any()
	}
	_, err := m.records(d.ID).Put(ctx, keys.WriterRow(d.ID), records.Encode(w.value), expect)
	if m.env.Bugs.Has(planted.ClaimByContent) && errors.Is(err, meta.ErrUnknown) {
		now, err := readWriter(ctx, m.records(d.ID).Fresh(), d.ID)
		if err == nil && proto.Equal(now.value, w.value) {
			return nil
		}
	}
	if errors.Is(err, meta.ErrConflict) || errors.Is(err, meta.ErrUnknown) {
		return errAgain
	}
	return err
}
