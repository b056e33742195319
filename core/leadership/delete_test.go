package leadership_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/stage"
	"github.com/novastream/nova/sim/workload"
)

// remove deletes a stream through the cluster client, and leaves it out of the judgement.
func remove(r *rig, stream *workload.Stream) {
	r.Helper()
	c := r.Scribe("deleter")
	r.ok(c.Do(func(ctx context.Context) error { return c.Client.DeleteStream(ctx, stream.Name) }))
	r.Forget(stream)
}

// gone checks that a stream is not there for anybody, and that the tombstone of its id stays.
func gone(r *rig, stream *workload.Stream, id keys.StreamID) {
	r.Helper()
	c := r.Scribe("c")
	for _, star := range r.Stars {
		for what, call := range map[string]func(ctx context.Context, s peer.Star) error{
			"open": func(ctx context.Context, s peer.Star) error {
				_, err := s.OpenSession(ctx, peer.OpenRequest{Stream: stream.Name})
				return err
			},
			"tail":     func(ctx context.Context, s peer.Star) error { _, err := s.Tail(ctx, stream.Name); return err },
			"describe": func(ctx context.Context, s peer.Star) error { _, err := s.DescribeStream(ctx, stream.Name); return err },
			"delete":   func(ctx context.Context, s peer.Star) error { return s.DeleteStream(ctx, stream.Name) },
			"fetch": func(ctx context.Context, s peer.Star) error {
				_, err := s.Fetch(ctx, peer.FetchRequest{Stream: stream.Name})
				return err
			},
		} {
			err := r.ask(c, star, call)
			r.check(peer.Is(err, peer.NotFound), "%s at %s ended with %v", what, star.Name, err)
		}
	}
	_, held := r.Lease(id)
	r.check(r.Writer(id).GetDeleted() && !held, "deleted %v, lease held %v", r.Writer(id).GetDeleted(), held)
}

// TestDeleteByTheLeader: the leader ends its producers, turns the writer row to deleted, frees the name and answers.
func TestDeleteByTheLeader(t *testing.T) {
	r := newRig(t, 1, fleets.Config{Stars: 3})
	stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
	id := r.ID(stream)
	c := r.Scribe("c")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.write(c, pen, 3)
	remove(r, stream)
	err := c.Do(func(ctx context.Context) error { _, err := pen.Write(ctx); return err })
	r.check(peer.Is(err, peer.NotFound), "an append to the deleted stream ended with %v", err)
	gone(r, stream, id)
	r.done()
}

// TestDeleteOfAVacantStream: the deleter's star takes the vacant lease and the lead, and ends it.
func TestDeleteOfAVacantStream(t *testing.T) {
	r := newRig(t, 2, fleets.Config{Stars: 3})
	stream := released(r, r.Stars[1], 2)
	id := r.ID(stream)
	remove(r, stream)
	gone(r, stream, id)
	r.done()
}

// TestDeleteOfWhatADeadStarLeft: the dead writer's chain is fenced first: it must not acknowledge into a stream that is gone.
func TestDeleteOfWhatADeadStarLeft(t *testing.T) {
	r := newRig(t, 3, fleets.Config{Stars: 3})
	stream := r.streamFor(r.Stars[2], peer.ModeAny, peer.ClassExpress)
	id := r.ID(stream)
	c := r.Scribe("c")
	r.write(c, r.open(c, stream, client.ProducerOptions{}), 5)
	row := r.Writer(id)
	r.Stars[2].Crash()
	remove(r, stream)
	r.check(r.epoch(row).GetState() != activeState, "the dead writer's epoch is %v", r.epoch(row))
	r.Stars[2].Start()
	r.until("the boot", func() bool { return r.Stars[2].Serving != nil })
	gone(r, stream, id)
	r.done()
}

// TestDeleteThenCreate: the name is free at once, for a stream of another id that begins at 0; the descriptor remembers the id
// before. A producer of the old stream that goes on by name meets the new one.
func TestDeleteThenCreate(t *testing.T) {
	for seed := range uint64(5) {
		r := newRig(t, seed, fleets.Config{Stars: 3})
		stale(r)
		stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
		first := r.ID(stream)
		c := r.Scribe("c")
		r.write(c, r.open(c, stream, client.ProducerOptions{}), 3)
		remove(r, stream)
		r.ok(c.Do(func(ctx context.Context) error {
			created, err := c.Client.CreateStream(ctx, peer.CreateStreamRequest{Stream: stream.Name})
			if err == nil && created.ID == string(first) {
				t.Errorf("seed %d: the id was used again", seed)
			}
			return err
		}))
		pen := r.open(c, stream, client.ProducerOptions{})
		r.check(pen.Opened().Next == 0 && pen.Opened().StreamID != string(first), "the new stream opened with %+v", pen.Opened())
		r.write(c, pen, 2)
		r.check(r.tail(c, stream) == 2, "the tail of the new stream is %d", r.tail(c, stream))
		r.check(r.Writer(first).GetDeleted(), "the tombstone of the old id is gone")
		r.done()
	}
}

