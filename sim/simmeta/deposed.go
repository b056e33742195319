package simmeta

import "time"

// deposed is a leader of a shard that was deposed and goes on answering those who have not heard of it: plain reads from
// what it knew, writes without ever knowing what became of them.
type deposed struct {
	state   state
	clients map[string]bool // names of processes that have not heard of it
	writes  int             // that were meant for it
}

// Depose makes a shard's leader be deposed, while some processes go on asking it for a while. Every second of their writes
// goes to it and is lost, its outcome unknown; what is read fresh comes from its successor.
func (st *Store) Depose(id Space, shard int, processes []string, lasting time.Duration) {
	st.world.CountFault("meta.deposed", Endpoint)
	sh := st.spaces[id].shards[shard]
	old := &deposed{state: sh.clone(), clients: map[string]bool{}}
	for _, name := range processes {
		old.clients[name] = true
	}
	sh.deposed = old
	st.world.After(lasting, func() {
		if sh.deposed == old {
			sh.deposed = nil
		}
	})
}

// answers says whether a plain read of a view goes to the deposed leader.
func (d *deposed) answers(v *view) bool {
	return d != nil && !v.fresh && d.clients[v.client.process.Name()]
}

// loses says whether a write of a view goes to the deposed leader.
func (d *deposed) loses(v *view) bool {
	if d == nil || !d.clients[v.client.process.Name()] {
		return false
	}
	d.writes++
	return d.writes%2 == 1
}
