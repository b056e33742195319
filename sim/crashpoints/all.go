package crashpoints

import (
	"context"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/stage"
	"github.com/novastream/nova/sim/workload"
)

// All are the scenarios, in the order of a star's life.
func All() []Scenario {
	return []Scenario{
		{"boot", "the first star of an installation marks its stores, mints and registers", small(1), boot},
		{"lead", "a fresh stream is opened, appended to, absorbed, and released when it is idle", small(2), lead},
		{"create", "a stream is created by the open of its first producer", small(3), createOnOpen},
		{"supersede", "a Fenced stream changes its producer and is released by the last close", small(2), supersede},
		{"join", "producers join and leave a stream that is led, and one comes back after a release", small(2), join},
		{"stop", "a star that leads streams of both classes stops cleanly", small(2), stop},
		{"failover", "a star fences and settles what a dead one left, and leads", small(2), failover},
		{"partial", "a star fences an Express epoch whose last slot is in one store only", small(2), partial},
		{"long", "a star settles more windows than it holds in memory at once", small(2), long},
		{"restart", "a star comes back within its session and goes on with what its earlier boot left", small(1), restart},
		{"session", "a star loses its session, registers again and re-attaches its leases", small(2), session},
		{"certify", "a live star certifies a stream that it has forgotten for another", small(2), certify},
		{"headless", "a chain epoch that was minted and has no row is fenced", small(1), headless},
		{"delete-led", "the leader deletes its stream", small(2), deleteLed},
		{"delete-vacant", "a vacant stream is deleted, and one of its name is created", small(2), deleteVacant},
		{"delete-unclean", "a stream whose dead star left it unclean is deleted", small(2), deleteUnclean},
		{"delete-found", "an open finds a deletion that stopped behind its point of no return", small(2), deleteFound},
	}
}

// Beyond are the named steps of the core that no scenario crosses, and why.
func Beyond() map[string]string {
	const why = "a row is redundant only where the key before it was freed by somebody who rewrites rows, and nothing in a fleet " +
		"does that yet; tests of core/absorb make one"
	return map[string]string{"absorb.redundant": why, "flush.redundant": why, "settle.redundant": why}
}

// Find is the scenario of a name.
func Find(name string) (Scenario, bool) {
	for _, s := range All() {
		if s.Name == name {
			return s, true
		}
	}
	return Scenario{}, false
}

func boot(t *telling) error {
	stream := t.Stream("first", peer.ModeAny, peer.ClassStandard)
	stream.OnOpen = true
	return run(
		t.watching(0), t.start(0), t.pass(8*time.Second), // a refresh of the registration, too
		t.again(0), t.boot, t.verdict(&stream),
	)
}

func lead(t *telling) error {
	var stream *workload.Stream
	return run(
		t.boot, t.create(&stream, peer.ModeAny, peer.ClassStandard),
		t.watching(0), t.write(&stream, 2), t.pass(1500*time.Millisecond), t.write(&stream, 1), t.idle,
		t.verdict(&stream),
	)
}

func createOnOpen(t *telling) error {
	stream := t.Stream("new", peer.ModeAny, peer.ClassStandard)
	stream.OnOpen = true
	return run(t.boot, t.watching(0, 1), t.write(&stream, 1), t.verdict(&stream))
}

func supersede(t *telling) error {
	var stream *workload.Stream
	return run(
		t.boot, t.create(&stream, peer.ModeFenced, peer.ClassStandard),
		t.watching(0), t.leave(&stream, 1), t.write(&stream, 1), t.pass(2*time.Second),
		t.verdict(&stream),
	)
}

func join(t *telling) error {
	var stream *workload.Stream
	return run(
		t.boot, t.create(&stream, peer.ModeAny, peer.ClassExpress),
		t.write(&stream, 1), t.watching(0), t.leave(&stream, 1), t.write(&stream, 1),
		t.verdict(&stream),
	)
}

func stop(t *telling) error {
	var one, two *workload.Stream
	return run(
		t.boot, t.create(&one, peer.ModeAny, peer.ClassStandard), t.create(&two, peer.ModeFenced, peer.ClassExpress),
		t.leave(&one, 2), func() error { return t.keep(two) },
		t.watching(0), t.stop(0),
		t.verdict(&one, &two),
	)
}

// keep has a client that stays write to a stream now and then.
func (t *telling) keep(stream *workload.Stream) error {
	c := t.Scribe("keeper")
	return c.Do(func(ctx context.Context) error {
		pen, err := c.Open(ctx, stream, client.ProducerOptions{ExactlyOnce: true})
		if err != nil {
			return err
		}
		if err := pen.WriteAll(ctx, 1); err != nil {
			return err
		}
		c.Go("keep", func(ctx context.Context) {
			for pen.WriteAll(ctx, 1) == nil && c.Sleep(ctx, time.Second) == nil {
			}
		})
		return nil
	})
}

func failover(t *telling) error {
	var stream *workload.Stream
	return run(
		t.boot, t.create(&stream, peer.ModeAny, peer.ClassStandard), t.leave(&stream, 4), t.crash(0),
		t.watching(1), t.pass(10*time.Second), t.try(&stream, 1),
		t.again(1), t.verdict(&stream),
	)
}

// again brings a star back that died while it was watched, so that somebody can serve.
func (t *telling) again(place int) func() error {
	return func() error {
		t.rest()
		if err := t.Pass(landed); err != nil { // it may be about to die of what it sent
			return err
		}
		return t.start(place)()
	}
}

