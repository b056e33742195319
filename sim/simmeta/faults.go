package simmeta

import (
	"slices"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simnet"
)

// Faults are the faults of the metastore that fire at a rate. Set them with SetFaults; the zero value has none.
type Faults struct {
	StaleReads  sim.Rate      // a plain read is answered by a deposed leader
	StaleUpto   time.Duration // from a state at most so old
	Past        time.Duration // for how long earlier states are kept beyond what StaleReads needs, for a roll back
	Refuse      sim.Rate      // a write is refused as unavailable; it has no effect
	LoseBefore  sim.Rate      // a write is lost on its way
	LoseAfter   sim.Rate      // the answer of a write is lost
	Late        sim.Rate      // a write is stuck on its way and lands late, its sender alive or not
	LateUpto    time.Duration // by at most this much; keep it below the hour of an intent
	Outlive     sim.Rate      // the rows of an ended session stay
	OutliveUpto time.Duration // for at most this long
}

// A past state is kept before a write where the last one kept is older than snapshotEvery, and else now and then, so that
// a stale read may miss the last write alone.
const (
	snapshotEvery = time.Second
	snapshotRate  = 10 * sim.Percent
)

// SetFaults sets the faults that fire at a rate.
func (st *Store) SetFaults(f Faults) { st.faults = f }

// plan draws what goes wrong with one write.
func (st *Store) plan(req *simnet.Request) {
	f, who := &st.faults, req.Process.Name()
	if st.world.Hit("meta.refuse", who, f.Refuse, st.rng) {
		req.Refuse = true
	}
	if st.world.Hit("meta.lose-before", who, f.LoseBefore, st.rng) {
		req.LoseBefore = true
	}
	if st.world.Hit("meta.lose-after", who, f.LoseAfter, st.rng) {
		req.LoseAfter = true
	}
	if late, by := st.world.HitBy("meta.late", who, f.Late, st.rng, f.LateUpto); late {
		req.LateBy = by
		st.late[req.Target] = true
	}
}

// WasLate says whether a write of this key was ever stuck on its way, to land after its sender had given it up.
func (st *Store) WasLate(key string) bool { return st.late[key] }

// beforeWrite keeps the past, where a fault will want it.
func (st *Store) beforeWrite(s *shard) {
	if st.faults.StaleReads == 0 && st.faults.Past == 0 {
		return
	}
	now := st.world.Now()
	if n := len(s.past); n == 0 || now-s.past[n-1].at >= snapshotEvery || snapshotRate.Hits(st.rng) {
		s.keepPast(now, max(st.faults.StaleUpto, st.faults.Past, snapshotEvery))
	}
}

// Shards counts the shards of a space.
func (st *Store) Shards(id Space) int { return len(st.spaces[id].shards) }

// SetDown makes a shard refuse every call as unavailable, or serve again. While the first ephemeral shard is down no
// session is extended.
func (st *Store) SetDown(id Space, index int, down bool) {
	st.setDown(id, st.spaces[id].shards[index], down)
}

// Down takes a shard down. up has that shard serve again, whatever its index is by then: a split moves those behind it.
func (st *Store) Down(id Space, index int) (up func()) {
	s := st.spaces[id].shards[index]
	st.setDown(id, s, true)
	return func() { st.setDown(id, s, false) }
}

func (st *Store) setDown(id Space, s *shard, down bool) {
	s.down = down
	st.world.Emit(Endpoint, "meta.down", "space", id, "shard", slices.Index(st.spaces[id].shards, s), "down", down)
	if down {
		st.world.CountFault("meta.down", Endpoint)
	}
}

// FailOver makes a shard drop every call for a while: what arrives in that time has an unknown outcome.
func (st *Store) FailOver(id Space, shard int, lasting time.Duration) {
	st.world.CountFault("meta.fail-over", Endpoint)
	s := st.spaces[id].shards[shard]
	s.mute = true
	st.world.After(lasting, func() { s.mute = false })
}

// ExpireSession ends the session of a process that is alive and well. It says whether there was one.
func (st *Store) ExpireSession(process string) bool {
	for _, s := range st.sessions {
		if s.client.process.Name() == process {
			st.world.CountFault("meta.spurious-expiry", process)
			st.end(s, "spurious")
			return true
		}
	}
	return false
}

// Wipe removes every row of a space: the ephemeral one is lost with its sessions, the work one is reconstructible.
func (st *Store) Wipe(id Space) {
	st.world.CountFault("meta.wipe-"+id.String(), Endpoint)
	if id == Ephemeral {
		for len(st.sessions) > 0 {
			st.end(st.sessions[0], "wipe")
		}
	}
	for _, s := range st.spaces[id].shards {
		var all []rowKey
		for at := range s.rows.Ascend(minRow, maxRow) {
			all = append(all, at)
		}
		for _, at := range all {
			st.remove(s, at, "wipe")
		}
	}
}
