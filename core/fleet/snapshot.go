package fleet

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

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

// Snapshot is the registry as one read of it showed it: all registered stars, by star id.
type Snapshot struct{ stars []Star }

// NewSnapshot makes a snapshot of stars with distinct ids.
func NewSnapshot(stars ...Star) Snapshot {
	sorted := slices.Clone(stars)
	slices.SortFunc(sorted, func(a, b Star) int { return cmp.Compare(a.ID, b.ID) })
	return Snapshot{sorted}
}

// Stars are the registered stars, by star id.
func (s Snapshot) Stars() []Star { return slices.Clone(s.stars) }

// Find is the star of this id, where it is registered.
func (s Snapshot) Find(id keys.StarID) (Star, bool) {
	i, found := slices.BinarySearchFunc(s.stars, id, func(star Star, id keys.StarID) int { return cmp.Compare(star.ID, id) })
	if !found {
		return Star{}, false
	}
	return s.stars[i], true
}

// Without is the snapshot less one star.
func (s Snapshot) Without(id keys.StarID) Snapshot {
	return Snapshot{slices.DeleteFunc(slices.Clone(s.stars), func(star Star) bool { return star.ID == id })}
}

// ReadSnapshot reads the registry. It is as stale as the view's reads are.
func ReadSnapshot(ctx context.Context, ephemeral meta.Metastore) (Snapshot, error) {
	return (&snapshots{}).read(ctx, ephemeral)
}

// snapshots reads the registry again and again, and decodes only rows that changed: every open of a vacant stream reads it
// whole, and few of its rows change in between.
type snapshots struct {
	lives map[string]decoded[*records.Liveness]
	stats map[string]decoded[*records.Stats]
}

// decoded is a row as it was read last: versions of a key never repeat. Nobody changes the message.
type decoded[M any] struct {
	version meta.Version
	message M
}

func (s *snapshots) read(ctx context.Context, ephemeral meta.Metastore) (Snapshot, error) {
	view := ephemeral.Within(keys.FleetLocality)
	var err error
	if s.stats, err = scan(ctx, view, keys.StatsPrefix, s.stats, nil); err != nil {
		return Snapshot{}, err
	}
	stars := make([]Star, 0, len(s.lives))
	s.lives, err = scan(ctx, view, keys.StarsPrefix, s.lives, func(key string, live *records.Liveness) {
		id := strings.TrimPrefix(key, keys.StarsPrefix+"/")
		stars = append(stars, join(keys.StarID(id), live, s.stats[keys.StatsPrefix+"/"+id].message))
	})
	if err != nil {
		return Snapshot{}, err
	}
	return NewSnapshot(stars...), nil
}

// scan reads the children of a prefix and gives them decoded, by key; known are those of the last scan. visit is told of
// each, in order.
func scan[T any, M interface {
	*T
	proto.Message
}](ctx context.Context, view meta.Metastore, prefix string, known map[string]decoded[M], visit func(key string, message M)) (map[string]decoded[M], error) {
	now := make(map[string]decoded[M], len(known))
	for after := ""; ; {
		page, err := view.Scan(ctx, prefix, after, scanPage)
		if err != nil {
			return known, fmt.Errorf("read the registry: %w", err)
		}
		for _, rec := range page {
			after = strings.TrimPrefix(rec.Key, prefix+"/")
			row, seen := known[rec.Key]
			if !seen || row.version != rec.Version {
				row = decoded[M]{rec.Version, new(T)}
				if err := records.Decode(rec.Key, rec.Value, row.message); err != nil {
					return known, err
				}
			}
			now[rec.Key] = row
			if visit != nil {
				visit(rec.Key, row.message)
			}
		}
		if len(page) < scanPage {
			return now, nil
		}
	}
}

func join(id keys.StarID, live *records.Liveness, stats *records.Stats) Star {
	return Star{
		ID:                    id,
		Boot:                  keys.BootID(live.GetBoot()),
		Addr:                  live.GetAddress(),
		Location:              live.GetLocation(),
		Version:               live.GetVersion(),
		Saturated:             live.GetSaturated(),
		Draining:              live.GetDraining(),
		Leaders:               stats.GetLeaders(),
		AppendBytesPerSecond:  stats.GetAppendBytesPerSecond(),
		HotReadBytesPerSecond: stats.GetHotReadBytesPerSecond(),
		Saturation:            stats.GetSaturation(),
		Stranded:              stats.GetStranded(),
		Drained:               stats.GetDrained(),
	}
}
