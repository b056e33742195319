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
	view := ephemeral.Within(keys.FleetLocality)
	stats := map[keys.StarID]*records.Stats{}
	err := scan(ctx, view, keys.StatsPrefix, func(id keys.StarID) proto.Message {
		stats[id] = &records.Stats{}
		return stats[id]
	})
	if err != nil {
		return Snapshot{}, err
	}
	var ids []keys.StarID
	var lives []*records.Liveness
	err = scan(ctx, view, keys.StarsPrefix, func(id keys.StarID) proto.Message {
		ids, lives = append(ids, id), append(lives, &records.Liveness{})
		return lives[len(lives)-1]
	})
	if err != nil {
		return Snapshot{}, err
	}
	stars := make([]Star, len(ids))
	for i, id := range ids {
		stars[i] = join(id, lives[i], stats[id])
	}
	return NewSnapshot(stars...), nil
}

// scan decodes the value of each child of a prefix into the message that place gives for it.
func scan(ctx context.Context, view meta.Metastore, prefix string, place func(id keys.StarID) proto.Message) error {
	for after := ""; ; {
		page, err := view.Scan(ctx, prefix, after, scanPage)
		if err != nil {
			return fmt.Errorf("read the registry: %w", err)
		}
		for _, rec := range page {
			after = strings.TrimPrefix(rec.Key, prefix+"/")
			if err := records.Decode(rec.Key, rec.Value, place(keys.StarID(after))); err != nil {
				return err
			}
		}
		if len(page) < scanPage {
			return nil
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
