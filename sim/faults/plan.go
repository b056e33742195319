package faults

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/script"
	"github.com/novastream/nova/sim/simblob"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/simnet"
	"github.com/novastream/nova/sim/simpeer"
)

// LatestWrite is the longest that a write is stuck on its way before it lands.
const LatestWrite = 9 * time.Minute

// Info describes a kind of fault.
type Info struct {
	Name   string
	Doc    string   // one line
	Counts []string // the counters of the world that tell of it; at least one of them moves when it strikes
}

// kind is one kind of fault. begin sets it going; it draws from chance alone.
type kind struct {
	Info
	begin func(p *Plan, chance *rand.Rand)
}

// UnknownError says that no fault has the name.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("fault %q: there is none of that name; novasim list shows them", e.Name)
}

// All are the kinds of faults, in order.
func All() []Info {
	all := make([]Info, 0, len(kinds()))
	for _, k := range kinds() {
		all = append(all, k.Info)
	}
	return all
}

// Survivable are the names of all kinds that Nova promises to survive, in order.
func Survivable() []string {
	var names []string
	for _, k := range All() {
		if !k.Beyond() {
			names = append(names, k.Name)
		}
	}
	return names
}

// Check finds the first of the names that no fault has.
func Check(names []string) error {
	for _, name := range names {
		if !slices.ContainsFunc(kinds(), func(k kind) bool { return k.Name == name }) {
			return &UnknownError{name}
		}
	}
	return nil
}

// Plan is the faults of one run.
type Plan struct {
	fleet  *fleets.Fleet
	world  *sim.World
	names  []string
	until  time.Duration // nothing strikes after it
	healed bool
	mends  []func()

	holders map[*fleets.Star]string // the fault that has a star
	starts  []func(s *fleets.Star)

	beginning string // the kind that is being switched on
	aiming    bool   // a kind decides the fates of effects now

	net    simnet.Faults
	calls  simpeer.Faults
	meta   simmeta.Faults
	stores []simblob.Faults
}

// Start switches faults on for a duration, from now on. Nil names are a random subset by the seed; each kind draws its own
// knobs by the seed. The names must be known: see Check.
func Start(f *fleets.Fleet, names []string, duration time.Duration) *Plan {
	if err := Check(names); err != nil {
		panic(err)
	}
	p := &Plan{
		fleet: f, world: f.World, until: f.World.Now() + duration,
		holders: map[*fleets.Star]string{}, stores: make([]simblob.Faults, len(f.Stores())),
	}
	if names == nil {
		names = swarm(p.world.Rand("faults"))
	}
	for _, k := range kinds() {
		if slices.Contains(names, k.Name) {
			p.beginning = k.Name
			if p.acts(k) {
				p.names = append(p.names, k.Name)
			}
			k.begin(p, p.world.Rand("faults/"+k.Name))
		}
	}
	return p
}

// acts says whether a kind strikes at all: without a script any may.
func (p *Plan) acts(k kind) bool {
	s := p.world.Script()
	return s == nil || s.Has(script.FaultPrefix+k.Name) || slices.ContainsFunc(s.Acts, func(a script.Act) bool {
		counter, _, _ := strings.Cut(strings.TrimPrefix(a.Line, script.HitPrefix), " ")
		return slices.Contains(k.Counts, counter)
	})
}

// swarm draws which faults are on: few on some seeds, most on others, so that none always hides another. What makes zombies in the
// middle of an open is on more often than the rest, for it takes most chances to meet what it may break.
func swarm(chance *rand.Rand) []string {
	share := []sim.Rate{10 * sim.Percent, 25 * sim.Percent, 50 * sim.Percent}[chance.IntN(3)]
	all := Survivable()
	names := []string{all[chance.IntN(len(all))]}
	for _, name := range all {
		if (share.Hits(chance) || name == pausePointName && chance.IntN(2) == 0) && name != names[0] {
			names = append(names, name)
		}
	}
	return names
}

// Names are the kinds that are on, in the order of All.
func (p *Plan) Names() []string { return p.names }

// Heal turns every fault off for good: the network is mended, held stars go on, dead ones are started.
func (p *Plan) Heal() {
	p.calm()
	p.fleet.Start()
}

// calm ends what goes wrong, and nothing goes wrong any more.
func (p *Plan) calm() {
	p.healed = true
	for _, mend := range slices.Backward(p.mends) {
		mend()
	}
	p.mends = nil
	p.fleet.Net.Heal()
	p.world.EndHits()
	p.net, p.calls, p.meta = simnet.Faults{}, simpeer.Faults{}, simmeta.Faults{}
	clear(p.stores)
	p.applyRates()
}

// onHeal adds what undoes a fault.
func (p *Plan) onHeal(mend func()) { p.mends = append(p.mends, mend) }