func partial(t *telling) error {
	var stream *workload.Stream
	cut := func() error {
		for _, zone := range t.Zones[1:] {
			t.Net.Cut(t.Stars[0].Name, zone.Endpoint())
		}
		return t.Do("last words", func(ctx context.Context, c *stage.Scribe) error {
			ctx, cancel := c.WithTimeout(ctx, time.Second)
			defer cancel()
			pen, err := c.Open(ctx, stream, client.ProducerOptions{})
			if err == nil {
				_, _ = pen.Write(ctx) // nobody will ever know
			}
			return nil
		})
	}
	return run(
		t.boot, t.create(&stream, peer.ModeAny, peer.ClassExpress), t.leave(&stream, 2), cut, t.crash(0),
		t.watching(1), t.pass(10*time.Second), t.try(&stream, 1),
		t.again(1), t.verdict(&stream),
	)
}

func long(t *telling) error {
	const flights = 1100 // one window each
	var stream *workload.Stream
	unabsorbed := func() error {
		t.Net.Partition([]string{t.Stars[0].Name}, []string{simmeta.Endpoint})
		return nil
	}
	return run(
		t.boot, t.create(&stream, peer.ModeAny, peer.ClassExpress), t.between(&stream, unabsorbed, flights), t.crash(0),
		func() error { t.only = "settle."; return nil },
		t.watching(1), t.pass(10*time.Second), t.try(&stream, 1),
		t.again(1), t.verdict(&stream),
	)
}

func restart(t *telling) error {
	var stream *workload.Stream
	return run(
		t.boot, t.create(&stream, peer.ModeAny, peer.ClassStandard), t.leave(&stream, 3), t.crash(0),
		t.watching(0), t.start(0), t.try(&stream, 1), t.pass(2*time.Second),
		t.again(0), t.verdict(&stream),
	)
}

func session(t *telling) error {
	var stream *workload.Stream
	return run(
		t.boot, t.create(&stream, peer.ModeFenced, peer.ClassStandard), func() error { return t.keep(stream) },
		t.watching(0), func() error { t.Meta.ExpireSession(t.Stars[0].Name); return nil }, t.pass(8*time.Second),
		t.verdict(&stream),
	)
}

func certify(t *telling) error {
	var stream *workload.Stream
	ask := func() error {
		return t.Do("asker", func(ctx context.Context, c *stage.Scribe) error {
			ctx, cancel := c.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			_, _ = c.Star(t.Stars[1]).Tail(ctx, stream.Name) // what goes wrong is healed before the verdict
			return nil
		})
	}
	return run(
		t.boot, t.create(&stream, peer.ModeAny, peer.ClassStandard), func() error { return t.forgetful(stream) },
		t.watching(0, 1), ask, t.again(1), t.verdict(&stream),
	)
}

func deleteLed(t *telling) error {
	var stream *workload.Stream
	return run(
		t.boot, t.create(&stream, peer.ModeAny, peer.ClassStandard), t.leave(&stream, 2),
		t.watching(0), t.remove(&stream), t.rested, t.healed, t.gone(&stream), t.Judge,
	)
}

func (t *telling) rested() error {
	t.rest()
	return nil
}

func deleteVacant(t *telling) error {
	var stream *workload.Stream
	return run(
		t.boot, t.create(&stream, peer.ModeFenced, peer.ClassStandard), t.write(&stream, 2), t.pass(2*time.Second),
		t.watching(0), t.remove(&stream), t.write(&stream, 1), t.rested, t.healed, t.Judge,
	)
}

func deleteUnclean(t *telling) error {
	var stream *workload.Stream
	return run(
		t.boot, t.create(&stream, peer.ModeAny, peer.ClassStandard), t.leave(&stream, 2), t.crash(0), t.pass(10*time.Second),
		t.watching(1), t.attempt(&stream), t.again(1), t.remove(&stream), t.healed, t.gone(&stream), t.Judge,
	)
}

// attempt tries to delete the stream for a while.
func (t *telling) attempt(stream **workload.Stream) func() error {
	return func() error {
		t.Forget(*stream)
		return t.Do("deleter", func(ctx context.Context, c *stage.Scribe) error {
			ctx, cancel := c.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			_ = c.Client.DeleteStream(ctx, (*stream).Name) // what goes wrong is healed before the verdict
			return nil
		})
	}
}

func deleteFound(t *telling) error {
	var stream *workload.Stream
	return run(
		t.boot, t.create(&stream, peer.ModeAny, peer.ClassStandard), t.leave(&stream, 2), t.crashAt(0, "delete.descriptor"),
		t.attempt(&stream), t.pass(10*time.Second), t.watching(1), t.open(&stream), t.again(1),
		t.open(&stream), t.healed, t.gone(&stream), t.Judge,
	)
}

// open opens the stream, which is to be found deleted or not at all.
func (t *telling) open(stream **workload.Stream) func() error {
	return func() error {
		return t.Do("opener", func(ctx context.Context, c *stage.Scribe) error {
			ctx, cancel := c.WithTimeout(ctx, 20*time.Second)
			defer cancel()
			_, err := c.Client.OpenProducer(ctx, (*stream).Name, client.ProducerOptions{})
			if err == nil {
				return &stage.VerdictError{Sentences: []string{"the deleted stream " + (*stream).Name.String() + " was opened"}}
			}
			return nil
		})
	}
}
