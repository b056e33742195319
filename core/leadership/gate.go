package leadership

import (
	"context"
	"errors"
	"time"

	"github.com/novastream/nova/core/absorb"
	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/directory"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/core/refs"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
)

// certifyTimeout bounds one certify call; a longer walk at the other star goes on there and the next call meets its end.
const certifyTimeout = 10 * time.Second

// writerRow is the last-writer record of a stream as read.
type writerRow struct {
	found   bool
	version meta.Version
	value   *records.Writer
}

func readWriter(ctx context.Context, view meta.Metastore, id keys.StreamID) (writerRow, error) {
	row := writerRow{value: &records.Writer{}}
	rec, err := view.Get(ctx, keys.WriterRow(id))
	if errors.Is(err, meta.ErrNotFound) {
		return row, nil
	}
	if err != nil {
		return row, err
	}
	row.found, row.version = true, rec.Version
	return row, records.Decode(rec.Key, rec.Value, row.value)
}

// expect is what a CAS on the row that was judged expects.
func (w writerRow) expect() meta.Expect {
	if !w.found {
		return meta.Absent()
	}
	return meta.At(w.version)
}

// branch is the way through the gate that a writer row and its chain epoch call for.
type branch uint8

const (
	passCovered branch = iota // evidence: all that was acknowledged is covered by refs
	passFresh                 // nobody ever led the stream
	isDeleted                 // the row is the tombstone of the id
	settleEnded               // the chain epoch has ended: finish and settle it, whoever lives
	flushOwn                  // this process writes that chain epoch
	askOrFence                // its star certifies where it lives; where not, its epoch is fenced and settled
)

// chooseBranch judges the writer row, the mark on the last ref row, and the row of the chain epoch that the writer row
// names, and nothing else: a scan of a star's epochs may be stale, or show an innocent newer one.
func chooseBranch(w writerRow, markOnRefs uint64, epoch *records.ChainEpoch, mine bool) branch {
	marked := w.value.GetStreamEpoch() == markOnRefs || w.value.GetStreamEpoch() == w.value.GetCleanEpoch()
	switch {
	case !w.found:
		return passFresh
	case w.value.GetDeleted():
		return isDeleted
	case marked, epoch.GetState() == records.ChainState_CHAIN_STATE_SETTLED:
		return passCovered
	case epoch.GetState() == records.ChainState_CHAIN_STATE_FENCED:
		return settleEnded
	case mine:
		return flushOwn
	default:
		return askOrFence
	}
}

// gate is step 7: what was acknowledged before must be covered by refs before anything new is sequenced. It returns the
// writer row that it judged, which step 8 replaces by CAS.
func (m *Manager) gate(ctx context.Context, d directory.Descriptor) (writerRow, error) {
	w, err := readWriter(ctx, m.records(d.ID), d.ID)
	if err != nil || !w.found || m.env.Bugs.Has(planted.LeaseIsTheGuard) {
		return w, err
	}
	if err := m.pass(ctx, d, w); err != nil || !m.env.Bugs.Has(planted.OtherRowTaken) {
		return w, err
	}
	return readWriter(ctx, m.records(d.ID).Fresh(), d.ID)
}

// pass returns nil once everything acknowledged under the writer row is covered by refs.
func (m *Manager) pass(ctx context.Context, d directory.Descriptor, w writerRow) error {
	star, epochNo := keys.StarID(w.value.GetStar()), m.judgedEpoch(ctx, w)
	last, found, err := refs.Last(ctx, m.env.Meta.Records, d.ID)
	if err != nil {
		return err
	}
	var mark uint64
	if found {
		mark = last.Value.GetCleanEpoch()
	}
	if m.env.Bugs.Has(planted.AnyMarkCounts) && mark > 0 {
		mark = w.value.GetStreamEpoch()
	}
	if m.env.Bugs.Has(planted.DeletedOpens) {
		w.value.Deleted = false
	}
	epoch, err := m.readEpoch(ctx, star, epochNo)
	if err != nil {
		return err
	}
	switch chooseBranch(w, mark, epoch, m.mine(star, epoch)) {
	case isDeleted:
		if err := m.finishDeletion(ctx, d); err != nil {
			return err
		}
		return errAgain // the name says whether there is another stream by now
	case settleEnded:
		return m.settle(ctx, d.ID, star, epochNo)
	case flushOwn:
		return m.coverOwn(ctx, d.ID, w.value.GetClass(), epochNo)
	case askOrFence:
		return m.askOrFence(ctx, d, w)
	case passCovered, passFresh:
	}
	return nil
}

// readEpoch reads the row of a chain epoch. Whoever finds none would fence, so absence is judged on a fresh read; everything
// else that a stale row says stays true, or shows in what comes after it.
func (m *Manager) readEpoch(ctx context.Context, star keys.StarID, epoch keys.Epoch) (*records.ChainEpoch, error) {
	row, found, err := chain.ReadEpoch(ctx, m.env.Meta.Records, star, epoch)
	if err == nil && !found {
		row, _, err = chain.ReadEpoch(ctx, m.env.Meta.Records.Fresh(), star, epoch)
	}
	return row.Value, err
}