// TestDeleteLosesItsAnswers: whatever answer of the two writes of a deletion is lost, the client is told that the stream is
// deleted, not that it never was.
func TestDeleteLosesItsAnswers(t *testing.T) {
	for _, step := range []string{"delete.writer", "delete.descriptor"} {
		for _, fate := range []sim.Fate{sim.Lost, sim.Refused} {
			t.Run(step+" "+fate.String(), func(t *testing.T) {
				r := newRig(t, 5, fleets.Config{Stars: 3})
				stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
				id := r.ID(stream)
				c := r.Scribe("c")
				r.write(c, r.open(c, stream, client.ProducerOptions{}), 2)
				hits := 0
				r.World.JudgeEffects(func(e sim.Effect) sim.Fate {
					if e.Step == step && e.Kind == "meta.put" && hits == 0 {
						hits++
						return fate
					}
					return sim.Normal
				})
				remove(r, stream)
				r.check(hits == 1, "the step was not crossed")
				gone(r, stream, id)
				r.done()
			})
		}
	}
}

// TestNoTakeBackOfADeletion: a deletion whose write is not known to have landed may still land. Its leadership admits nobody any more.
func TestNoTakeBackOfADeletion(t *testing.T) {
	r := newRig(t, 6, fleets.Config{Stars: 3})
	star := r.Stars[0]
	stream := r.streamFor(star, peer.ModeAny, peer.ClassStandard)
	id := r.ID(stream)
	c := r.Scribe("c")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.write(c, pen, 2)
	r.World.JudgeEffects(func(e sim.Effect) sim.Fate {
		if e.Step == "delete.writer" && e.Kind == "meta.put" {
			setRecordsDown(r, true)
			return sim.Refused
		}
		return sim.Normal
	})
	deleter := r.Scribe("deleter")
	deleter.Go("delete", func(ctx context.Context) { _ = deleter.Client.DeleteStream(ctx, stream.Name) })
	r.until("limbo", func() bool { return limbo(r, star) == 1 })
	deleter.Kill()
	r.World.JudgeEffects(nil)
	err := r.openAt(c, star, stream)
	r.check(peer.Is(err, peer.Retry), "an open behind the point of no return ended with %v", err)
	setRecordsDown(r, false)
	r.until("the release", func() bool { _, held := r.Lease(id); return !held })
	r.done() // the deletion never happened: the stream is whole
}

// TestDeleteInLimboIsRefused: a stream whose departure cannot land cannot be deleted either; when it lands it can.
func TestDeleteInLimboIsRefused(t *testing.T) {
	r := newRig(t, 7, fleets.Config{Stars: 3})
	stream := inLimbo(r, r.Stars[0])
	id := r.ID(stream)
	err := r.ask(r.Scribe("c"), r.Stars[0], func(ctx context.Context, s peer.Star) error { return s.DeleteStream(ctx, stream.Name) })
	r.check(peer.Is(err, peer.Retry), "the deletion ended with %v", err)
	r.Objects.SetDark(false)
	remove(r, stream)
	gone(r, stream, id)
	r.done()
}

// TestDeletesAndOpensRace: deleters, creators and producers of one name at once, at all stars. In the end one of them has the
// last word and nothing is stuck.
func TestDeletesAndOpensRace(t *testing.T) {
	for seed := range uint64(10) {
		r := newRig(t, seed, fleets.Config{Stars: 3})
		stream := r.Stream("contested", peer.ModeAny, peer.ClassStandard)
		r.Forget(stream)
		done := 0
		act := func(name string, do func(ctx context.Context, c *stage.Scribe) error) {
			c := r.Scribe(name)
			c.Go("act", func(ctx context.Context) {
				for range 10 {
					limited, cancel := c.WithTimeout(ctx, 10*time.Second)
					err := do(limited, c)
					cancel()
					if err != nil && !peer.Is(err, peer.NotFound) && !peer.Is(err, peer.AlreadyExists) && !peer.Is(err, peer.Indeterminate) {
						t.Errorf("seed %d: %s: %v", seed, name, err)
					}
					_ = c.Sleep(ctx, 20*time.Millisecond)
				}
				done++
			})
		}
		for range 2 {
			act("deleter", func(ctx context.Context, c *stage.Scribe) error { return c.Client.DeleteStream(ctx, stream.Name) })
			act("producer", func(ctx context.Context, c *stage.Scribe) error {
				pen, err := c.Open(ctx, stream, client.ProducerOptions{Create: true})
				if err != nil {
					return err
				}
				_, err = pen.Write(ctx)
				_ = pen.Close(ctx)
				return err
			})
		}
		r.until("all to be done", func() bool { return done == 4 })
		remove(r, mustExist(r, stream))
		r.done()
	}
}

// mustExist opens a stream so that it is there.
func mustExist(r *rig, stream *workload.Stream) *workload.Stream {
	r.Helper()
	c := r.Scribe("last")
	r.write(c, r.open(c, stream, client.ProducerOptions{Create: true}), 1)
	return stream
}
