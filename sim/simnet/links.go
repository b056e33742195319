package simnet

import "github.com/novastream/nova/sim"

func (n *Network) link(from, to string) *state {
	n.quiet = false
	s := n.links[link{from, to}]
	if s == nil {
		s = &state{}
		n.links[link{from, to}] = s
	}
	return s
}

// Cut loses every message from one endpoint to another. The other direction is left as it is.
func (n *Network) Cut(from, to string) {
	n.link(from, to).cut = true
	n.world.Emit(from, "network.cut", "to", to)
}

// Partition cuts both directions between every endpoint of one side and every endpoint of the other.
func (n *Network) Partition(one, other []string) {
	for _, a := range one {
		for _, b := range other {
			n.Cut(a, b)
			n.Cut(b, a)
		}
	}
}

// Isolate cuts an endpoint off from all others.
func (n *Network) Isolate(endpoint string) {
	n.quiet = false
	n.alone[endpoint] = true
	n.world.Emit(endpoint, "network.isolate")
}

// Rejoin ends an Isolate.
func (n *Network) Rejoin(endpoint string) {
	delete(n.alone, endpoint)
	n.world.Emit(endpoint, "network.rejoin")
}

// Slow adds a delay to every message from one endpoint to another.
func (n *Network) Slow(from, to string, by sim.Latency) {
	n.link(from, to).slow = by
	n.world.Emit(from, "network.slow", "to", to, "by", by.Base)
}

// Lose loses messages from one endpoint to another at a rate.
func (n *Network) Lose(from, to string, rate sim.Rate) {
	n.link(from, to).loss = rate
	n.world.Emit(from, "network.lossy", "to", to, "rate", rate)
}

// Mend makes the link from one endpoint to another as new.
func (n *Network) Mend(from, to string) {
	delete(n.links, link{from, to})
	n.world.Emit(from, "network.mend", "to", to)
}

// Heal makes every link as new and ends the faults that fire at a rate.
func (n *Network) Heal() {
	clear(n.links)
	clear(n.alone)
	n.quiet = true
	n.faults = Faults{}
	n.world.Emit("", "network.heal")
}
