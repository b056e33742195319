package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/io/meta"
)

// Judge says which stars count as dead, for the gate and for the taking over of leases. Being wrong about a live star
// costs it poison and a reopen, never data.
type Judge struct {
	env   env.Env
	still time.Duration // how long stats may stand still
	seen  map[keys.StarID]sighting
	gone  map[keys.StarID]time.Duration // since when a star is known to have no liveness record
}

// sighting is what the judge saw last of a star's stats, and since when they stand still.
type sighting struct {
	stats meta.Version // of the stats row; 0 before one was seen
	since time.Duration
	told  bool // that the star counts as dead
}

// NewJudge makes a judge for a metastore with this session time-out.
func NewJudge(e env.Env, sessionTimeout time.Duration) *Judge {
	return &Judge{env: e, still: 2 * sessionTimeout, seen: map[keys.StarID]sighting{}, gone: map[keys.StarID]time.Duration{}}
}

// Dead says whether a star counts as dead now: it has no liveness record, or its stats have not moved for twice the
// session time-out. A store that misbehaves can keep a liveness record beyond its session; nothing keeps a dead star's
// stats moving. The first sight of a star whose stats stand still only starts the judge's clock, so callers ask again.
func (j *Judge) Dead(ctx context.Context, star keys.StarID) (bool, error) {
	view := j.env.Meta.Ephemeral.Within(keys.FleetLocality).Fresh()
	_, err := view.Get(ctx, keys.StarRow(star))
	if errors.Is(err, meta.ErrNotFound) {
		delete(j.seen, star)
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("judge star %s: %w", star, err)
	}
	asked := j.env.Run.Elapsed()
	stats, err := view.Get(ctx, keys.StatsRow(star))
	if err != nil && !errors.Is(err, meta.ErrNotFound) {
		return false, fmt.Errorf("judge star %s: %w", star, err)
	}
	return j.judge(star, stats.Version, asked, j.env.Run.Elapsed()), nil
}

// Gone says whether a star is known to have had no liveness record for twice the session time-out: rows that still name it
// have outlived its session. The first call only starts the judge's clock, so callers ask again.
func (j *Judge) Gone(ctx context.Context, star keys.StarID) (bool, error) {
	asked := j.env.Run.Elapsed()
	_, err := j.env.Meta.Ephemeral.Within(keys.FleetLocality).Fresh().Get(ctx, keys.StarRow(star))
	if err == nil {
		delete(j.gone, star)
		return false, nil
	}
	if !errors.Is(err, meta.ErrNotFound) {
		return false, fmt.Errorf("judge star %s: %w", star, err)
	}
	since, known := j.gone[star]
	if !known {
		j.gone[star] = j.env.Run.Elapsed()
		return false, nil
	}
	return asked-since >= j.still, nil
}

// judge takes in one fresh read of a star's stats, made between asked and answered; absent ones have no version. Versions
// never repeat, so the same version twice means that nothing was written between the two reads: after the first was
// answered and before the second was asked. Stats that have gone away since may have moved before, so they are silent only
// from the first sight of their absence.
func (j *Judge) judge(star keys.StarID, stats meta.Version, asked, answered time.Duration) bool {
	last, known := j.seen[star]
	if !known || stats != last.stats {
		if !known && j.env.Bugs.Has(planted.SilenceUnseen) {
			answered = 0
		}
		j.seen[star] = sighting{stats: stats, since: answered}
		return false
	}
	if asked-last.since < j.still {
		return false
	}
	if !last.told {
		last.told = true
		j.seen[star] = last
		j.env.Run.Note("star counts as dead", "star", star, "silent-for", asked-last.since)
	}
	return true
}
