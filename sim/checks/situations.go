package checks

import "github.com/novastream/nova/sim"

// situation is a situation that only an observer sees.
type situation uint8

const (
	twoFencers     situation = iota // a fencer resumes what another process began
	cutInTheMiddle                  // a cut leaves flights behind it
	splitSlot                       // a slot holds its flight in some stores and poison in others
	lateFlight                      // a flight reaches a store after its epoch had its cut
	emptyEpoch                      // an epoch is cut at 0
	saved                           // a writer learns from the cut that more is appended than it knew
	situations
)

var situationNames = [situations]string{
	"two fencers on one epoch", "flights beyond a cut", "flight and poison in one slot", "flight landed beyond a cut", "epoch cut at 0",
	"cut beyond what its writer knew",
}

// Sometimes counts them.
func (o *Observer) Sometimes() []sim.Count {
	counts := make([]sim.Count, situations)
	for i := range counts {
		counts[i] = sim.Count{Name: situationNames[i], Times: o.seen[i]}
	}
	return counts
}

func (o *Observer) saw(s situation) { o.seen[s]++ }
