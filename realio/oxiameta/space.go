package oxiameta

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// space is one namespace of a service as this client reaches it: its shards, kept by the assignments stream.
type space struct {
	client    *Client
	servers   *servers
	namespace string
	natural   bool

	mu      sync.Mutex
	table   []*shard // in the order of hashes; it covers all of them, or is empty before the first assignments
	gone    map[int64]bool
	changed chan struct{} // closed when the table changes, or the trouble
	trouble error         // why assignments do not come; nil while they do
}

func newSpace(c *Client, servers *servers, namespace string, natural bool) *space {
	return &space{
		client: c, servers: servers, namespace: namespace, natural: natural, gone: map[int64]bool{}, changed: make(chan struct{}),
	}
}

// change wakes who waits. The caller holds mu.
func (sp *space) change() {
	close(sp.changed)
	sp.changed = make(chan struct{})
}

// shards are all shards, once they are known.
func (sp *space) shards(ctx context.Context) ([]*shard, error) {
	for {
		sp.mu.Lock()
		table, changed, trouble := sp.table, sp.changed, sp.trouble
		sp.mu.Unlock()
		if len(table) > 0 {
			return table, nil
		}
		if err := waitFor(ctx, changed, time.Hour); err != nil {
			return nil, fmt.Errorf("namespace %s: no assignments: %w", sp.namespace, errors.Join(trouble, err))
		}
	}
}

// shardAt is the shard that a route leads to.
func (sp *space) shardAt(ctx context.Context, at uint32) (*shard, error) {
	table, err := sp.shards(ctx)
	if err != nil {
		return nil, err
	}
	return lookup(table, at), nil
}

func lookup(table []*shard, at uint32) *shard {
	return table[sort.Search(len(table), func(i int) bool { return table[i].high >= at })]
}

// errStale says that assignments name a shard that later ones had removed. Ids are never used again, so a server sent them
// that does not know the news yet.
var errStale = errors.New("assignments older than those known")

// apply replaces the table by a whole set of assignments. force takes them even if they look stale.
func (sp *space) apply(all *oxiav1.NamespaceShardsAssignment, force bool) error {
	if err := checkAssignments(all); err != nil {
		return fmt.Errorf("namespace %s: %w", sp.namespace, err)
	}
	sp.mu.Lock()
	defer sp.mu.Unlock()
	for _, a := range all.GetAssignments() {
		if sp.gone[a.GetShard()] && !force {
			return fmt.Errorf("namespace %s: shard %d: %w", sp.namespace, a.GetShard(), errStale)
		}
	}
	before := map[int64]*shard{}
	for _, s := range sp.table {
		before[s.id] = s
	}
	table := make([]*shard, 0, len(all.GetAssignments()))
	for _, a := range all.GetAssignments() {
		low, high := a.GetInt32HashRange().GetMinHashInclusive(), a.GetInt32HashRange().GetMaxHashInclusive()
		s := before[a.GetShard()]
		if s == nil || s.low != low || s.high != high {
			s = newShard(sp, a.GetShard(), low, high)
		} else {
			delete(before, s.id)
		}
		s.assign(a.GetLeader())
		table = append(table, s)
		delete(sp.gone, s.id)
	}
	slices.SortFunc(table, func(a, b *shard) int { return int(int64(a.low) - int64(b.low)) })
	sp.table, sp.trouble = table, nil
	for _, s := range before {
		if !slices.ContainsFunc(table, func(now *shard) bool { return now.id == s.id }) {
			sp.gone[s.id] = true
		}
		sp.client.cfg.Log.Info("shard is gone", "namespace", sp.namespace, "shard", s.id)
		sp.client.session.inherit(s, heirs(table, s))
		s.remove() // from here on its calls go to the shards of the new table
	}
	sp.change()
	return nil
}

// heirs are the shards that a removed one's keys went to.
func heirs(table []*shard, gone *shard) (found []*shard) {
	for _, s := range table {
		if s.low <= gone.high && gone.low <= s.high {
			found = append(found, s)
		}
	}
	return found
}

// checkAssignments sees that every hash has its shard.
func checkAssignments(all *oxiav1.NamespaceShardsAssignment) error {
	if router := all.GetShardKeyRouter(); router != oxiav1.ShardKeyRouter_SHARD_KEY_ROUTER_XXHASH3 {
		return fmt.Errorf("assignments route by %v, which this client does not know", router)
	}
	ranges := make([]*oxiav1.Int32HashRange, 0, len(all.GetAssignments()))
	for _, a := range all.GetAssignments() {
		ranges = append(ranges, a.GetInt32HashRange())
	}
	slices.SortFunc(ranges, func(a, b *oxiav1.Int32HashRange) int {
		return int(int64(a.GetMinHashInclusive()) - int64(b.GetMinHashInclusive()))
	})
	next := uint64(0)
	for _, r := range ranges {
		if uint64(r.GetMinHashInclusive()) != next || r.GetMaxHashInclusive() < r.GetMinHashInclusive() {
			return fmt.Errorf("assignments leave a gap or overlap at hash %d", next)
		}
		next = uint64(r.GetMaxHashInclusive()) + 1
	}
	if next != math.MaxUint32+1 {
		return fmt.Errorf("assignments end at hash %d", next)
	}
	return nil
}
