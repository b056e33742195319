package star

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/core/absorb"
	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/fleet"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/core/reads"
	"github.com/novastream/nova/core/records"
)

// Boot brings a star to life: on return it is registered and serves. The error says what is missing and leaves nothing
// running that could acknowledge.
func Boot(ctx context.Context, cfg Config) (*Star, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	id, err := readIdentity(ctx, cfg.Disk, cfg.Run)
	if err != nil {
		return nil, fmt.Errorf("read the star's identity: %w", err)
	}
	e := env.Env{Run: cfg.Run, Meta: cfg.Meta, Star: id, Boot: keys.BootID(randomHex(cfg.Run, 16)), Bugs: cfg.Bugs}
	sets, err := markStores(ctx, e, cfg)
	if err != nil {
		return nil, err
	}
	stores := chain.NewStores(sets...)
	if err := holdsEarlier(ctx, e, stores); err != nil {
		return nil, err
	}
	for _, set := range sets {
		if err := chain.CheckRemembered(ctx, e, set.Stores); err != nil {
			return nil, err
		}
	}
	s := &Star{cfg: cfg, env: e, stores: stores, lines: map[records.Class]leadership.Line{}, unsettled: map[keys.Epoch]error{}}
	s.wire(sets)
	if err := s.registry.Register(ctx); err != nil {
		return nil, fmt.Errorf("register star %s: %w", id, err)
	}
	s.start()
	cfg.Run.Note("star serves", "star", id, "boot", e.Boot, "addr", cfg.Addr)
	return s, nil
}

// markStores gives each store its identity and builds the store sets.
func markStores(ctx context.Context, e env.Env, cfg Config) ([]chain.Set, error) {
	cluster, err := readCluster(ctx, e.Run, e.Meta.Records)
	if err != nil {
		return nil, fmt.Errorf("read the installation's id: %w", err)
	}
	regional, err := chain.Mark(ctx, e, cluster, "", cfg.Objects)
	if err != nil {
		return nil, fmt.Errorf("mark the regional store: %w", err)
	}
	sets := []chain.Set{chain.Standard(regional)}
	if len(cfg.Express) == 0 {
		return sets, nil
	}
	zones := make([]chain.Store, len(cfg.Express))
	for i, zone := range cfg.Express {
		if zones[i], err = chain.Mark(ctx, e, cluster, zone.Name, zone.Blob); err != nil {
			return nil, fmt.Errorf("mark the store of zone %s: %w", zone.Name, err)
		}
	}
	express, err := chain.Express(zones)
	return append(sets, express), err
}

// holdsEarlier refuses a star that was started without a store which it has written to: what it acknowledged there could
// not be read, and what it went on to acknowledge would lie elsewhere.
func holdsEarlier(ctx context.Context, e env.Env, stores *chain.Stores) error {
	rows, err := chain.Epochs(ctx, e.Meta.Records.Fresh(), e.Star)
	if err != nil {
		return fmt.Errorf("read the chain epochs of star %s: %w", e.Star, err)
	}
	for _, row := range rows {
		if _, err := stores.Resolve(row.Value.GetStores()); err != nil {
			return fmt.Errorf("star %s wrote its chain epoch %d elsewhere: %w", e.Star, row.Epoch, err)
		}
	}
	return nil
}

// wire makes the parts and ties them together.
func (s *Star) wire(sets []chain.Set) {
	s.judge = fleet.NewJudge(s.env, s.cfg.SessionTimeout)
	s.registry = fleet.NewRegistry(fleet.Config{
		Env: s.env, Addr: s.cfg.Addr, Location: s.cfg.Location, Version: s.cfg.Version,
		Measure: s.measure, Lost: func(ctx context.Context) { s.leaders.Reattach(ctx) },
	})
	for _, set := range sets {
		s.sets = append(s.sets, set)
		sink := &sink{}
		writer := chain.NewWriter(s.env, set, sink)
		absorber := absorb.New(s.env, s.stores, set.Class, s.cfg.AbsorbFanout, absorb.Hooks{
			Covered: func(id keys.StreamID, end keys.Seq) { s.leaders.Covered(id, end) },
			Fenced:  writer.Fenced,
		})
		sink.absorber, sink.ended = absorber, func(epoch keys.Epoch) { s.leaders.Ended(epoch) }
		s.lines[set.Class] = leadership.Line{Writer: writer, Absorb: absorber}
	}
	s.leaders = leadership.NewManager(leadership.Config{
		Env: s.env, Addr: s.cfg.Addr, Lines: s.lines, Stores: s.stores, Peers: s.cfg.Peers,
		Registry: s.registry, Judge: s.judge, SessionTimeout: s.cfg.SessionTimeout, Limits: s.cfg.Limits,
	})
	s.reader = reads.New(s.env, s.leaders, s.stores)
}

// start sets the tasks of the star going.
func (s *Star) start() {
	for _, set := range s.sets {
		line := s.lines[set.Class]
		s.env.Run.Go("write chain", line.Writer.Run)
		s.env.Run.Go("absorb", line.Absorb.Run)
	}
	s.env.Run.Go("registry", s.keepRegistered)
	s.env.Run.Go("idle time-outs", s.leaders.Run)
	s.env.Run.Go("settle earlier epochs", s.settleEarlier)
}

// keepRegistered refreshes the registration. Where another process life took this star's identity, this one leads nothing
// more: the epoch guard has protected the streams meanwhile.
func (s *Star) keepRegistered(ctx context.Context) {
	var superseded *fleet.SupersededError
	if err := s.registry.Run(ctx); errors.As(err, &superseded) {
		s.env.Run.Note("star superseded", "star", s.env.Star, "why", err)
		_ = s.Stop(ctx) // what does not land is covered by the next opens
	}
}

// sink hands what the chain writer tells to absorb and to the leaderships.
type sink struct {
	absorber *absorb.Absorber
	ended    func(keys.Epoch)
}

var _ chain.Sink = (*sink)(nil)

// Durable passes a flight of the durable prefix to absorb.
func (s *sink) Durable(f *chain.Flight) { s.absorber.Durable(f) }

// Ended abandons the leaderships of the epoch, then stops absorbing it.
func (s *sink) Ended(epoch keys.Epoch) {
	s.ended(epoch)
	s.absorber.Ended(epoch)
}

// Closed lets the ended epoch be settled.
func (s *sink) Closed(epoch keys.Epoch, cut keys.Slot) { s.absorber.Closed(epoch, cut) }
