package shrink

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/novastream/nova/sim/scenario"
	"github.com/novastream/nova/sim/script"
)

// Config is what is to be made small, and how.
type Config struct {
	Options scenario.Options                                // of a run that fails; with a script, as of an earlier search, it goes on from there
	Run     func(scenario.Options) (scenario.Report, error) // runs one
	First   First                                           // of several that fails; nil: they run one after the other
	More    func() bool                                     // whether there is time for another run; nil: always
	Tell    func(doing string, runs int, from, to Size)     // is told after each run that was smaller; nil: nobody
}

// First runs some, as many at a time as it likes, until it knows which is the first of them of whose report fails is true. It gives
// its place and report, or -1.
type First func(some []scenario.Options, fails func(scenario.Report) bool) (int, scenario.Report)

// Size is how large a run is.
type Size struct {
	Faults     int           `json:"faults"`     // strikes and hits
	Operations int           `json:"operations"` // that clients asked for
	Streams    int           `json:"streams"`
	Clients    int           `json:"clients"` // that asked for anything
	Stars      int           `json:"stars"`
	Duration   time.Duration `json:"duration"`
	Choices    uint64        `json:"choices"` // of the scheduler that were left to chance
}

// Result is the smallest run that was found.
type Result struct {
	Options  scenario.Options // with its script; without one where the time was up before any other run: it is the original
	Report   scenario.Report  // its options have the script of its acts
	Check    string           // that fails in it, as in the original
	From, To Size
	Runs     int
	Complete bool // no step made it any smaller; else the time was up
}

// ErrPasses says that there is nothing to shrink.
var ErrPasses = errors.New("the run does not fail; nothing is to be made smaller")

// LostError says that the failure does not come back when the run is given as a script of its own acts.
type LostError struct{ Check string }

func (e *LostError) Error() string {
	return fmt.Sprintf("the violation of %s does not come back when the run is performed from the script of its acts: it hangs on "+
		"more than they say; try another seed", e.Check)
}

// search is one search under way.
type search struct {
	Config
	check string
	from  Size
	best  scenario.Options
	found scenario.Report // of best
	runs  int
	late  bool // the check is one of those at the end

	throw   uint64 // the last
	took    []int  // how many throws the last smaller runs took until they failed
	patient bool   // most throws for every candidate
}

// patience is how much later than in the smallest run so far the check may fail in a smaller one.
const patience = 30 * time.Second

// Shrink looks for the smallest run that fails as the given one.
func Shrink(cfg Config) (Result, error) {
	s := &search{Config: cfg}
	if s.More == nil {
		s.More = func() bool { return true }
	}
	if s.First == nil {
		s.First = s.oneByOne
	}
	acts, err := s.start()
	if err != nil {
		return Result{}, err
	}
	complete := s.smaller(acts)
	if s.best.Script == nil && s.More() {
		return Result{}, &LostError{s.check}
	}
	return Result{
		Options: s.best, Report: s.found, Check: s.check, From: s.from, To: sizeOf(s.found), Runs: s.runs, Complete: complete,
	}, nil
}

// start runs the original and gives its acts.
func (s *search) start() ([]script.Act, error) {
	var acts []script.Act
	o := s.Options
	o.Acts = func(a script.Act) { acts = append(acts, a) }
	report, err := s.Run(o)
	if err != nil {
		return nil, err
	}
	s.runs++
	if len(report.Violations) == 0 {
		return nil, ErrPasses
	}
	slices.SortStableFunc(acts, script.Act.Compare)
	all := script.Script{Acts: acts, Choices: script.Everything()}
	if given := s.Options.Script; given != nil { // as an earlier search left it
		all, s.throw = *given, given.Throw
	}
	s.check, s.late = report.Violations[0].Check, report.Witness.Ops() > 0
	s.best, s.found = s.Options, report
	s.best.Stars, s.best.Zones, s.best.Clients = report.Options.Stars, report.Options.Zones, report.Options.Clients
	s.best.Streams, s.best.Duration = report.Options.Streams, report.Options.Duration
	s.found.Options.Script = &all
	s.from = sizeOf(s.found)
	return all.Acts, nil
}

// try runs a candidate and keeps it where the check fails in it. A failure that hangs on who of two is first hardly ever
// comes back at once when something before it is left out, for then all that follows takes other times. So the dice that no
// act owns are thrown anew, as often as it may take.
func (s *search) try(doing string, o scenario.Options) bool {
	throw := s.throw
	some := []scenario.Options{o}
	for range s.throws() - 1 {
		some = append(some, s.thrown(o))
	}
	at := s.first(some)
	if at < 0 {
		return false
	}
	s.throw = throw + uint64(at) // what came behind it counts as not run, for it may not have been
	s.took = append(s.took, at+1)
	if s.Tell != nil {
		s.Tell(doing, s.runs, s.from, sizeOf(s.found))
	}
	return true
}

// first keeps the first of some in which the check fails. It gives its place, or -1.
func (s *search) first(some []scenario.Options) int {
	if !s.More() {
		return -1
	}
	hurried := slices.Clone(some)
	for i := range hurried {
		if !s.late {
			hurried[i].Cut = s.found.Simulated + patience
		}
	}
	at, report := s.First(hurried, func(r scenario.Report) bool {
		return slices.ContainsFunc(r.Violations, func(v scenario.Violation) bool { return v.Check == s.check })
	})
	if at < 0 {
		s.runs += len(some)
		return at
	}
	s.runs += at + 1
	s.best, s.found = some[at], report
	return at
}

// oneByOne is First, one after the other.
func (s *search) oneByOne(some []scenario.Options, fails func(scenario.Report) bool) (int, scenario.Report) {
	for i, o := range some {
		if !s.More() {
			break
		}
		if report, err := s.Run(o); err == nil && fails(report) {
			return i, report
		}
	}
	return -1, scenario.Report{}
}

// thrown is a run with dice that were not thrown before.
func (s *search) thrown(o scenario.Options) scenario.Options {
	s.throw++
	c := *o.Script
	c.Throw = s.throw
	o.Script = &c
	return o
}

// throws is how often a candidate is run before it is given up: twice as often as the last smaller runs took.
func (s *search) throws() int {
	const most, last = 16, 8
	took, sum := s.took[max(0, len(s.took)-last):], 0
	for _, n := range took {
		sum += n
	}
	switch {
	case s.patient:
		return most
	case len(took) == 0:
		return 2
	default:
		return min((2*sum+len(took)-1)/len(took), most)
	}
}

// sizeOf is the size of a run that had a script.
func sizeOf(r scenario.Report) Size {
	o := r.Options
	size := Size{
		Faults: o.Script.Faults(), Operations: r.Asked, Streams: o.Streams, Stars: o.Stars, Duration: o.Duration,
		Choices: o.Script.Choices.Below(r.Choices),
	}
	if o.Script.Streams != nil {
		size.Streams = len(o.Script.Streams)
	}
	names := map[string]bool{}
	for _, a := range o.Script.Acts {
		if !a.IsFault() {
			names[a.Actor()] = true
		}
	}
	size.Clients = len(names)
	return size
}
