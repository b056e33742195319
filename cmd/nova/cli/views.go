package cli

import (
	"time"

	"github.com/novastream/nova/io/peer"
)

// What commands print. The JSON names are also the columns of tables and are part of what scripts rely on.

type bucketView struct {
	Bucket       string    `json:"bucket"`
	Mode         string    `json:"mode"`
	Class        string    `json:"class"`
	CreateOnOpen bool      `json:"create_on_open"`
	Created      time.Time `json:"created"`
}

func viewBucket(b peer.Bucket) bucketView {
	mode, class := b.Mode, b.Class
	if mode == peer.ModeDefault {
		mode = peer.ModeAny
	}
	if class == peer.ClassDefault {
		class = peer.ClassStandard
	}
	return bucketView{Bucket: b.Name, Mode: mode.String(), Class: class.String(), CreateOnOpen: b.CreateOnOpen, Created: b.Created}
}

type streamView struct {
	Stream  string    `json:"stream"`
	ID      string    `json:"id"`
	Mode    string    `json:"mode"`
	Class   string    `json:"class"`
	Created time.Time `json:"created"`
}

func viewStream(s peer.Stream) streamView {
	return streamView{Stream: s.Name.String(), ID: s.ID, Mode: s.Mode.String(), Class: s.Class.String(), Created: s.Created}
}

type streamInfoView struct {
	Stream     string    `json:"stream"`
	ID         string    `json:"id"`
	Mode       string    `json:"mode"`
	Class      string    `json:"class"`
	Created    time.Time `json:"created"`
	Leader     string    `json:"leader"` // empty: vacant
	LeaderAddr string    `json:"leader_addr"`
	Epoch      uint64    `json:"epoch"`
	RefsTail   uint64    `json:"refs_tail"`
	Rows       int       `json:"rows"`
}

func viewInfo(i peer.StreamInfo) streamInfoView {
	return streamInfoView{
		Stream: i.Name.String(), ID: i.ID, Mode: i.Mode.String(), Class: i.Class.String(), Created: i.Created,
		Leader: i.Leader, LeaderAddr: i.LeaderAddr, Epoch: i.Epoch, RefsTail: i.RefsTail, Rows: i.Rows,
	}
}

type deletedView struct {
	Stream  string `json:"stream"`
	Deleted bool   `json:"deleted"`
}

type tailView struct {
	Stream string     `json:"stream"`
	Next   uint64     `json:"next"`
	Last   *time.Time `json:"last"` // null for an empty stream
}

func viewTail(name peer.StreamName, t peer.TailReply) tailView {
	v := tailView{Stream: name.String(), Next: t.Next}
	if !t.Last.IsZero() {
		v.Last = &t.Last
	}
	return v
}

type starView struct {
	Star      string `json:"star"`
	Location  string `json:"location"`
	Addr      string `json:"addr"`
	Leading   int    `json:"leading"`
	Draining  bool   `json:"draining"`
	Saturated bool   `json:"saturated"`
}

func viewStar(s peer.FleetStar) starView {
	return starView{
		Star: s.Star, Location: s.Location, Addr: s.Addr, Leading: s.Leading, Draining: s.Draining, Saturated: s.Saturated,
	}
}

type healthView struct {
	Status   string   `json:"status"`
	Star     string   `json:"star"`
	Location string   `json:"location"`
	Version  string   `json:"version"`
	Leading  int      `json:"leading"`
	Limbo    int      `json:"limbo"`
	Drained  bool     `json:"drained"`
	Warnings []string `json:"warnings"`
}

func viewHealth(h peer.Health) healthView {
	return healthView{
		Status: h.Status, Star: h.Star, Location: h.Location, Version: h.Version, Leading: h.Leading, Limbo: h.Limbo,
		Drained: h.Drained, Warnings: append([]string{}, h.Warnings...),
	}
}

type appendedView struct {
	Stream  string  `json:"stream"`
	First   uint64  `json:"first"` // seq of the first record
	Next    uint64  `json:"next"`  // seq after the last
	Records uint64  `json:"records"`
	Bytes   uint64  `json:"bytes"`
	Seconds float64 `json:"seconds"`
}

type versionView struct {
	Version string `json:"version"`
	Go      string `json:"go"`
}
