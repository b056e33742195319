package leadership

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

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
	expect := meta.Absent()
	if lease.found {
		expect = meta.At(lease.version)
		m.noteHeal(d, lease.value)
	}
	m.env.Run.Step(ctx, "open.lease")
	version, err := m.attach(ctx, d.ID, lease.value, expect)
	if errors.Is(err, meta.ErrUnknown) {
		return m.ownLease(ctx, d.ID)
	}
	if errors.Is(err, meta.ErrConflict) || errors.Is(err, meta.ErrSessionExpired) {
		return 0, errAgain
	}
	return version, err
}

// attach writes the lease row for this process life, under its session.
func (m *Manager) attach(ctx context.Context, id keys.StreamID, value *records.Lease, expect meta.Expect) (meta.Version, error) {
	value.Attach(string(m.env.Star), string(m.env.Boot), m.nowUs())
	return m.leases(id).PutEphemeral(ctx, keys.LeaseRow(id), records.Encode(value), expect)
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

// noteHeal tells of a lease that stood with no leadership behind it, with its age by the wall clock.
func (m *Manager) noteHeal(d directory.Descriptor, lease *records.Lease) {
	m.heals++
	age := time.Duration(m.nowUs()-lease.GetAcquiredUs()) * time.Microsecond
	m.env.Run.Note("orphaned lease healed", "stream", d.Name, "id", d.ID, "held-by", lease.GetStar(), "age", age, "heals", m.heals)
}

// giveBack deletes a lease on the process's own clock, whatever becomes of the caller.
func (m *Manager) giveBack(id keys.StreamID, version meta.Version) {
	if version == 0 {
		return
	}
	m.env.Run.Go("give back lease", func(ctx context.Context) { m.releaseLease(ctx, id, version) })
}

// releaseLease deletes a lease by the version that this process holds; one that moved is not ours any more. What cannot be
// deleted stays as an orphan, which the next open heals.
func (m *Manager) releaseLease(ctx context.Context, id keys.StreamID, version meta.Version) {
	tries := backoff.New(m.env.Run, backoff.Rows)
	for range releaseTries {
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

// Reattach puts the leases of this star's leaderships under its new session, after it lost the old one. Appends go on
// meanwhile: the epoch guard protects, not the lease. A leadership whose epoch another star has bumped is abandoned.
func (m *Manager) Reattach(ctx context.Context) {
	for _, id := range m.ledIDs() {
		if l := m.led[id]; l != nil && l.phase == leading {
			m.reattach(ctx, l)
		}
	}
}

func (m *Manager) reattach(ctx context.Context, l *Leadership) {
	release, err := m.alone(ctx, l.id)
	if err != nil {
		return
	}
	defer release()
	if m.led[l.id] != l || l.phase != leading {
		return
	}
	row, err := m.readLease(ctx, l.id)
	if err != nil {
		return
	}
	expect := meta.Absent()
	if row.found {
		if row.value.GetBoot() != string(m.env.Boot) {
			m.checkEpoch(ctx, l)
			return
		}
		expect = meta.At(row.version)
	}
	if version, err := m.attach(ctx, l.id, row.value, expect); err == nil {
		l.lease = version
		return
	}
	m.checkEpoch(ctx, l)
}

// checkEpoch abandons a leadership whose writer row names another one.
func (m *Manager) checkEpoch(ctx context.Context, l *Leadership) {
	w, err := readWriter(ctx, m.records(l.id), l.id)
	if err == nil && w.found && keys.StreamEpoch(w.value.GetStreamEpoch()) > l.epoch {
		m.abandon(l, "another star has taken the lead")
	}
}

// ledIDs are the streams led now, in order.
func (m *Manager) ledIDs() []keys.StreamID {
	return slices.Sorted(maps.Keys(m.led))
}
