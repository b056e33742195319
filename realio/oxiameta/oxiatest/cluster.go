package oxiatest

import (
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// Config is what a cluster is made of. The zero value is one node with the namespace "default", hierarchical, one shard.
type Config struct {
	Namespaces []Namespace
	Nodes      int         // servers; 0 is one
	FrameItems int         // most records, keys or gets in one frame of an answer; 0 is 1000
	Legacy     bool        // errors in the encoding of servers up to 0.16
	OldName    bool        // the service goes by the name of servers up to 0.14, and no other
	Token      string      // the bearer token that calls must carry; empty is none
	TLS        *tls.Config // of the listeners; nil is plain
	// LossySplits makes splits lose what splits of real servers lose: a child replays the parent's requests with a version
	// counter of its own, so that conditional puts are refused where the numbers differ.
	LossySplits  bool
	AnyAuthority bool          // do not check that callers dialled a node by its address
	Latency      time.Duration // by which all answers reach the client later
}

// Namespace is one namespace.
type Namespace struct {
	Name    string
	Natural bool // bytewise key order, not hierarchical
	Shards  int  // 0 is one
}

// Cluster is the servers with their state.
type Cluster struct {
	cfg   Config
	nodes []*node
	tasks sync.WaitGroup // what handlers leave behind
	hints atomic.Bool

	mu         sync.Mutex
	namespaces map[string]*namespace
	nextShard  int64
	changed    chan struct{} // closed when published assignments change
	held       bool          // assignments are not published
	mute       chan struct{} // writes are not answered until it closes; nil: they are
	token      string        // that calls must carry
	hooks      hooks
	harm       []string
	calls      map[string]int
}

// namespace is what the cluster knows of one; Cluster.mu guards it.
type namespace struct {
	Namespace
	order     order
	shards    map[int64]*shard
	published *oxiav1.NamespaceShardsAssignment
}

// Start starts a cluster on loopback. The leaders of its shards take turns through the nodes.
func Start(cfg Config) (*Cluster, error) {
	if len(cfg.Namespaces) == 0 {
		cfg.Namespaces = []Namespace{{Name: "default"}}
	}
	cfg.Nodes = max(cfg.Nodes, 1)
	if cfg.FrameItems == 0 {
		cfg.FrameItems = 1000
	}
	c := &Cluster{
		cfg: cfg, namespaces: map[string]*namespace{}, changed: make(chan struct{}), calls: map[string]int{},
		token: cfg.Token,
	}
	c.hints.Store(true)
	for i := range cfg.Nodes {
		n := &node{cluster: c, index: i}
		c.nodes = append(c.nodes, n)
		if err := n.listen(); err != nil {
			c.Close()
			return nil, fmt.Errorf("oxiatest: %w", err)
		}
	}
	for _, ns := range cfg.Namespaces {
		c.addNamespace(ns)
	}
	c.publish()
	for _, n := range c.nodes {
		n.serve()
	}
	return c, nil
}

func (c *Cluster) addNamespace(ns Namespace) {
	n := &namespace{Namespace: ns, order: order{ns.Natural}, shards: map[int64]*shard{}}
	count := uint64(max(ns.Shards, 1))
	bucket := math.MaxUint32/count + 1
	for i := range count {
		high := (i+1)*bucket - 1
		if i == count-1 {
			high = math.MaxUint32
		}
		s := c.newShard(n, uint32(i*bucket), uint32(high), newState(n.order))
		s.leader = int(s.id) % len(c.nodes)
	}
	c.namespaces[ns.Name] = n
}

// newShard makes a shard without a leader.
func (c *Cluster) newShard(ns *namespace, low, high uint32, st *state) *shard {
	s := &shard{
		cluster: c, id: c.nextShard, low: low, high: high, leader: nobody, state: st,
		ghosts: map[int]*state{}, streams: map[*writeStream]bool{}, sessions: map[int64]*session{},
	}
	c.nextShard++
	ns.shards[s.id] = s
	return s
}

// hash places a key, or a partition key, among the shards.
func hash(key string) uint32 { return uint32(xxh3.HashString(key)) }

// Addresses are the nodes'.
func (c *Cluster) Addresses() []string {
	var addrs []string
	for _, n := range c.nodes {
		addrs = append(addrs, n.addr)
	}
	return addrs
}

// Close stops every node and waits for what they run.
func (c *Cluster) Close() {
	for _, n := range c.nodes {
		n.stop()
	}
	for _, s := range c.all() {
		s.mu.Lock()
		s.stopSessions()
		s.mu.Unlock()
	}
	c.tasks.Wait()
}

// all are the shards of all namespaces.
func (c *Cluster) all() (shards []*shard) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, ns := range c.namespaces {
		for _, s := range ns.shards {
			shards = append(shards, s)
		}
	}
	return shards
}

// shard finds a shard by id; nil if there is none (any more).
func (c *Cluster) shard(id int64) *shard {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, ns := range c.namespaces {
		if s := ns.shards[id]; s != nil {
			return s
		}
	}
	return nil
}

// Shard is what is to be known of one.
type Shard struct {
	ID        int64
	Low, High uint32 // hashes, both inclusive
	Leader    int    // node; -1 is none
}

// Holds says whether a key (or partition key) routes to the shard.
func (s Shard) Holds(key string) bool { h := hash(key); return s.Low <= h && h <= s.High }

// Shards are a namespace's shards in the order of their hashes.
func (c *Cluster) Shards(namespace string) (shards []Shard) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.namespaces[namespace].shards {
		s.mu.Lock()
		shards = append(shards, Shard{s.id, s.low, s.high, s.leader})
		s.mu.Unlock()
	}
	slices.SortFunc(shards, func(a, b Shard) int { return int(int64(a.Low) - int64(b.Low)) })
	return shards
}

// ShardOf is the shard that a key (or partition key) routes to.
func (c *Cluster) ShardOf(namespace, key string) Shard {
	for _, s := range c.Shards(namespace) {
		if s.Holds(key) {
			return s
		}
	}
	panic("oxiatest: the ranges of " + namespace + " leave a gap")
}

// Calls is how many calls of a method (as "Read") came in so far, and for WriteStream how many requests.
func (c *Cluster) Calls(method string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[method]
}

func (c *Cluster) count(method string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[method]++
}

// Harm says which requests came in that would have harmed a real server.
func (c *Cluster) Harm() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, h := range c.harm {
		errs = append(errs, errors.New(h))
	}
	return errors.Join(errs...)
}

func (c *Cluster) noteHarm(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.harm = append(c.harm, what)
}
