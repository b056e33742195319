package main_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/novastream/nova/cmd/nova/rig"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

// Three stars, and one misfortune after the other. Each leaves behind a fleet that serves every stream through every star,
// and a history that is linearizable.
func TestFleet(t *testing.T) {
	besides(t)
	f := newFleet(t, 3)
	for _, c := range []struct {
		name string
		run  func(*fleet, *recorder)
	}{
		{"any star answers", (*fleet).anyStarAnswers},
		{"a leader dies", (*fleet).aLeaderDies},
		{"all stars die", (*fleet).allStarsDie},
		{"a rolling restart", (*fleet).aRollingRestart},
		{"a zombie does not acknowledge", (*fleet).aZombieDoesNotAcknowledge},
		{"a leader without its metastore", (*fleet).aLeaderWithoutItsMetastore},
		{"a leader without its store", (*fleet).aLeaderWithoutItsStore},
		{"a zone is lost", (*fleet).aZoneIsLost},
		{"a store that answers slowly", (*fleet).aStoreThatAnswersSlowly},
	} {
		t.Run(c.name, func(t *testing.T) {
			began := time.Now()
			r := newRecorder()
			c.run(f.of(t), r)
			f.of(t).judge(r)
			t.Logf("it took %v", time.Since(began))
		})
	}
}

func asError(err error) *peer.Error {
	var refused *peer.Error
	errors.As(err, &refused)
	return refused
}

// of is the fleet for a test within the test that started it.
func (f *fleet) of(t *testing.T) *fleet {
	stars := make([]*member, len(f.stars))
	for i, m := range f.stars {
		stars[i] = m
		m.t = t
	}
	return &fleet{T: t, world: f.world, stars: stars}
}

// Every star takes every stream: it leads it, or names who does, and its clients go there. Reads come out the same everywhere.
func (f *fleet) anyStarAnswers(r *recorder) {
	for i, m := range f.stars {
		m.must(lines(500*i, 500), "append", "any/lines")
	}
	for _, m := range f.stars {
		if got := m.must("", "read", "any/lines"); got != lines(0, 1500) {
			f.Errorf("read through the star at %s: %d bytes that differ", m.addr, len(got))
		}
	}
	stream := peer.StreamName{Bucket: "any", Key: "lines"}
	leader, others := f.leader(stream)
	for _, m := range others {
		_, err := f.connect().Direct(m.addr).OpenSession(f.Context(), peer.OpenRequest{Stream: stream})
		if refused := asError(err); refused == nil || refused.Code != peer.NotOwner || refused.Addr != leader.addr {
			f.Errorf("the star at %s says %v of a stream that the one at %s leads", m.addr, err, leader.addr)
		}
	}
	f.serves(r, f.streams("answers", 8)...)
}

// streams are n streams of every kind.
func (f *fleet) streams(name string, n int) (streams []peer.StreamName) {
	for i := range n {
		bucket := []string{"any", "express", "fenced", "any"}[i%4]
		streams = append(streams, peer.StreamName{Bucket: bucket, Key: fmt.Sprint(name, "-", i)})
	}
	return streams
}

// A star dies by kill -9 with streams that it leads. The others take them over; it comes back as itself.
func (f *fleet) aLeaderDies(r *recorder) {
	streams := f.streams("dies", 4)
	f.serves(r, streams...)
	leader, _ := f.leader(streams[0])
	leader.kill()
	survivors := f.without(leader)
	survivors.serves(r, streams...)
	if now, _ := survivors.leader(streams[0]); now == leader {
		f.Errorf("the dead star at %s leads %v", leader.addr, streams[0])
	}
	f.mend()
	f.serves(r, streams...)
}

// All stars die at once. Those that come back find everything.
func (f *fleet) allStarsDie(r *recorder) {
	streams := f.streams("all-die", 4)
	f.serves(r, streams...)
	for _, m := range f.stars {
		m.kill()
	}
	f.mend()
	f.serves(r, streams...)
}

// One star after the other is stopped and started, while clients append. Each finishes its streams before it goes.
func (f *fleet) aRollingRestart(r *recorder) {
	streams := f.streams("rolling", 4)
	working, stop := context.WithCancel(f.Context())
	defer stop()
	var clients sync.WaitGroup
	for _, stream := range streams {
		clients.Go(func() { (&worker{t: f.T, r: r, by: r.client(), stream: stream}).run(working, f.addrs()...) })
	}
	for _, m := range f.stars {
		last(session / 10)
		if code := m.stop(); code != 0 {
			f.Errorf("the star at %s stopped with exit %d", m.addr, code)
		}
		m.start()
	}
	stop()
	clients.Wait()
	f.serves(r, streams...)
}

