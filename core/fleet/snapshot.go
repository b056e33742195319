package fleet

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
)

// scanPage is how many rows one scan of the registry asks for.
const scanPage = 1000

// Star is one registered star: its liveness record joined with its stats record, whose fields are zero where it is absent.
type Star struct {
	ID                    keys.StarID
	Boot                  keys.BootID
	Addr                  string
	Location              string
	Version               string
	Saturated             bool
	Draining              bool
	Leaders               uint64
	AppendBytesPerSecond  float64
	HotReadBytesPerSecond float64
	Saturation            float64
	Stranded              bool
	Drained               bool
}

// Load is the leader-anchored load in bytes per second: what a handoff takes along.
func (s Star) Load() float64 { return s.AppendBytesPerSecond + s.HotReadBytesPerSecond }

// Snapshot is the registry as one read of it showed it: all registered stars, by star id. Nobody changes its stars.
type Snapshot struct{ stars []*Star }

// NewSnapshot makes a snapshot of stars with distinct ids.
func NewSnapshot(stars ...Star) Snapshot {
	s := Snapshot{make([]*Star, len(stars))}
	for i, star := range stars {
		s.stars[i] = &star
	}
	slices.SortFunc(s.stars, func(a, b *Star) int { return cmp.Compare(a.ID, b.ID) })
	return s
}

// Stars are the registered stars, by star id.
func (s Snapshot) Stars() []Star {
	stars := make([]Star, len(s.stars))
	for i, star := range s.stars {
		stars[i] = *star
	}
	return stars
}

// Find is the star of this id, where it is registered.
func (s Snapshot) Find(id keys.StarID) (Star, bool) {
	i, found := slices.BinarySearchFunc(s.stars, id, func(star *Star, id keys.StarID) int { return cmp.Compare(star.ID, id) })
	if !found {
		return Star{}, false
	}
	return *s.stars[i], true
}

// Without is the snapshot less one star.
func (s Snapshot) Without(id keys.StarID) Snapshot {
	return Snapshot{slices.DeleteFunc(slices.Clone(s.stars), func(star *Star) bool { return star.ID == id })}
}

// ReadSnapshot reads the registry. It is as stale as the view's reads are.
func ReadSnapshot(ctx context.Context, ephemeral meta.Metastore) (Snapshot, error) {
	return (&snapshots{}).read(ctx, ephemeral)
}

// snapshots reads the registry again and again, and decodes only stars of which a row changed: every open of a vacant stream
// reads it whole, and few of its rows change in between.
type snapshots struct{ last []known }

// known is a star as it was read last, and of which rows: versions of a key never repeat.
type known struct {
	rows versions
	star *Star
}

type versions struct {
	live, stats meta.Version
	withStats   bool
}

func (s *snapshots) read(ctx context.Context, ephemeral meta.Metastore) (Snapshot, error) {
	view := ephemeral.Within(keys.FleetLocality)
	stats, err := children(ctx, view, keys.StatsPrefix)
	if err != nil {
		return Snapshot{}, err
	}
	lives, err := children(ctx, view, keys.StarsPrefix)
	if err != nil {
		return Snapshot{}, err
	}
	last, now, stars := s.last, make([]known, len(lives)), make([]*Star, len(lives))
	for i, live := range lives {
		id := keys.StarID(nameIn(keys.StarsPrefix, live))
		for len(stats) > 0 && nameIn(keys.StatsPrefix, stats[0]) < string(id) {
			stats = stats[1:]
		}
		for len(last) > 0 && last[0].star.ID < id {
			last = last[1:]
		}
		var before known
		if len(last) > 0 && last[0].star.ID == id {
			before = last[0]
		}
		var load meta.Record
		rows := versions{live: live.Version}
		if len(stats) > 0 && nameIn(keys.StatsPrefix, stats[0]) == string(id) {
			load = stats[0]
			rows.stats, rows.withStats = load.Version, true
		}
		if now[i], err = decode(before, rows, live, load); err != nil {
			return Snapshot{}, err
		}
		stars[i] = now[i].star
	}
	s.last = now
	return Snapshot{stars}, nil
}

// children reads all children of a prefix, ascending.
func children(ctx context.Context, view meta.Metastore, prefix string) ([]meta.Record, error) {
	var all []meta.Record
	for after := ""; ; after = nameIn(prefix, all[len(all)-1]) {
		page, err := view.Scan(ctx, prefix, after, scanPage)
		if err != nil {
			return nil, fmt.Errorf("read the registry: %w", err)
		}
		if all == nil {
			all = page
		} else {
			all = append(all, page...)
		}
		if len(page) < scanPage {
			return all, nil
		}
	}
}

// nameIn is the name of a child of a prefix.
func nameIn(prefix string, rec meta.Record) string { return rec.Key[len(prefix)+len("/"):] }

// decode joins the liveness record of a star with its stats record, which is empty where there is none. before is the star as it
// was known, if it was.
func decode(before known, rows versions, live, load meta.Record) (known, error) {
	if before.star != nil && before.rows == rows {
		return before, nil
	}
	star := &Star{ID: keys.StarID(nameIn(keys.StarsPrefix, live))}
	if before.star != nil && before.rows.live == rows.live {
		*star = *before.star
	} else if err := star.announced(live); err != nil {
		return known{}, err
	}
	return known{rows, star}, star.measured(load)
}

// announced takes over what a liveness record tells.
func (s *Star) announced(rec meta.Record) error {
	live := &records.Liveness{}
	err := records.Decode(rec.Key, rec.Value, live)
	s.Boot, s.Addr, s.Location = keys.BootID(live.GetBoot()), live.GetAddress(), live.GetLocation()
	s.Version, s.Saturated, s.Draining = live.GetVersion(), live.GetSaturated(), live.GetDraining()
	return err
}

// measured takes over what a stats record tells.
func (s *Star) measured(rec meta.Record) error {
	stats := &records.Stats{}
	err := records.Decode(rec.Key, rec.Value, stats)
	s.Leaders, s.Saturation, s.Stranded, s.Drained = stats.GetLeaders(), stats.GetSaturation(), stats.GetStranded(), stats.GetDrained()
	s.AppendBytesPerSecond, s.HotReadBytesPerSecond = stats.GetAppendBytesPerSecond(), stats.GetHotReadBytesPerSecond()
	return err
}
