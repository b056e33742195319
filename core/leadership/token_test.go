package leadership_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/workload"
)

func (r *rig) token(stream *workload.Stream) uint64 {
	row := &records.Producer{}
	rec, _ := r.Meta.Peek(simmeta.Records, keys.ProducerRow(r.ID(stream)))
	r.ok(records.Decode(rec.Key, rec.Value, row))
	return row.GetToken()
}

// TestZombieMovesNoToken: an open at a star that was superseded must not move the fencing token: it will never complete, and
// the producer at the live leader would be fenced for nothing.
func TestZombieMovesNoToken(t *testing.T) {
	for seed := range uint64(5) {
		r := newRig(t, seed, fleets.Config{Stars: 3})
		zombie := r.Stars[0]
		stream := r.streamFor(zombie, peer.ModeFenced, peer.ClassStandard)
		old, next := r.Scribe("old"), r.Scribe("next")
		r.write(old, r.open(old, stream, client.ProducerOptions{}), 2)
		zombie.Process.Pause()
		pen := r.open(next, stream, client.ProducerOptions{})
		r.write(next, pen, 2)
		token := r.token(stream)
		zombie.Process.Resume()
		err := r.openAt(old, zombie, stream)
		r.check(peer.Is(err, peer.NotOwner), "the open at the zombie ended with %v", err)
		r.check(r.token(stream) == token, "the token moved from %d to %d", token, r.token(stream))
		r.write(next, pen, 2)
		r.done()
	}
}

// TestOneTokenAtATime: from the instant in which a newer token can be seen, no append that the older producer begins is
// acknowledged, however long the answer of the metastore takes, or if it never comes.
func TestOneTokenAtATime(t *testing.T) {
	for name, delay := range map[string]func(r *rig, star *fleets.Star){
		"a slow answer": func(r *rig, star *fleets.Star) { r.Net.Slow("meta", star.Name, sim.Latency{Base: time.Second}) },
		"a lost answer": func(r *rig, star *fleets.Star) {
			r.World.JudgeEffects(func(e sim.Effect) sim.Fate {
				if e.Step == "open.token" && e.Kind == "meta.put" {
					r.World.JudgeEffects(nil)
					return sim.Lost
				}
				return sim.Normal
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 1, fleets.Config{Stars: 1})
			star := r.Stars[0]
			stream := r.streamFor(star, peer.ModeFenced, peer.ClassExpress)
			old, next := r.Scribe("old"), r.Scribe("next")
			pen := r.open(old, stream, client.ProducerOptions{})
			visible := false
			r.Meta.OnWrite(func(w simmeta.Write) {
				visible = visible || w.Key == keys.ProducerRow(r.ID(stream))
			})
			fenced := false
			old.Go("append", func(ctx context.Context) {
				for !fenced {
					late := visible
					_, err := pen.Write(ctx)
					if late && err == nil {
						t.Error("the older producer was acknowledged for an append that it began when the newer token could be seen")
					}
					fenced = peer.Is(err, peer.Fenced)
				}
			})
			r.pass(100 * time.Millisecond)
			delay(r, star)
			successor := r.open(next, stream, client.ProducerOptions{})
			r.until("the older producer to hear of it", func() bool { return fenced })
			r.Net.Heal()
			r.write(next, successor, 2)
			r.done()
		})
	}
}

// TestATokenThatCouldNotBeWritten: the older producer goes on.
func TestATokenThatCouldNotBeWritten(t *testing.T) {
	r := newRig(t, 2, fleets.Config{Stars: 1})
	stream := r.streamFor(r.Stars[0], peer.ModeFenced, peer.ClassStandard)
	old, next := r.Scribe("old"), r.Scribe("next")
	pen := r.open(old, stream, client.ProducerOptions{})
	r.write(old, pen, 1)
	setRecordsDown(r, true)
	err := r.openAt(next, r.Stars[0], stream)
	r.check(peer.Is(err, peer.Unavailable), "the open ended with %v", err)
	setRecordsDown(r, false)
	r.write(old, pen, 2)
	r.check(pen.Opened().Epoch == 1 && r.token(stream) == 1, "the older producer was disturbed: %+v", pen.Opened())
	r.done()
}
