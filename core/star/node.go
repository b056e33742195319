package star

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/novastream/nova/core/directory"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/peer"
)

// backlogWarning is the age of un-absorbed flights from which health warns: the ceiling of the backlog axis.
const backlogWarning = 2 * time.Minute

// reading is what the load was measured from last.
type reading struct {
	at           time.Duration
	offered, hot uint64
}

// measure is the load that goes with this star's leaderships, as it publishes it: rates since it was measured last.
func (s *Star) measure() *records.Stats {
	led, _ := s.leaders.Leading()
	now := reading{s.env.Run.Elapsed(), s.leaders.Offered(), s.reader.Hot()}
	last := s.measured
	s.measured = now
	stats := &records.Stats{Leaders: uint64(led)}
	if seconds := (now.at - last.at).Seconds(); seconds > 0 && last.at > 0 {
		stats.AppendBytesPerSecond = float64(now.offered-last.offered) / seconds
		stats.HotReadBytesPerSecond = float64(now.hot-last.hot) / seconds
	}
	return stats
}

// Health is the star's view of itself: peer.Node.
func (s *Star) Health(context.Context) (peer.Health, error) {
	led, limbo := s.leaders.Leading()
	h := peer.Health{
		Status: "serving", Star: string(s.env.Star), Location: s.cfg.Location, Version: s.cfg.Version,
		Leading: led, Limbo: limbo,
	}
	if s.stopping {
		h.Status = "stopping"
	}
	h.Warnings = s.warnings()
	return h, nil
}

// warnings are what somebody should look after.
func (s *Star) warnings() (all []string) {
	for _, set := range s.sets {
		line := s.lines[set.Class]
		if _, ok := line.Writer.Current(); !ok {
			all = append(all, fmt.Sprintf("no active %s chain epoch: the metastore or its stores may be out of reach", set.Class.Word()))
		}
		all = append(all, line.Writer.Trouble()...)
		if age := line.Absorb.Backlog(); age > backlogWarning {
			all = append(all, fmt.Sprintf("the oldest %s flight waits for absorb since %s", set.Class.Word(), age.Round(time.Second)))
		}
	}
	for _, epoch := range slices.Sorted(maps.Keys(s.unsettled)) {
		if err := s.unsettled[epoch]; err != nil {
			all = append(all, fmt.Sprintf("chain epoch %d of an earlier start is not settled: %v", epoch, err))
		}
	}
	return all
}

// Fleet lists the registered stars: peer.Node.
func (s *Star) Fleet(ctx context.Context) ([]peer.FleetStar, error) {
	snapshot, err := s.registry.Snapshot(ctx)
	if err != nil {
		return nil, refusal("the fleet", err)
	}
	stars := snapshot.Stars()
	out := make([]peer.FleetStar, len(stars))
	for i, star := range stars {
		out[i] = peer.FleetStar{
			Star: string(star.ID), Location: star.Location, Addr: star.Addr,
			Draining: star.Draining, Saturated: star.Saturated, Leading: int(star.Leaders),
		}
	}
	return out, nil
}

// DescribeStream shows a stream with its state as it can be read now: peer.Admin.
func (s *Star) DescribeStream(ctx context.Context, name peer.StreamName) (peer.StreamInfo, error) {
	info, err := s.describeStream(ctx, name)
	return info, refusal("stream "+name.String(), err)
}

func (s *Star) describeStream(ctx context.Context, name peer.StreamName) (peer.StreamInfo, error) {
	d, err := directory.Resolve(ctx, s.env.Meta.Naming, name)
	if err != nil {
		return peer.StreamInfo{}, err
	}
	state, err := leadership.ReadState(ctx, s.env.Meta, d.ID)
	if err != nil {
		return peer.StreamInfo{}, err
	}
	info := peer.StreamInfo{
		Stream: directory.StreamOf(d.Value), Leader: string(state.Holder), Epoch: uint64(state.Epoch),
		RefsTail: uint64(state.RefsTail), Rows: state.Rows,
	}
	snapshot, err := s.registry.Snapshot(ctx)
	if err != nil {
		return info, err
	}
	if star, ok := snapshot.Find(keys.StarID(info.Leader)); ok {
		info.LeaderAddr = star.Addr
	}
	return info, nil
}
