package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/faults"
	"github.com/novastream/nova/sim/script"
	"github.com/novastream/nova/sim/workload"
)

// Default is the name of the scenario that runs where none is named.
const Default = "default"

// Options say what to run. Zero values take those of the scenario.
type Options struct {
	Seed     uint64
	Scenario string        // a name of Names; empty: Default
	Stars    int           // 5
	Zones    int           // zonal stores of the Express class: 1, 3 or 5; 3
	Clients  int           // 8
	Streams  int           // 12
	Duration time.Duration // of the work, in virtual time; healing and checking come after it; 10 minutes
	// Faults are names of sim/faults. Nil: a random subset by the seed. Empty and not nil: none.
	Faults []string
	Bugs   planted.Set
	// Strategy is a name of sim.Strategies: how the scheduler chooses. Empty: drawn by the seed, mostly uniform.
	Strategy string
	Hasty    bool // the run ends with the first violation
	// Cut ends the run at that virtual time, with what was found by then; 0: it goes on to its end.
	Cut time.Duration
	// Script is what happens in the run, of what the seed has; nil: all of it.
	Script *script.Script
	// Acts is told every act that happens; nil: nobody.
	Acts func(script.Act)
	// Tape is what clients ask, instead of what they come up with; the streams are its own.
	Tape *workload.Tape
	// Searched is how many operations of one stream porcupine is given; 0: nearly always all; negative: none.
	Searched int
	// Trace is told every event of the run; nil: none is composed.
	Trace sim.Tracer
	// History is told every operation and the final contents, besides the checks; nil: nobody.
	History history.Recorder
}

// Info describes a scenario.
type Info struct {
	Name string
	Doc  string // one line
}

// UnknownError says that no scenario has the name.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("scenario %q: there is none of that name; novasim list shows them", e.Name)
}

// Names are the scenarios, in order.
func Names() []Info {
	return []Info{
		{Default, "clients append, read and hand over streams of both modes and classes while faults fire"},
		{Sparse, "many streams on many stars: a burst of opens, then each is used now and then; tells how evenly they are led; no faults where none are named"},
	}
}

// afterTape is how long a run goes on after the last operation of its tape.
const afterTape = 5 * time.Second

func (o Options) withDefaults() Options {
	o.Scenario = cmp.Or(o.Scenario, Default)
	if o.Scenario == Sparse {
		o.Stars, o.Clients, o.Streams = cmp.Or(o.Stars, 30), cmp.Or(o.Clients, 50), cmp.Or(o.Streams, 1000)
		if o.Faults == nil {
			o.Faults = []string{}
		}
	}
	o.Stars = cmp.Or(o.Stars, 5)
	o.Zones = cmp.Or(o.Zones, 3)
	o.Clients = cmp.Or(o.Clients, 8)
	o.Streams = cmp.Or(o.Streams, 12)
	if o.Tape != nil {
		o.Streams = o.Tape.Streams()
		o.Duration = cmp.Or(o.Duration, time.Duration(o.Tape.Length())+afterTape)
	}
	o.Duration = cmp.Or(o.Duration, 10*time.Minute)
	return o
}

// Validate says what keeps a run of the options from being one.
func (o Options) Validate() error { return o.withDefaults().validate() }

func (o Options) validate() error {
	if !slices.ContainsFunc(Names(), func(i Info) bool { return i.Name == o.Scenario }) {
		return &UnknownError{o.Scenario}
	}
	switch {
	case o.Zones != 1 && o.Zones != 3 && o.Zones != 5:
		return fmt.Errorf("%d zones: the Express class takes 1, 3 or 5", o.Zones)
	case o.Stars < 1 || o.Clients < 1 || o.Streams < 1 || o.Duration <= 0:
		return fmt.Errorf("%d stars, %d clients, %d streams, %v: each must be above 0", o.Stars, o.Clients, o.Streams, o.Duration)
	}
	if err := o.limits(); err != nil {
		return err
	}
	if o.Strategy != "" {
		if _, err := sim.ParseStrategy(o.Strategy); err != nil {
			return err
		}
	}
	return faults.Check(o.Faults)
}

// The largest worlds: beyond them one run takes all memory, or does not end in a day.
const (
	MaxStars    = 1_000
	MaxClients  = 10_000
	MaxStreams  = 1_000_000
	MaxDuration = 30 * 24 * time.Hour
)

func (o Options) limits() error {
	for _, limited := range []struct {
		what        string
		number, max int
	}{{"stars", o.Stars, MaxStars}, {"clients", o.Clients, MaxClients}, {"streams", o.Streams, MaxStreams}} {
		if limited.number > limited.max {
			return fmt.Errorf("%d %s: a world has at most %d", limited.number, limited.what, limited.max)
		}
	}
	if o.Duration > MaxDuration {
		return fmt.Errorf("a duration of %v: a run takes at most %v", o.Duration, MaxDuration)
	}
	return nil
}

// strategy is how the scheduler of a run chooses: by equal chances on five seeds of eight.
func (o Options) strategy() sim.Strategy {
	if s, err := sim.ParseStrategy(o.Strategy); err == nil {
		return s
	}
	const others = 8 // of so many seeds, one has each of the others
	if n := xxh3.HashStringSeed("strategy", o.Seed) % others; n < uint64(len(sim.Strategies())) {
		return sim.Strategies()[n]
	}
	return sim.Uniform
}
