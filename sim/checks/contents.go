package checks

import (
	"context"
	"fmt"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/history/record"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/workload"
)

// readPatience is how long one star may take to give all of one stream: some have ten thousand small windows.
const readPatience = 10 * time.Minute

// contents is a whole stream as one star gives it.
type contents struct {
	from   string // the star
	hashes []history.Hash
	stamps []int64
	fault  string
}

// Contents reads every stream whole from every star, finds where they differ, and records them as final.
func (a *Asker) Contents(final history.Recorder) error {
	type reading struct {
		stream *workload.Stream
		star   *fleets.Star
	}
	var all []reading
	for i, s := range a.streams {
		for _, star := range a.readers(i) {
			all = append(all, reading{s, star})
		}
	}
	read := make([]contents, len(all))
	err := a.each("contents", readPatience+time.Minute, len(all), func(ctx context.Context, i int) {
		read[i] = a.whole(ctx, all[i].star, all[i].stream)
		read[i].from = a.observer.who(all[i].star.Name)
	})
	if err != nil {
		return err
	}
	for from, to := 0, 0; from < len(all); from = to {
		for to < len(all) && all[to].stream == all[from].stream {
			to++
		}
		a.compare(all[from].stream, read[from:to], final)
	}
	return nil
}

// compare finds what differs between the stars, and records what the first one that answered gave.
func (a *Asker) compare(s *workload.Stream, read []contents, final history.Recorder) {
	first := -1
	for i, c := range read {
		a.looked("contents")
		if c.fault != "" {
			a.Add("contents", "stream %s cannot be read whole from %s: %s", s.Name, c.from, c.fault)
			continue
		}
		if first < 0 {
			first = i
			a.stamped(s, c)
			final.Final(history.Final{At: int64(a.world.Now()), Stream: s.Name.String(), Hashes: c.hashes})
			continue
		}
		if where := differ(read[first], c); where != "" {
			a.Add("contents", "stream %s read from %s differs from what %s gives: %s", s.Name, c.from, read[first].from, where)
		}
	}
}

// stamped: the stamps of a stream never fall, whatever the clocks of its leaders showed.
func (a *Asker) stamped(s *workload.Stream, c contents) {
	a.looked("stamps-rise")
	for i := 1; i < len(c.stamps); i++ {
		if c.stamps[i] < c.stamps[i-1] {
			at := history.Seq(i)
			a.Add("stamps-rise", "stream %s: the record at seq %d is stamped %d µs before the one it follows; %s, and %s", s.Name, i, c.stamps[i-1]-c.stamps[i],
				a.observer.Lies(s.Name.String(), at-1, at), a.observer.Lies(s.Name.String(), at, at+1))
			return
		}
	}
}

// differ says where two readings part, if they do.
func differ(one, other contents) string {
	if len(one.hashes) != len(other.hashes) {
		return fmt.Sprintf("it ends before seq %d, and there before seq %d", len(other.hashes), len(one.hashes))
	}
	for i := range one.hashes {
		if one.hashes[i] != other.hashes[i] || one.stamps[i] != other.stamps[i] {
			return fmt.Sprintf("another record stands at seq %d", i)
		}
	}
	return ""
}

// whole reads a stream from its start to its tail, both as this star tells them.
func (a *Asker) whole(ctx context.Context, star *fleets.Star, s *workload.Stream) (c contents) {
	ctx, cancel := a.process.WithTimeout(ctx, readPatience)
	defer cancel()
	remote := a.fleet.Peers.Network(a.process).Dial(star.Name)
	tail, err := a.tailFrom(ctx, remote, s)
	for err == nil && uint64(len(c.hashes)) < tail {
		from := uint64(len(c.hashes))
		var reply peer.FetchReply
		err = a.patiently(ctx, func() (err error) {
			reply, err = remote.Fetch(ctx, peer.FetchRequest{Stream: s.Name, From: from, MaxBytes: 4 << 20})
			return err
		})
		if err == nil && len(reply.Records) == 0 {
			c.fault = fmt.Sprintf("its tail is %d, and a read from seq %d gives nothing", tail, from)
			return c
		}
		for _, r := range reply.Records {
			c.hashes = append(c.hashes, record.HashOf(r))
			c.stamps = append(c.stamps, r.Timestamp.UnixMicro())
		}
	}
	if err != nil {
		c.fault = fmt.Sprintf("from seq %d of %d on: %v", len(c.hashes), tail, err)
	}
	return c
}

func (a *Asker) tailFrom(ctx context.Context, remote peer.Star, s *workload.Stream) (tail uint64, err error) {
	err = a.patiently(ctx, func() error {
		reply, err := remote.Tail(ctx, s.Name)
		tail = reply.Next
		return err
	})
	return tail, err
}

// patiently asks again what ends by itself.
func (a *Asker) patiently(ctx context.Context, ask func() error) error {
	for {
		err := ask()
		switch peer.CodeOf(err) {
		case peer.Retry, peer.Unavailable, peer.Indeterminate, peer.Shed, peer.AtCapacity:
		default:
			return err
		}
		if a.process.Sleep(ctx, 200*time.Millisecond) != nil {
			return err
		}
	}
}
