package artifact

import (
	"fmt"
	"strings"
	"time"

	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/sim/scenario"
	"github.com/novastream/nova/sim/script"
)

// FormatVersion is the version of the file that Write writes and Read reads.
const FormatVersion = 2

// Code is the version of the code that a run depends on.
type Code struct {
	Revision string `json:"revision,omitempty"` // of the version control; empty where the build does not know it
	Modified bool   `json:"modified,omitempty"` // it was changed since
	Course   string `json:"course"`             // the trace hash of a short run that is always the same: see Course
}

// String names the version for people.
func (c Code) String() string {
	name := "of an unknown revision"
	if c.Revision != "" {
		name = "revision " + c.Revision
	}
	if c.Modified {
		name += " with changes"
	}
	return name
}

// Failure is a failing run and what comes of it.
type Failure struct {
	Code     Code
	MadeBy   string // for people: the command that made it
	Options  scenario.Options
	Hash     uint64 // of the trace
	Check    string // that fails first
	Sentence string
	Changed  bool // what was read is not what was written: the checksum is of other lines
}

// Of is the failure that a report tells of.
func Of(code Code, madeBy string, r scenario.Report) Failure {
	f := Failure{Code: code, MadeBy: madeBy, Options: r.Options, Hash: r.TraceHash}
	f.Options.Trace, f.Options.History, f.Options.Acts, f.Options.Cut = nil, nil, nil, 0
	if len(r.Violations) > 0 {
		f.Check, f.Sentence = r.Violations[0].Check, r.Violations[0].Sentence
	}
	return f
}

// CodeError says that a file was made by another version of the code.
type CodeError struct{ Made, Have Code }

func (e *CodeError) Error() string {
	return fmt.Sprintf("it was made by code %s (course %s), and this is code %s (course %s): only the same code is sure to take the same course",
		e.Made, e.Made.Course, e.Have, e.Have.Course)
}

// Try says what to do about it.
func (e *CodeError) Try() string {
	const anyway = "; or -anyway, to see what this code makes of the same options and acts"
	if e.Made.Revision == "" {
		return "the build that made it, which did not know its revision: go build -buildvcs=true makes one that does" + anyway
	}
	return "git checkout " + e.Made.Revision + " and build novasim there, with go build -buildvcs=true, so that it knows its revision" + anyway
}

// ChangedError says that somebody changed a file.
type ChangedError struct{}

func (e *ChangedError) Error() string {
	return "it was changed since novasim wrote it: its checksum is of other lines"
}

// Try says what to do about it.
func (e *ChangedError) Try() string {
	return "the file as it was; or -anyway, to see what comes of it as it is"
}

// Fits says whether code runs the failure as it was: a *ChangedError or *CodeError where not.
func (f *Failure) Fits(have Code) error {
	if f.Changed {
		return &ChangedError{}
	}
	sameRevision := f.Code.Revision == have.Revision || f.Code.Revision == "" || have.Revision == ""
	if f.Code.Course == have.Course && sameRevision {
		return nil
	}
	return &CodeError{f.Code, have}
}

// Course is the trace hash of a short run, always of the same options. Code with another one takes other courses.
func Course() string {
	r, err := scenario.Run(scenario.Options{
		Seed: 1, Stars: 3, Clients: 3, Streams: 4, Duration: 20 * time.Second, Faults: []string{"crash", "loss", "late-store"},
	})
	if err != nil {
		return err.Error() // such a fault is no more: that too is another version
	}
	return fmt.Sprintf("%016x", r.TraceHash)
}

// header, options and expected are the lines of the file that are not acts.
type header struct {
	Version int `json:"nova_failure"`
	Code
	MadeBy string `json:"made_by,omitempty"`
}

type options struct {
	Seed     uint64        `json:"seed"`
	Scenario string        `json:"scenario"`
	Stars    int           `json:"stars"`
	Zones    int           `json:"zones"`
	Clients  int           `json:"clients"`
	Streams  int           `json:"streams"`
	Duration string        `json:"duration"`
	Swarm    bool          `json:"swarm,omitempty"` // the faults are a random subset by the seed
	Faults   []string      `json:"faults,omitempty"`
	Bugs     []string      `json:"bugs,omitempty"`
	Strategy string        `json:"strategy,omitempty"` // of the scheduler; empty: drawn by the seed
	Hasty    bool          `json:"hasty,omitempty"`
	Scripted bool          `json:"scripted,omitempty"`
	Choices  script.Ranges `json:"choices,omitempty"`
	Only     *[]int        `json:"only_streams,omitempty"`
	Throw    uint64        `json:"throw,omitempty"` // of the dice that no act owns; 0: the seed's own
}

type expected struct {
	Hash     string `json:"expect"`
	Check    string `json:"check"`
	Sentence string `json:"sentence"`
	Sum      string `json:"sum"` // xxh3 of all lines, but for itself
}

// endStart is how the last line begins.
const endStart = `{"expect":`

func optionsOf(o scenario.Options) options {
	line := options{
		Seed: o.Seed, Scenario: o.Scenario, Stars: o.Stars, Zones: o.Zones, Clients: o.Clients, Streams: o.Streams,
		Duration: o.Duration.String(), Swarm: o.Faults == nil, Faults: o.Faults, Hasty: o.Hasty, Strategy: o.Strategy,
	}
	for _, bug := range planted.All() {
		if o.Bugs.Has(bug) {
			line.Bugs = append(line.Bugs, bug.String())
		}
	}
	if o.Script != nil {
		line.Scripted, line.Choices, line.Throw = true, o.Script.Choices, o.Script.Throw
		if o.Script.Streams != nil {
			line.Only = &o.Script.Streams
		}
	}
	return line
}

func (line options) options() (scenario.Options, error) {
	o := scenario.Options{
		Seed: line.Seed, Scenario: line.Scenario, Stars: line.Stars, Zones: line.Zones, Clients: line.Clients,
		Streams: line.Streams, Faults: line.Faults, Hasty: line.Hasty, Strategy: line.Strategy,
	}
	if !line.Swarm && o.Faults == nil {
		o.Faults = []string{}
	}
	var err error
	if o.Duration, err = time.ParseDuration(line.Duration); err != nil {
		return o, err
	}
	for _, name := range line.Bugs {
		bug, known := planted.Parse(name)
		if !known {
			return o, fmt.Errorf("planted bug %q: there is none of that name", name)
		}
		o.Bugs = o.Bugs.With(bug)
	}
	if line.Scripted {
		o.Script = &script.Script{Choices: line.Choices, Throw: line.Throw}
		if line.Only != nil {
			o.Script.Streams = *line.Only
		}
	} else if line.Only != nil || line.Choices != nil || line.Throw != 0 {
		return o, fmt.Errorf("choices, streams and a throw go with a script")
	}
	return o, nil
}

// IsFailure says whether a file that begins so is a failure's.
func IsFailure(start []byte) bool { return strings.HasPrefix(string(start), `{"nova_failure":`) }
