package grpcpeer

import (
	"math"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
)

func wireName(n peer.StreamName) *novav1.StreamName {
	return &novav1.StreamName{Bucket: n.Bucket, Key: n.Key}
}

func nameOf(w *novav1.StreamName) peer.StreamName {
	return peer.StreamName{Bucket: w.GetBucket(), Key: w.GetKey()}
}

func wireOpened(o peer.Opened) *novav1.Opened {
	return &novav1.Opened{
		StreamId: o.StreamID, Star: o.Star, Addr: o.Addr, Epoch: o.Epoch, Token: o.Token, Mode: wireMode(o.Mode), Next: o.Next,
	}
}

func openedOf(w *novav1.Opened) peer.Opened {
	return peer.Opened{
		StreamID: w.GetStreamId(), Star: w.GetStar(), Addr: w.GetAddr(), Epoch: w.GetEpoch(), Token: w.GetToken(),
		Mode: modeOf(w.GetMode()), Next: w.GetNext(),
	}
}

// Modes and classes have the same numbers on the wire. One of a newer version is the default to this one.
func wireMode(m peer.Mode) novav1.Mode { return novav1.Mode(m) }

func modeOf(w novav1.Mode) peer.Mode {
	if w == novav1.Mode_MODE_ANY || w == novav1.Mode_MODE_FENCED {
		return peer.Mode(w)
	}
	return peer.ModeDefault
}

func wireClass(c peer.Class) novav1.Class { return novav1.Class(c) }

func classOf(w novav1.Class) peer.Class {
	if w == novav1.Class_CLASS_STANDARD || w == novav1.Class_CLASS_EXPRESS {
		return peer.Class(w)
	}
	return peer.ClassDefault
}

func wireBucket(b peer.Bucket) *novav1.Bucket {
	return &novav1.Bucket{
		Name: b.Name, Mode: wireMode(b.Mode), Class: wireClass(b.Class), CreateOnOpen: b.CreateOnOpen, CreatedUs: micros(b.Created),
	}
}

func bucketOf(w *novav1.Bucket) peer.Bucket {
	return peer.Bucket{
		Name: w.GetName(), Mode: modeOf(w.GetMode()), Class: classOf(w.GetClass()), CreateOnOpen: w.GetCreateOnOpen(),
		Created: stamp(w.GetCreatedUs()),
	}
}

func wireStream(s peer.Stream) *novav1.Stream {
	return &novav1.Stream{
		Name: wireName(s.Name), Id: s.ID, Mode: wireMode(s.Mode), Class: wireClass(s.Class), CreatedUs: micros(s.Created),
	}
}

func streamOf(w *novav1.Stream) peer.Stream {
	return peer.Stream{
		Name: nameOf(w.GetName()), ID: w.GetId(), Mode: modeOf(w.GetMode()), Class: classOf(w.GetClass()),
		Created: stamp(w.GetCreatedUs()),
	}
}

func wireInfo(i peer.StreamInfo) *novav1.StreamInfo {
	return &novav1.StreamInfo{
		Stream: wireStream(i.Stream), Leader: i.Leader, LeaderAddr: i.LeaderAddr, Epoch: i.Epoch, RefsTail: i.RefsTail,
		Rows: count(i.Rows),
	}
}

func infoFrom(w *novav1.StreamInfo) peer.StreamInfo {
	return peer.StreamInfo{
		Stream: streamOf(w.GetStream()), Leader: w.GetLeader(), LeaderAddr: w.GetLeaderAddr(), Epoch: w.GetEpoch(),
		RefsTail: w.GetRefsTail(), Rows: int(w.GetRows()),
	}
}

func wirePage(p peer.Page) *novav1.Page {
	return &novav1.Page{Prefix: p.Prefix, After: p.After, Limit: count(p.Limit)}
}

func pageOf(w *novav1.Page) peer.Page {
	return peer.Page{Prefix: w.GetPrefix(), After: w.GetAfter(), Limit: int(w.GetLimit())}
}

func wireHealth(h peer.Health) *novav1.HealthResponse {
	return &novav1.HealthResponse{
		Status: h.Status, Star: h.Star, Location: h.Location, Version: h.Version, Leading: count(h.Leading), Limbo: count(h.Limbo),
		Drained: h.Drained, Warnings: h.Warnings,
	}
}

func healthOf(w *novav1.HealthResponse) peer.Health {
	return peer.Health{
		Status: w.GetStatus(), Star: w.GetStar(), Location: w.GetLocation(), Version: w.GetVersion(), Leading: int(w.GetLeading()),
		Limbo: int(w.GetLimbo()), Drained: w.GetDrained(), Warnings: w.GetWarnings(),
	}
}

func wireFleetStar(s peer.FleetStar) *novav1.FleetStar {
	return &novav1.FleetStar{
		Star: s.Star, Location: s.Location, Addr: s.Addr, Draining: s.Draining, Saturated: s.Saturated, Leading: count(s.Leading),
	}
}

func fleetStarOf(w *novav1.FleetStar) peer.FleetStar {
	return peer.FleetStar{
		Star: w.GetStar(), Location: w.GetLocation(), Addr: w.GetAddr(), Draining: w.GetDraining(), Saturated: w.GetSaturated(),
		Leading: int(w.GetLeading()),
	}
}

// mapped is each of from through f.
func mapped[A, B any](from []A, f func(A) B) []B {
	to := make([]B, len(from))
	for i, a := range from {
		to[i] = f(a)
	}
	return to
}

// count keeps a number within what the wire holds.
func count(n int) uint32 { return uint32(max(0, min(n, math.MaxInt32))) }
