package crashpoints

import (
	"context"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/stage"
	"github.com/novastream/nova/sim/workload"
)

// The parts that stories are made of. Each is a step of run.

// small is the setting of a story: few stars, and sessions that run out soon.
func small(stars int) fleets.Config {
	return fleets.Config{Stars: stars, SessionTimeOut: 6 * time.Second}
}

// boot boots the fleet.
func (t *telling) boot() error { return t.Boot() }

// create makes a stream whose designate is the first star.
func (t *telling) create(stream **workload.Stream, mode peer.Mode, class peer.Class) func() error {
	return func() (err error) {
		*stream, err = t.CreateFor(t.Stars[0], mode, class)
		return err
	}
}

// write has a new client open the stream, write n lines one after the other, and give the handle back. Where a star dies
// under it, it goes on at another.
func (t *telling) write(stream **workload.Stream, n int) func() error {
	return func() error {
		return t.Do("writer", func(ctx context.Context, c *stage.Scribe) error {
			pen, err := c.Open(ctx, *stream, client.ProducerOptions{Create: true})
			if err != nil {
				return err
			}
			if err := pen.WriteAll(ctx, n); err != nil {
				return err
			}
			ctx, cancel := c.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			_ = pen.Close(ctx) // where it does not arrive, the star finds out by itself
			return nil
		})
	}
}

// try is write for a while: nobody may be left to serve.
func (t *telling) try(stream **workload.Stream, n int) func() error {
	return func() error {
		return t.Do("writer", func(ctx context.Context, c *stage.Scribe) error {
			ctx, cancel := c.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			if pen, err := c.Open(ctx, *stream, client.ProducerOptions{}); err == nil {
				_ = pen.WriteAll(ctx, n) // what goes wrong is healed before the verdict
			}
			return nil
		})
	}
}

// leave is write whose client goes away with its handle open: it is killed.
func (t *telling) leave(stream **workload.Stream, n int) func() error {
	return t.between(stream, func() error { return nil }, n)
}

// between is leave in which something happens behind the open.
func (t *telling) between(stream **workload.Stream, happens func() error, n int) func() error {
	return func() error {
		return t.Do("leaver", func(ctx context.Context, c *stage.Scribe) error {
			pen, err := c.Open(ctx, *stream, client.ProducerOptions{})
			if err != nil {
				return err
			}
			if err := happens(); err != nil {
				return err
			}
			return pen.WriteAll(ctx, n)
		})
	}
}

// remove deletes the stream, and leaves it out of the judgement.
func (t *telling) remove(stream **workload.Stream) func() error {
	return func() error {
		t.Forget(*stream)
		return t.Do("deleter", func(ctx context.Context, c *stage.Scribe) error {
			err := c.Client.DeleteStream(ctx, (*stream).Name)
			if peer.Is(err, peer.NotFound) {
				return nil // an earlier try of its own, at a star that died
			}
			return err
		})
	}
}

// gone says what is wrong where a deleted stream can be found.
func (t *telling) gone(stream **workload.Stream) func() error {
	return func() error {
		return t.Do("seeker", func(ctx context.Context, c *stage.Scribe) error {
			_, err := c.Client.Tail(ctx, (*stream).Name)
			if !peer.Is(err, peer.NotFound) {
				return &stage.VerdictError{Sentences: []string{"the deleted stream " + (*stream).Name.String() + " is found"}}
			}
			return nil
		})
	}
}

// pass lets time pass.
func (t *telling) pass(d time.Duration) func() error { return func() error { return t.Pass(d) } }

// idle lets enough time pass for an idle stream to be released.
func (t *telling) idle() error { return t.Pass(leadership.IdleTimeout + 3*time.Second) }

// watching enumerates the effects of the stars at these places from here on.
func (t *telling) watching(places ...int) func() error {
	return func() error {
		for _, i := range places {
			t.watch(t.Stars[i].Name)
		}
		return nil
	}
}

// crash kills the star at a place.
func (t *telling) crash(place int) func() error {
	return func() error {
		t.Stars[place].Crash()
		return nil
	}
}

// start starts the star at a place and gives it time to boot.
func (t *telling) start(place int) func() error {
	return func() error {
		t.Stars[place].Start()
		return t.Pass(2 * time.Second)
	}
}

// stop stops the star at a place cleanly, and gives it time for that.
func (t *telling) stop(place int) func() error {
	return func() error {
		t.Stars[place].Stop(20 * time.Second)
		return t.Pass(5 * time.Second)
	}
}

// landed is how long it takes until what was sent while it was watched has had its effect.
const landed = 2 * time.Second

// healed ends whatever goes wrong, brings back who is dead, and lands what was late.
func (t *telling) healed() error {
	t.over()
	if err := t.Pass(landed); err != nil {
		return err
	}
	t.Heal()
	return nil
}

// verdict ends a story: nothing more goes wrong, somebody serves the streams again while the dead are dead, then all is healed
// and judged.
func (t *telling) verdict(streams ...**workload.Stream) func() error {
	return func() error {
		t.rest()
		for _, stream := range streams {
			if err := t.write(stream, 1)(); err != nil {
				return err
			}
		}
		return run(t.healed, t.Judge)
	}
}
