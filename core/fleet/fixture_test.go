package fleet_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/fleet"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/simnet"
)

const sessionTimeout = 15 * time.Second

// world is a simulated metastore with stars that do nothing but register.
type world struct {
	*testing.T
	sim   *sim.World
	store *simmeta.Store
}

func newWorld(t *testing.T, seed uint64) *world {
	w := sim.New(sim.Config{Seed: seed})
	t.Cleanup(w.Close)
	return &world{t, w, simmeta.New(simnet.New(w, simnet.Config{}), simmeta.Config{SessionTimeOut: sessionTimeout})}
}

func (w *world) run(d time.Duration) {
	w.Helper()
	if err := w.sim.RunFor(d); err != nil {
		w.Fatal(err)
	}
}

func (w *world) do(fn func(ctx context.Context)) {
	w.Helper()
	if err := w.sim.Do(time.Hour, fn); err != nil {
		w.Fatal(err)
	}
}

// star is one process life with a registry.
type star struct {
	w       *world
	process *sim.Process
	reg     *fleet.Registry
	lost    int   // calls of the hook
	ended   bool  // Run has returned
	end     error // what Run returned
}

// env is the environment of a process life. Its boot id is its name and how often that was started.
func (w *world) env(p *sim.Process) env.Env {
	boot := keys.BootID(p.Name() + "/" + string(rune('0'+p.Boot())))
	return env.Env{Run: p, Meta: w.store.Spaces(p), Star: keys.StarID(p.Name()), Boot: boot}
}

// boot starts a process life of a star: it registers, and stays registered.
func (w *world) boot(name string) *star {
	s := &star{w: w, process: w.sim.Process(name)}
	s.reg = fleet.NewRegistry(fleet.Config{
		Env: w.env(s.process), Addr: name + ":7780", Location: "zone-" + name, Version: "test",
		Measure: func() *records.Stats {
			return &records.Stats{Leaders: 3, AppendBytesPerSecond: 1e6, HotReadBytesPerSecond: 2e6}
		},
		Lost: func(context.Context) { s.lost++ },
	})
	s.process.Go("registry", func(ctx context.Context) {
		if s.end = s.reg.Register(ctx); s.end == nil {
			s.end = s.reg.Run(ctx)
		}
		s.ended = true
	})
	return s
}

// boot id of the liveness row, and the beat of the stats row, as they stand; "" and 0 where they do not.
func (w *world) rows(name string) (boot string, beat uint64) {
	w.Helper()
	live, stats := &records.Liveness{}, &records.Stats{}
	if rec, ok := w.store.Peek(simmeta.Ephemeral, keys.StarRow(keys.StarID(name))); ok {
		if err := records.Decode(rec.Key, rec.Value, live); err != nil {
			w.Fatal(err)
		}
	}
	if rec, ok := w.store.Peek(simmeta.Ephemeral, keys.StatsRow(keys.StarID(name))); ok {
		if err := records.Decode(rec.Key, rec.Value, stats); err != nil {
			w.Fatal(err)
		}
	}
	return live.GetBoot(), stats.GetBeat()
}

// wantRows demands who is registered.
func (w *world) wantRows(name, boot string) {
	w.Helper()
	got, beat := w.rows(name)
	if got != boot || (boot == "") != (beat == 0) {
		w.Fatalf("at %v %s is registered by %q with beat %d, want %q", w.sim.Now(), name, got, beat, boot)
	}
}

// remove deletes a row behind its star's back.
func (w *world) remove(key string) {
	w.Helper()
	w.do(func(ctx context.Context) {
		rows := w.store.Spaces(w.sim.Driver()).Ephemeral.Within(keys.FleetLocality)
		rec, err := rows.Fresh().Get(ctx, key)
		if err == nil {
			err = rows.Delete(ctx, key, at(rec.Version))
		}
		if err != nil {
			w.Error(err)
		}
	})
}