// without is the fleet but for one star.
func (f *fleet) without(m *member) *fleet {
	rest := &fleet{T: f.T, world: f.world}
	for _, other := range f.stars {
		if other != m {
			rest.stars = append(rest.stars, other)
		}
	}
	return rest
}

// A star is stopped in its tracks for longer than its session, with an append before it. Others take its stream over and
// acknowledge; then it goes on, as if no time had passed: it must not acknowledge what it was asked, nor answer from what it
// believed.
func (f *fleet) aZombieDoesNotAcknowledge(r *recorder) {
	stream := peer.StreamName{Bucket: "any", Key: "zombie"}
	f.serves(r, stream)
	zombie, _ := f.leader(stream)
	held := f.hold(r, stream, zombie)
	zombie.pause()
	held.send()
	f.without(zombie).serves(r, stream)
	asked := f.tailLater(r, stream, zombie)
	zombie.resume()
	held.wantNoAck()
	<-asked
	f.serves(r, stream)
	if !zombie.runs() {
		f.Errorf("the star at %s has ended: %v", zombie.addr, zombie.cmd.ProcessState)
	}
}

// A leader loses its metastore, and so its session. At first it goes on: its chain is its own. Then another takes the stream
// over, and from there on it acknowledges nothing.
func (f *fleet) aLeaderWithoutItsMetastore(r *recorder) {
	for _, kind := range []rig.Kind{rig.Cut, rig.Silent} {
		stream := peer.StreamName{Bucket: "any", Key: "without-metastore-" + kind.String()}
		f.serves(r, stream)
		lost, _ := f.leader(stream)
		held := f.hold(r, stream, lost)
		lost.meta.set(rig.Fault{Kind: kind})
		f.without(lost).takesOver(r, stream, lost)
		held.send()
		f.without(lost).serves(r, stream)
		f.mend()
		held.wantNoAck()
		f.serves(r, stream)
	}
}

// takesOver waits until another than this star leads, and has appended.
func (f *fleet) takesOver(r *recorder, stream peer.StreamName, from *member) {
	f.Helper()
	eventually(f.T, "nobody takes over "+stream.String()+" from the star at "+from.addr, func() bool {
		f.serves(r, stream)
		ctx, cancel := context.WithTimeout(f.Context(), patience)
		defer cancel()
		info, err := f.connect().DescribeStream(ctx, stream)
		return err == nil && info.LeaderAddr != "" && info.LeaderAddr != from.addr
	})
}

// A leader that reaches the metastore and not its store keeps its streams, and acknowledges nothing that is not there. It goes
// on when the store is back.
func (f *fleet) aLeaderWithoutItsStore(r *recorder) {
	for _, kind := range []rig.Kind{rig.Cut, rig.Silent, rig.Deaf} {
		stream := peer.StreamName{Bucket: "any", Key: "without-store-" + kind.String()}
		f.serves(r, stream)
		lost, _ := f.leader(stream)
		held := f.hold(r, stream, lost)
		lost.store.set(rig.Fault{Kind: kind})
		held.send()
		select {
		case c := <-held.done:
			if c.Outcome == history.OK {
				f.Errorf("%v: acknowledged what no store holds", kind)
			}
			held.done <- c
		case <-time.After(session / 3):
		}
		f.mend()
		<-held.done
		f.serves(r, stream)
	}
}

// Streams of the express class go on over the loss of one zone of three, at every star.
func (f *fleet) aZoneIsLost(r *recorder) {
	stream := peer.StreamName{Bucket: "express", Key: "zone"}
	f.serves(r, stream)
	for _, m := range f.stars {
		m.zones.links[2].Set(rig.Fault{Kind: rig.Cut})
	}
	f.serves(r, stream, peer.StreamName{Bucket: "express", Key: "new"})
	f.mend()
	f.serves(r, stream)
}

// A store that takes its time makes appends slow and nothing worse.
func (f *fleet) aStoreThatAnswersSlowly(r *recorder) {
	streams := f.streams("slow", 2)
	for _, m := range f.stars {
		m.store.set(rig.Fault{Kind: rig.Slow, Delay: 300 * time.Millisecond})
		m.zones.set(rig.Fault{Kind: rig.Slow, Delay: 100 * time.Millisecond})
	}
	f.serves(r, streams...)
	f.mend()
	f.serves(r, streams...)
}
