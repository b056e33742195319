package simblob

import (
	"math/rand/v2"
	"strings"
	"time"

	"github.com/RaduBerinde/btreemap"

	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simnet"
)

// Config is what a Store is made from. Zero values take the defaults, which are those of a regional store.
type Config struct {
	Write, Read, List sim.Latency   // work at the service: 10ms to 30ms, 5ms to 15ms, 20ms to 60ms
	PerMiB            time.Duration // more work for each MiB written or read; 10ms
	Copies            *Copies       // shared with other stores; its own
}

// Zonal is the Config of a fast store in one zone.
func Zonal() Config {
	return Config{
		Write:  sim.Latency{Base: 2 * time.Millisecond, Spread: 3 * time.Millisecond, TailRate: sim.PerMille, Tail: 100 * time.Millisecond},
		Read:   sim.Latency{Base: time.Millisecond, Spread: 2 * time.Millisecond, TailRate: sim.PerMille, Tail: 50 * time.Millisecond},
		List:   sim.Latency{Base: 5 * time.Millisecond, Spread: 10 * time.Millisecond},
		PerMiB: 4 * time.Millisecond,
	}
}

func (c Config) withDefaults() Config {
	const ms = time.Millisecond
	if c.Write == (sim.Latency{}) {
		c.Write = sim.Latency{Base: 10 * ms, Spread: 20 * ms, TailRate: 5 * sim.PerMille, Tail: 500 * ms}
	}
	if c.Read == (sim.Latency{}) {
		c.Read = sim.Latency{Base: 5 * ms, Spread: 10 * ms, TailRate: 5 * sim.PerMille, Tail: 200 * ms}
	}
	if c.List == (sim.Latency{}) {
		c.List = sim.Latency{Base: 20 * ms, Spread: 40 * ms}
	}
	if c.PerMiB == 0 {
		c.PerMiB = 10 * ms
	}
	if c.Copies == nil {
		c.Copies = NewCopies()
	}
	return c
}

// Store is one object store.
type Store struct {
	world    *sim.World
	net      *simnet.Network
	endpoint string
	cfg      Config
	rng      *rand.Rand
	objects  map[string]*object
	order    *btreemap.BTreeMap[string, *object] // the same, for lists
	copies   *Copies
	creating map[string]int  // creates under way by key
	met      map[string]bool // own copies that a create has met and nobody has read since
	faults   Faults
	onWrite  []func(Write)
	stats    Stats
}

// object is what is stored under a key. It is never changed.
type object struct {
	data     []byte
	modified time.Time
}

// Stats count what was asked of a store, successful or not.
type Stats struct {
	Puts, Gets, Heads, Lists, Deletes uint64
	BytesIn, BytesOut                 uint64
}

// New makes an empty store at an endpoint, such as "standard" or "zone-a".
func New(net *simnet.Network, endpoint string, cfg Config) *Store {
	w := net.World()
	cfg = cfg.withDefaults()
	return &Store{
		world: w, net: net, endpoint: endpoint, cfg: cfg, copies: cfg.Copies, rng: w.Dice("blob/" + endpoint),
		objects: map[string]*object{}, order: btreemap.New[string, *object](32, strings.Compare), creating: map[string]int{}, met: map[string]bool{},
	}
}

// Endpoint is the store's place in the network.
func (s *Store) Endpoint() string { return s.endpoint }

// Stats are the counts so far.
func (s *Store) Stats() Stats { return s.stats }

// Write is one change of one object, as the omniscient observer sees it.
type Write struct {
	Store    string
	Key      string
	Old, New []byte // nil: absent; an empty object is not nil
	By       string // the process that sent it
}

// OnWrite adds a hook that is told every change, at its instant. It must neither wait nor change what it is told.
func (s *Store) OnWrite(hook func(Write)) { s.onWrite = append(s.onWrite, hook) }

func (s *Store) set(key string, put copied, by string) {
	old, now := s.objects[key], &object{put.data, s.world.Wall()}
	s.objects[key] = now
	s.order.ReplaceOrInsert(key, now)
	s.world.Fold(put.hash)
	s.tell(key, old, put.data, by)
}

func (s *Store) remove(key, by string) {
	if old := s.objects[key]; old != nil {
		delete(s.objects, key)
		s.order.Delete(key)
		s.tell(key, old, nil, by)
	}
}

func (s *Store) tell(key string, old *object, data []byte, by string) {
	if s.world.Tracing() {
		size := any(len(data))
		if data == nil {
			size = "deleted"
		}
		s.world.Emit(s.endpoint, "blob.write", "key", key, "size", size, "by", by)
	}
	if len(s.onWrite) == 0 {
		return
	}
	w := Write{Store: s.endpoint, Key: key, New: data, By: by}
	if old != nil {
		w.Old = old.data
	}
	for _, hook := range s.onWrite {
		hook(w)
	}
}

// Peek is an object's bytes without any call. Observers must not change them.
func (s *Store) Peek(key string) ([]byte, bool) {
	o := s.objects[key]
	if o == nil {
		return nil, false
	}
	return o.data, true
}

// All describes the objects whose key starts with prefix, in key order, without any call.
func (s *Store) All(prefix string) []blob.Info { return s.list(prefix, "", -1) }

// Len counts the objects.
func (s *Store) Len() int { return len(s.objects) }

// list describes up to limit objects; all, where limit is negative.
func (s *Store) list(prefix, after string, limit int) []blob.Info {
	start := btreemap.GE(prefix)
	if after >= prefix && after != "" {
		start = btreemap.GT(after)
	}
	var infos []blob.Info
	for key, o := range s.order.Ascend(start, btreemap.LT(prefix+"\xff")) { // keys are ASCII
		if len(infos) == limit {
			break
		}
		infos = append(infos, blob.Info{Key: key, SizeBytes: int64(len(o.data)), Modified: o.modified})
	}
	return infos
}