// mine says whether this very process writes the chain epoch: by boot id, never by identity.
func (m *Manager) mine(star keys.StarID, epoch *records.ChainEpoch) bool {
	if m.env.Bugs.Has(planted.IdentityIsProcess) {
		return star == m.env.Star
	}
	return star == m.env.Star && epoch.GetBoot() == string(m.env.Boot)
}

// judgedEpoch is the chain epoch that the writer row names.
func (m *Manager) judgedEpoch(ctx context.Context, w writerRow) keys.Epoch {
	if m.env.Bugs.Has(planted.GateByScan) {
		rows, err := chain.Epochs(ctx, m.env.Meta.Records, keys.StarID(w.value.GetStar()))
		if err == nil && len(rows) > 0 {
			return rows[len(rows)-1].Epoch
		}
	}
	return keys.Epoch(w.value.GetChainEpoch())
}

// coverOwn waits until every flight of this process with the stream is in the durable prefix or dead, and flushes. The flush
// covers the prefix of a living epoch; of one that ended, slots behind the prefix may belong to the chain too. errAgain: the
// epoch has ended, and settling it is what covers the stream.
func (m *Manager) coverOwn(ctx context.Context, id keys.StreamID, class records.Class, epoch keys.Epoch) error {
	line, ok := m.line(class)
	if !ok {
		return errAgain
	}
	if err := line.Writer.Settled(ctx, id); err != nil {
		return err
	}
	if m.env.Bugs.Has(planted.SkipReleaseFlush) {
		return nil
	}
	m.env.Run.Step(ctx, "flush.release")
	if err := line.Absorb.Flush(ctx, id); err != nil {
		return err
	}
	if m.env.Bugs.Has(planted.IdentityIsProcess) {
		return nil // what this identity wrote is taken for what this process writes
	}
	if current, ok := line.Writer.Current(); !ok || current != epoch {
		return errAgain
	}
	return nil
}

// askOrFence: alive defers. Nobody fences a star whose session lives; it is asked to certify. A redirect alone would loop
// for ever where the live star has forgotten the stream.
func (m *Manager) askOrFence(ctx context.Context, d directory.Descriptor, w writerRow) error {
	star, epoch := keys.StarID(w.value.GetStar()), keys.Epoch(w.value.GetChainEpoch())
	if star == m.env.Star {
		return m.settleEarlier(ctx, d.ID, epoch)
	}
	dead, err := m.cfg.Judge.Dead(ctx, star)
	if err != nil {
		return err
	}
	if !dead {
		return m.askToCertify(ctx, d, w, star)
	}
	m.env.Run.Note("gate fences", "stream", d.Name, "star", star, "chain", epoch)
	return m.settle(ctx, d.ID, star, epoch)
}

// settleEarlier fences and settles an epoch that another process life wrote under this star's identity: an earlier one, as
// long as this process is the one that is registered. Where it is not, the other lives, and alive defers.
func (m *Manager) settleEarlier(ctx context.Context, id keys.StreamID, epoch keys.Epoch) error {
	registered, err := m.cfg.Registry.Registered(ctx)
	if err != nil {
		return err
	}
	if !registered {
		return retryable("star "+string(m.env.Star), "this process is not registered under its identity now", time.Second, nil)
	}
	m.env.Run.Note("gate fences", "star", m.env.Star, "chain", epoch)
	return m.settle(ctx, id, m.env.Star, epoch)
}

// settle ends and settles a chain epoch for one stream: a stream whose windows do not fit keeps the epoch from being
// settled, but not the others from being covered.
func (m *Manager) settle(ctx context.Context, id keys.StreamID, star keys.StarID, epoch keys.Epoch) error {
	err := absorb.Settle(ctx, m.env, m.cfg.Stores, star, epoch)
	var holes *absorb.HolesError
	if errors.As(err, &holes) && !holes.Concerns(id) {
		return nil
	}
	return err
}

func (m *Manager) askToCertify(ctx context.Context, d directory.Descriptor, w writerRow, star keys.StarID) error {
	stars, err := m.cfg.Registry.Snapshot(ctx)
	if err != nil {
		return err
	}
	other, ok := stars.Find(star)
	if !ok {
		return errAgain // it was alive a moment ago
	}
	ctx, cancel := m.env.Run.WithTimeout(ctx, certifyTimeout)
	defer cancel()
	reply, err := m.cfg.Peers.Dial(other.Addr).Certify(ctx, peer.CertifyRequest{
		StreamID: string(d.ID), StreamEpoch: w.value.GetStreamEpoch(), ChainEpoch: w.value.GetChainEpoch(),
	})
	if err != nil {
		return retryable(streamWhat(d.Name), "star "+string(star)+" wrote it last, lives, and did not answer", time.Second, err)
	}
	switch reply.Verdict {
	case peer.Certified:
		return nil
	case peer.Leads:
		return notOwner(streamWhat(d.Name), star, other.Addr)
	default:
		return retryable(streamWhat(d.Name), "star "+string(star)+" is ending its leadership", 200*time.Millisecond, nil)
	}
}
