package scenario

import (
	"time"

	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/sim"
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
