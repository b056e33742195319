package leadership

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/directory"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
)

// releaseTries is how often the release of a lease is tried before it is left as an orphan.
const releaseTries = 6

// leaseRow is the lease of a stream as read.
type leaseRow struct {
	found   bool
	version meta.Version
	value   *records.Lease
}

func (m *Manager) readLease(ctx context.Context, id keys.StreamID) (leaseRow, error) {
	return readLease(ctx, m.leases(id), id)
}

func readLease(ctx context.Context, view meta.Metastore, id keys.StreamID) (leaseRow, error) {
	row := leaseRow{value: &records.Lease{}}
	rec, err := view.Get(ctx, keys.LeaseRow(id))
	if errors.Is(err, meta.ErrNotFound) {
		return row, nil
	}
	if err != nil {
		return row, err
	}
	row.found, row.version = true, rec.Version
	return row, records.Decode(rec.Key, rec.Value, row.value)
}

// acquire is step 6: the lease created, or an own or dead one re-attached. Its outcome is resolved by reading.
func (m *Manager) acquire(ctx context.Context, d directory.Descriptor, lease leaseRow) (meta.Version, error) {
	before := proto.Clone(lease.value).(*records.Lease)
	m.env.Run.Step(ctx, "open.lease")
	version, err := m.attach(ctx, d.ID, lease)
	if errors.Is(err, meta.ErrUnknown) {
		version, err = m.ownLease(ctx, d.ID)
		if err != nil && !errors.Is(err, errAgain) { // it may stand, and this open cannot tell any more
			m.env.Run.Note("lease left as an orphan", "id", d.ID)
		}
	}
	if errors.Is(err, meta.ErrConflict) || errors.Is(err, meta.ErrSessionExpired) {
		return 0, errAgain
	}
	if err == nil && lease.found {
		m.noteFound(d, before)
	}
	return version, err
}

// attach writes the lease row for this process life, under its session, over the one that was read.
func (m *Manager) attach(ctx context.Context, id keys.StreamID, lease leaseRow) (meta.Version, error) {
	expect := meta.Absent()
	if lease.found {
		expect = meta.At(lease.version)
	}
	lease.value.Attach(string(m.env.Star), string(m.env.Boot), m.nowUs())
	return m.leases(id).PutEphemeral(ctx, keys.LeaseRow(id), records.Encode(lease.value), expect)
}

// ownLease resolves an acquisition whose outcome is unknown: the lease is this process's, or the open starts over.
func (m *Manager) ownLease(ctx context.Context, id keys.StreamID) (meta.Version, error) {
	row, err := readLease(ctx, m.leases(id).Fresh(), id)
	if err != nil {
		return 0, err
	}
	if !row.found || row.value.GetBoot() != string(m.env.Boot) {
		return 0, errAgain
	}
	return row.version, nil
}

// noteFound tells of a lease that stood with no leadership behind it, with its age by the wall clock: an orphan of this star,
// or what a dead one left.
func (m *Manager) noteFound(d directory.Descriptor, lease *records.Lease) {
	age := time.Duration(m.nowUs()-lease.GetAcquiredUs()) * time.Microsecond
	if lease.GetStar() != string(m.env.Star) {
		m.env.Run.Note("lease taken over", "stream", d.Name, "id", d.ID, "held-by", lease.GetStar(), "age", age)
		return
	}
	m.heals++
	m.env.Run.Note("orphaned lease healed", "stream", d.Name, "id", d.ID, "age", age, "heals", m.heals)
}

// giveBack deletes a lease on the process's own clock, whatever becomes of the caller.
func (m *Manager) giveBack(id keys.StreamID, version meta.Version) {
	m.env.Run.Go("give back lease", func(ctx context.Context) { m.releaseLease(ctx, id, version) })
}

// releaseLease deletes a lease by the version that this process holds; one that moved is not ours any more. What cannot be
// deleted stays as an orphan, which the next open heals.
func (m *Manager) releaseLease(ctx context.Context, id keys.StreamID, version meta.Version) {
	tries := backoff.New(m.env.Run, backoff.Rows)
	for range releaseTries {
		m.env.Run.Step(ctx, "finish.lease")
		err := m.leases(id).Delete(ctx, keys.LeaseRow(id), meta.At(version))
		if err == nil || errors.Is(err, meta.ErrConflict) || errors.Is(err, meta.ErrNotFound) {
			return
		}
		if tries.Wait(ctx) != nil {
			return
		}
	}
	m.env.Run.Note("lease left as an orphan", "id", id)
}

// ledIDs are the streams led now, in order.
func (m *Manager) ledIDs() []keys.StreamID {
	return slices.Sorted(maps.Keys(m.led))
}
