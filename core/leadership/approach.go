package leadership

import (
	"context"

	"github.com/novastream/nova/core/directory"
	"github.com/novastream/nova/core/fleet"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/io/peer"
)

// approach is steps 3 to 5: the lease that may be acquired now (absent, or one to take over), or whom to ask instead.
func (m *Manager) approach(ctx context.Context, d directory.Descriptor) (leaseRow, error) {
	if m.stopping {
		return leaseRow{}, m.leave(ctx, d, nil)
	}
	class := d.Value.GetClass()
	if _, ok := m.line(class); !ok {
		return leaseRow{}, &peer.Error{
			Code: peer.Unavailable, What: streamWhat(d.Name), Reason: "this star has no stores of class " + class.String(),
			Try: "start the star with the stores of that class (--express)",
		}
	}
	lease, err := m.readLease(ctx, d.ID)
	if err != nil {
		return lease, err
	}
	return m.wayIn(ctx, d, lease)
}

// wayIn is steps 4 and 5.
func (m *Manager) wayIn(ctx context.Context, d directory.Descriptor, lease leaseRow) (leaseRow, error) {
	stars, err := m.cfg.Registry.Snapshot(ctx)
	if err != nil {
		return lease, err
	}
	if !lease.found {
		return lease, m.designated(ctx, d, stars)
	}
	holder := keys.StarID(lease.value.GetStar())
	if holder == m.env.Star {
		return lease, nil // an orphan, or an earlier boot's: acquire re-attaches it
	}
	star, registered := stars.Find(holder)
	if !registered {
		return lease, m.outlive(ctx, d, holder, stars)
	}
	dead, err := m.cfg.Judge.Dead(ctx, holder)
	switch {
	case err != nil:
		return lease, err
	case dead: // its rows outlived it: take the lease over
		return lease, m.designated(ctx, d, stars.Without(holder))
	case star.Draining && m.designated(ctx, d, stars) == nil:
		return m.park(ctx, d, lease)
	default:
		return lease, notOwner(streamWhat(d.Name), holder, star.Addr)
	}
}

// outlive waits for the lease of a star that is not registered to go with its session. Where a store that misbehaves keeps
// the row for much longer than any session lives, the lease may be taken over.
func (m *Manager) outlive(ctx context.Context, d directory.Descriptor, holder keys.StarID, stars fleet.Snapshot) error {
	gone, err := m.cfg.Judge.Gone(ctx, holder)
	if err != nil {
		return err
	}
	if gone {
		return m.designated(ctx, d, stars)
	}
	reason := "star " + string(holder) + " held it and is gone; its session has not run out yet"
	return retryable(streamWhat(d.Name), reason, m.cfg.SessionTimeout, nil)
}

// designated says nothing where this star should lead the stream, and names the star that should otherwise. A star that counts
// as dead, though its record stands, is passed over.
func (m *Manager) designated(ctx context.Context, d directory.Descriptor, stars fleet.Snapshot) error {
	for {
		star, ok := fleet.Designate(stars, d.ID)
		if !ok {
			return &peer.Error{
				Code: peer.AtCapacity, What: streamWhat(d.Name), Reason: "every star of the fleet is saturated or draining",
				Try: "add a star, or wait until one is relieved",
			}
		}
		if star.ID == m.env.Star {
			return nil
		}
		dead, err := m.cfg.Judge.Dead(ctx, star.ID)
		if err != nil {
			return err
		}
		if !dead {
			return notOwner(streamWhat(d.Name), star.ID, star.Addr)
		}
		stars = stars.Without(star.ID)
	}
}

// park waits at the designate, up to the transfer grace, until a departing holder's lease is gone.
func (m *Manager) park(ctx context.Context, d directory.Descriptor, lease leaseRow) (leaseRow, error) {
	for until := m.env.Run.Elapsed() + TransferGrace; lease.found && m.env.Run.Elapsed() < until; {
		if err := m.env.Run.Sleep(ctx, TransferGrace/20); err != nil {
			return lease, err
		}
		var err error
		if lease, err = m.readLease(ctx, d.ID); err != nil {
			return lease, err
		}
	}
	if lease.found {
		return lease, retryable(streamWhat(d.Name), "its leader is handing it over", TransferGrace, nil)
	}
	return lease, nil
}

// leave is step 3: this star stops. It gives back a lease that has no leadership behind it, and redirects to the designate,
// who parks the open until the lease has moved.
func (m *Manager) leave(ctx context.Context, d directory.Descriptor, l *Leadership) error {
	if l != nil && l.phase == inLimbo {
		return limboRefusal(l.name)
	}
	lease, err := m.readLease(ctx, d.ID)
	if err != nil {
		return err
	}
	if l == nil && lease.found && keys.StarID(lease.value.GetStar()) == m.env.Star {
		m.giveBack(d.ID, lease.version)
	}
	stars, err := m.cfg.Registry.Snapshot(ctx)
	if err != nil {
		return err
	}
	if err := m.designated(ctx, d, stars.Without(m.env.Star)); err != nil {
		return err
	}
	return retryable(streamWhat(d.Name), "this star is stopping", TransferGrace, nil)
}
