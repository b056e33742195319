package simmeta

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simnet"
)

// Endpoint is the metastore's place in the network.
const Endpoint = "meta"

// Space names one of the four namespaces.
type Space uint8

// The namespaces.
const (
	Records Space = iota
	Work
	Ephemeral
	Naming
	spaces
)

func (s Space) String() string { return [spaces]string{"records", "work", "ephemeral", "naming"}[s] }

// Config is what a Store is made from. Zero values take the defaults.
type Config struct {
	Shards         int           // of each hierarchical namespace; 3
	SessionTimeOut time.Duration // 15s
	Read, Write    sim.Latency   // work at the service; 100µs to 300µs, and 1ms to 3ms
}

func (c Config) withDefaults() Config {
	if c.Shards == 0 {
		c.Shards = 3
	}
	if c.SessionTimeOut == 0 {
		c.SessionTimeOut = 15 * time.Second
	}
	if c.Read == (sim.Latency{}) {
		c.Read = sim.Latency{Base: 100 * time.Microsecond, Spread: 200 * time.Microsecond}
	}
	if c.Write == (sim.Latency{}) {
		c.Write = sim.Latency{Base: time.Millisecond, Spread: 2 * time.Millisecond, TailRate: sim.PerMille, Tail: 100 * time.Millisecond}
	}
	return c
}

// Store is the metastore service.
type Store struct {
	world    *sim.World
	net      *simnet.Network
	cfg      Config
	rng      *rand.Rand
	spaces   [spaces]*space
	sessions []*session // alive ones, in order of birth
	faults   Faults
	onWrite  []func(Write)
	onFloor  []func(p *sim.Process, prefix string, r meta.Record)
	late     map[string]bool // keys of which a write was stuck on its way
	slates   slates
}

type space struct {
	id     Space
	shards []*shard
}

// New makes an empty metastore.
func New(net *simnet.Network, cfg Config) *Store {
	st := &Store{world: net.World(), net: net, cfg: cfg.withDefaults(), rng: net.World().Dice("meta"), late: map[string]bool{}}
	for id := range spaces {
		count := st.cfg.Shards
		if id == Naming {
			count = 1
		}
		sp := &space{id: id}
		for i := range count {
			sp.add(uint32(uint64(i)<<32/uint64(count)), newState())
		}
		st.spaces[id] = sp
	}
	return st
}

// add makes a shard. Shards are in the order of their routes.
func (sp *space) add(low uint32, state state) *shard {
	s := &shard{space: sp, low: low, state: state}
	s.alone = []*shard{s}
	at := len(sp.shards)
	for at > 0 && sp.shards[at-1].low > low {
		at--
	}
	sp.shards = slices.Insert(sp.shards, at, s)
	return s
}

// shardOf is the shard of a route.
func (sp *space) shardOf(route uint32) *shard {
	i := len(sp.shards) - 1
	for sp.shards[i].low > route {
		i--
	}
	return sp.shards[i]
}

// Spaces is the metastore as one process reaches it: one client, one session.
func (st *Store) Spaces(p *sim.Process) meta.Spaces {
	c := &client{store: st, process: p}
	return meta.Spaces{
		Records:   &view{client: c, space: st.spaces[Records]},
		Work:      &view{client: c, space: st.spaces[Work]},
		Ephemeral: &view{client: c, space: st.spaces[Ephemeral]},
		Naming:    &naming{view{client: c, space: st.spaces[Naming], natural: true}},
	}
}

// client is one process's client: its session, made when the first ephemeral record is put.
type client struct {
	store   *Store
	process *sim.Process
	session *session
}

// dice are those of the process.
func (c *client) dice() *rand.Rand { return c.store.net.Dice(c.process.Name()) }

func (st *Store) now() time.Time { return st.world.Wall() }

// Write is one change of one row, as the omniscient observer sees it.
type Write struct {
	Space    Space
	Key      string
	Old, New *meta.Record // nil: absent
	By       string       // the process that sent it; "session" for the end of one
}

// OnWrite adds a hook that is told every change, at its instant. It must neither wait nor change what it is told.
func (st *Store) OnWrite(hook func(Write)) { st.onWrite = append(st.onWrite, hook) }

// OnFloor adds a hook that is told what each FloorGet finds, and for whom, at its instant. It must neither wait nor change
// what it is told.
func (st *Store) OnFloor(hook func(p *sim.Process, prefix string, r meta.Record)) {
	st.onFloor = append(st.onFloor, hook)
}

func (st *Store) tell(s *shard, key string, old, now *row, by string) {
	if st.world.Tracing() {
		version := "deleted"
		if now != nil {
			version = fmt.Sprint(now.version)
		}
		st.world.Emit(Endpoint, "meta.write", "space", s.space.id, "key", key, "version", version, "by", by)
	}
	if len(st.onWrite) == 0 {
		return
	}
	w := Write{Space: s.space.id, Key: key, Old: old.peek(), New: now.peek(), By: by}
	for _, hook := range st.onWrite {
		hook(w)
	}
}

// peek is the row for an observer: it shares the value.
func (r *row) peek() *meta.Record {
	if r == nil {
		return nil
	}
	return &meta.Record{Key: r.key, Value: r.value, Version: r.version, Created: r.created, Modified: r.modified}
}
