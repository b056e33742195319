package cli

import (
	"strings"

	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/faults"
	"github.com/novastream/nova/sim/scenario"
)

// worldFlags are the flags that say what world is run.
type worldFlags struct {
	*flags
	options scenario.Options
	faults  string
	bugs    string
}

// worldNames are the flags that say what world is run, next to its seed.
var worldNames = []string{"scenario", "stars", "zones", "clients", "streams", "duration", "faults", "bug", "strategy"}

func newWorldFlags(f *flags) *worldFlags {
	w := &worldFlags{flags: f}
	o := &w.options
	f.StringVar(&o.Scenario, "scenario", scenario.Default, "`name` of the scenario; novasim list scenarios")
	f.IntVar(&o.Stars, "stars", 0, "`number` of stars; 0 is the scenario's own")
	f.IntVar(&o.Zones, "zones", 0, "`number` of zones: 1, 3 or 5; 0 is the scenario's own")
	f.IntVar(&o.Clients, "clients", 0, "`number` of clients; 0 is the scenario's own")
	f.IntVar(&o.Streams, "streams", 0, "`number` of streams; 0 is the scenario's own")
	f.durationVar(&o.Duration, "duration", 0, "virtual `time` of work under faults, as 10m; 0s is the scenario's own")
	f.StringVar(&w.faults, "faults", "swarm", "`names` with commas between, none, all, or swarm: a random subset by the seed")
	f.StringVar(&o.Strategy, "strategy", "", "`name` of how the scheduler chooses among tasks; novasim list strategies. Empty: by the seed")
	f.StringVar(&w.bugs, "bug", "", "`name` of a planted bug, or several with commas between; novasim list bugs")
	return w
}

// parse reads the command line and finds what its names stand for.
func (w *worldFlags) parse(args []string) error {
	if err := w.flags.parse(args); err != nil {
		return err
	}
	if err := oneOf("scenario", w.options.Scenario, scenarioNames()); err != nil {
		return err
	}
	if s := w.options.Strategy; s != "" {
		if err := oneOf("strategy", s, strategyNames()); err != nil {
			return err
		}
	}
	for _, number := range []int{w.options.Stars, w.options.Zones, w.options.Clients, w.options.Streams, int(w.options.Duration)} {
		if number < 0 {
			return usagef(w.help, "numbers and times of a world must not be negative")
		}
	}
	var err error
	if w.options.Faults, err = parseFaults(w.faults); err != nil {
		return err
	}
	if w.options.Bugs, err = parseBugs(w.bugs); err != nil {
		return err
	}
	if err := w.options.Validate(); err != nil {
		return usagef(w.help, "%v", err)
	}
	return nil
}

// args are the flags that a command needs to run the same world.
func (w *worldFlags) args() []string {
	var args []string
	for _, name := range worldNames {
		if f := w.Lookup(name); f != nil && f.Value.String() != f.DefValue {
			args = append(args, "-"+name, f.Value.String())
		}
	}
	return args
}

// repeat is the command that runs one of the seeds again.
func (w *worldFlags) repeat(seed string) string { return "novasim -seed " + seed + joined(w.args()) }

// parseFaults gives nil for swarm and an empty slice for none, as scenario.Options has it.
func parseFaults(text string) ([]string, error) {
	switch text {
	case "swarm", "":
		return nil, nil
	case "none":
		return []string{}, nil
	case "all":
		return faults.Survivable(), nil
	}
	names := strings.Split(text, ",")
	for _, name := range names {
		if err := oneOf("fault", name, append(faultNames(), "swarm", "none", "all")); err != nil {
			return nil, err
		}
		if name == "swarm" || name == "none" || name == "all" {
			return nil, usagef("novasim list faults", "-faults %s stands alone", name)
		}
	}
	return names, nil
}

func parseBugs(text string) (planted.Set, error) {
	var set planted.Set
	if text == "" {
		return set, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		if err := oneOf("planted bug", name, bugNames()); err != nil {
			return set, err
		}
		bug, _ := planted.Parse(name)
		set = set.With(bug)
	}
	return set, nil
}

func scenarioNames() []string {
	var names []string
	for _, s := range scenario.Names() {
		names = append(names, s.Name)
	}
	return names
}

func faultNames() []string {
	var names []string
	for _, f := range faults.All() {
		names = append(names, f.Name)
	}
	return names
}

func strategyNames() []string {
	var names []string
	for _, s := range sim.Strategies() {
		names = append(names, s.String())
	}
	return names
}

func bugNames() []string {
	var names []string
	for _, b := range planted.All() {
		names = append(names, b.String())
	}
	return names
}
