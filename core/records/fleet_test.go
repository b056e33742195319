package records_test

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/core/records"
)

// TestFleetMutatorsKeepUnknownFields rewrites rows of a newer star.
func TestFleetMutatorsKeepUnknownFields(t *testing.T) {
	for name, c := range map[string]struct {
		message proto.Message
		mutate  func(proto.Message)
	}{
		"Liveness.Announce":  {&records.Liveness{}, func(m proto.Message) { m.(*records.Liveness).Announce("s", "b", 1) }},
		"Liveness.Advertise": {&records.Liveness{}, func(m proto.Message) { m.(*records.Liveness).Advertise("a:1", "z", "v") }},
		"Liveness.Route":     {&records.Liveness{}, func(m proto.Message) { m.(*records.Liveness).Route(true, true) }},
		"Stats.Refresh": {&records.Stats{}, func(m proto.Message) {
			m.(*records.Stats).Refresh("s", &records.Stats{Leaders: 1, Saturation: 0.5, Stranded: true})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := records.Decode("row", future, c.message); err != nil {
				t.Fatal(err)
			}
			c.mutate(c.message)
			again := c.message.ProtoReflect().New().Interface()
			if err := records.Decode("row", records.Encode(c.message), again); err != nil {
				t.Fatal(err)
			}
			if string(again.ProtoReflect().GetUnknown()) != string(future) || !proto.Equal(again, c.message) {
				t.Fatal("the rewritten row lost something")
			}
		})
	}
}

// TestStatsRefresh copies every measured field and moves the beat of the row that is there.
func TestStatsRefresh(t *testing.T) {
	measured := &records.Stats{
		Star: "not this", Beat: 99, Leaders: 4, AppendBytesPerSecond: 1, HotReadBytesPerSecond: 2, Saturation: 0.3, Stranded: true, Drained: true,
	}
	stats := &records.Stats{Star: "s", Beat: 7, Leaders: 1}
	stats.Refresh("s", measured)
	want := proto.Clone(measured).(*records.Stats)
	want.Star, want.Beat = "s", 8
	if !proto.Equal(stats, want) {
		t.Errorf("got %v, want %v", stats, want)
	}
}
