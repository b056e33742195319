package fleet

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
)

// refresh writes the stats, then looks after the liveness record: no star is ever seen registered without stats.
func (r *Registry) refresh(ctx context.Context) error {
	r.env.Run.Step(ctx, "register.stats")
	if err := r.writeStats(ctx); err != nil {
		return err
	}
	r.env.Run.Step(ctx, "register.liveness")
	return r.keepLiveness(ctx)
}

// writeStats moves the stats by one beat. The first try starts from a plain read; one that is refused, because that read
// was stale or the session has ended, is done again from a fresh read, under a new session where one is needed.
func (r *Registry) writeStats(ctx context.Context) error {
	var err error
	for _, view := range []meta.Metastore{r.rows, r.rows.Fresh()} {
		stats := &records.Stats{}
		var expect meta.Expect
		expect, _, err = read(ctx, view, keys.StatsRow(r.env.Star), stats)
		if err != nil {
			return err
		}
		stats.Refresh(string(r.env.Star), r.cfg.Measure())
		err = r.write(ctx, keys.StatsRow(r.env.Star), stats, expect)
		if !errors.Is(err, meta.ErrConflict) && !errors.Is(err, meta.ErrSessionExpired) {
			return err
		}
	}
	return err
}

// keepLiveness leaves a liveness record that stands and is right as it is, and writes it otherwise.
func (r *Registry) keepLiveness(ctx context.Context) error {
	key, live, wanted := keys.StarRow(r.env.Star), &records.Liveness{}, r.wanted
	_, found, err := read(ctx, r.rows, key, live)
	if err != nil {
		return err
	}
	if found && r.stands(live, wanted) {
		return nil
	}
	live = &records.Liveness{}
	expect, found, err := read(ctx, r.rows.Fresh(), key, live)
	switch {
	case err != nil:
		return err
	case found && r.stands(live, wanted):
		return nil // the plain read was stale
	case found && r.registered && live.GetBoot() != string(r.env.Boot):
		return &SupersededError{Star: r.env.Star, By: keys.BootID(live.GetBoot())}
	}
	lost := r.registered && (!found || r.expired)
	live.Announce(string(r.env.Star), string(r.env.Boot), r.started)
	live.Advertise(r.cfg.Addr, r.cfg.Location, r.cfg.Version)
	live.Route(wanted.saturated, wanted.draining)
	if err := r.write(ctx, key, live, expect); err != nil {
		return err
	}
	r.registered, r.expired, r.published = true, false, wanted
	if lost {
		r.env.Run.Note("registered again: the session had ended", "star", r.env.Star)
		r.env.Run.Go("after a lost session", r.cfg.Lost)
	}
	return nil
}

// stands says whether a liveness record is this process's, under a live session, and tells what is wanted.
func (r *Registry) stands(live *records.Liveness, wanted routing) bool {
	return r.registered && !r.expired && live.GetBoot() == string(r.env.Boot) &&
		wanted == routing{live.GetSaturated(), live.GetDraining()}
}

// read decodes a row into m and gives what a write over it expects.
func read(ctx context.Context, view meta.Metastore, key string, m proto.Message) (meta.Expect, bool, error) {
	rec, err := view.Get(ctx, key)
	if errors.Is(err, meta.ErrNotFound) {
		return meta.Absent(), false, nil
	}
	if err != nil {
		return meta.Expect{}, false, fmt.Errorf("read %s: %w", key, err)
	}
	return meta.At(rec.Version), true, records.Decode(key, rec.Value, m)
}

// write puts a row under this star's session. An unknown outcome is an error like any other: the next try begins by
// reading what became of it, and what lands later still is refused by version.
func (r *Registry) write(ctx context.Context, key string, m proto.Message, expect meta.Expect) error {
	_, err := r.rows.PutEphemeral(ctx, key, records.Encode(m), expect)
	if errors.Is(err, meta.ErrSessionExpired) {
		r.expired = r.registered
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", key, err)
	}
	return nil
}

// remove takes this process's rows away, in one try.
func (r *Registry) remove(ctx context.Context) error {
	live, fresh := &records.Liveness{}, r.rows.Fresh()
	expect, found, err := read(ctx, fresh, keys.StarRow(r.env.Star), live)
	if err != nil {
		return err
	}
	if found && live.GetBoot() != string(r.env.Boot) {
		return nil
	}
	if found {
		r.env.Run.Step(ctx, "withdraw.liveness")
		if err := r.rows.Delete(ctx, keys.StarRow(r.env.Star), expect); err != nil {
			return err
		}
	}
	expect, found, err = read(ctx, fresh, keys.StatsRow(r.env.Star), &records.Stats{})
	if err != nil || !found {
		return err
	}
	r.env.Run.Step(ctx, "withdraw.stats")
	return r.rows.Delete(ctx, keys.StatsRow(r.env.Star), expect)
}
