package cli

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/crashpoints"
	"github.com/novastream/nova/sim/faults"
	"github.com/novastream/nova/sim/scenario"
)

const listUsage = `novasim list tells the names that the other commands take and report.

Usage:
  novasim list [scenarios] [crashpoints] [faults] [steps] [bugs] [strategies] [sometimes]

Examples:
  novasim list
  novasim list faults bugs
  novasim list -o json
`

// named is one line of a list.
type named struct {
	Topic string `json:"topic"`
	Name  string `json:"name"`
	Doc   string `json:"doc,omitempty"`
}

// topic is one kind of name.
type topic struct {
	name  string
	about string
	list  func() []named
}

func topics() []topic {
	return []topic{
		{"scenarios", "-scenario NAME", listScenarios},
		{"crashpoints", "novasim crashpoints -scenario NAME", listStories},
		{"faults", "-faults NAME,NAME; counted under these names or those in brackets", listFaults},
		{"steps", "named steps of the core, which runs count", listSteps},
		{"bugs", "-bug NAME, novasim bugs NAME", listBugs},
		{"strategies", "-strategy NAME", listStrategies},
		{"sometimes", "situations that a swarm of seeds has to reach", listSometimes},
	}
}

func runList(_ context.Context, e Env, args []string) error {
	f := newFlags(e, "list", listUsage)
	f.exits = "Exit codes: 0 the names were told, 2 wrong usage or they could not be written.\n"
	o := f.format()
	if err := f.parse(args); err != nil {
		return err
	}
	var known []string
	for _, t := range topics() {
		known = append(known, t.name)
	}
	wanted := f.Args()
	if len(wanted) == 0 {
		wanted = known
	}
	var all []named
	for _, name := range wanted {
		if err := oneOf("topic", name, known); err != nil {
			return err
		}
		for _, t := range topics() {
			if t.name != name {
				continue
			}
			lines := t.list()
			all = append(all, lines...)
			if *o == text {
				tellTopic(e, t, lines)
			}
		}
	}
	if *o == text {
		return nil
	}
	return writeAll(*o, e.Stdout, all)
}

func tellTopic(e Env, t topic, lines []named) {
	fmt.Fprintf(e.Stdout, "%s (%s)\n", t.name, t.about)
	table := tabwriter.NewWriter(e.Stdout, 0, 0, 2, ' ', 0)
	for _, line := range lines {
		fmt.Fprintln(table, strings.TrimRight("  "+line.Name+"\t"+line.Doc, "\t"))
	}
	_ = table.Flush() // a pipe that broke is noticed by the next command
	fmt.Fprintln(e.Stdout)
}

func listScenarios() (all []named) {
	for _, s := range scenario.Names() {
		all = append(all, named{"scenarios", s.Name, s.Doc})
	}
	return all
}

func listStories() (all []named) {
	for _, s := range crashpoints.All() {
		all = append(all, named{"crashpoints", s.Name, s.Doc})
	}
	return all
}

func listFaults() (all []named) {
	for _, k := range faults.All() {
		doc := k.Doc
		if k.Counts[0] != k.Name {
			doc += " [" + strings.Join(k.Counts, ", ") + "]"
		}
		all = append(all, named{"faults", k.Name, doc})
	}
	return all
}

func listSteps() (all []named) {
	for _, name := range steps() {
		all = append(all, named{"steps", name, ""})
	}
	return all
}

func listBugs() (all []named) {
	for _, b := range planted.All() {
		all = append(all, named{"bugs", b.String(), b.Does() + " (" + b.Page() + ")"})
	}
	return all
}

func listStrategies() (all []named) {
	for _, s := range sim.Strategies() {
		all = append(all, named{"strategies", s.String(), s.Doc()})
	}
	return all
}

// listSometimes asks the shortest of runs: a report names those as well that were not reached.
func listSometimes() (all []named) {
	report, err := scenario.Run(scenario.Options{
		Seed: 1, Stars: 1, Zones: 1, Clients: 1, Streams: 1, Duration: time.Second, Faults: []string{},
	})
	if err != nil {
		return nil // there is such a run
	}
	for _, c := range report.Sometimes {
		all = append(all, named{"sometimes", c.Name, ""})
	}
	return all
}
