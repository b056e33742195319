package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// width is how wide text for people gets.
const width = 120

// maxTold is how many violations of one run are told; the artifact has all that were listed.
const maxTold = 5

// text tells a run to people.
func (v *view) text(out io.Writer) {
	fmt.Fprintf(out, "seed %d, scenario %s: %d stars, %d zones, %d clients, %d streams, %s under faults\n",
		v.Seed, v.Scenario, v.Stars, v.Zones, v.Clients, v.Streams, v.Duration)
	section(out, "faults", v.strikes(), "none")
	if v.Core != "" {
		section(out, "core", healed(v.Core), "")
	}
	if v.Placement != nil {
		section(out, "placement", v.Placement.sentences(), "")
	}
	section(out, "operations", items(v.Operations), "none")
	section(out, "witness", []string{v.Witness.Text}, "")
	section(out, "porcupine", []string{v.Porcupine.Text}, "")
	section(out, "invariants", items(v.Invariants), "none looked at")
	situations(out, v.Sometimes)
	section(out, "simulated", []string{v.Simulated, fmt.Sprint(v.Steps, " steps"), v.Strategy + " scheduling"}, "")
	section(out, "trace hash", []string{v.TraceHash}, "")
	v.end(out)
}

// end tells the verdict and what belongs to it.
func (v *view) end(out io.Writer) {
	fmt.Fprintln(out, strings.ToUpper(string(v.Verdict)))
	for i, found := range v.Violations {
		if i == maxTold {
			fmt.Fprintf(out, "  and %d more\n", len(v.Violations)-maxTold)
			break
		}
		fmt.Fprintf(out, "  %s: %s\n", found.Check, plain(found.Sentence))
		for line := range strings.Lines(found.Detail) {
			fmt.Fprintf(out, "      %s\n", plain(strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")))
		}
	}
	for _, sentence := range v.Undecided {
		fmt.Fprintf(out, "  undecided: %s\n", plain(sentence))
	}
	if v.Repeat != "" {
		fmt.Fprintf(out, "  repeat:   %s\n", plain(v.Repeat))
	}
	if v.Artifact != "" {
		fmt.Fprintf(out, "  artifact: %s\n", plain(v.Artifact))
	}
	if v.Page != "" {
		fmt.Fprintf(out, "  page:     %s\n", plain(v.Page))
	}
	if v.Explanation != "" {
		fmt.Fprintf(out, "\n%s", plainLines(v.Explanation))
	}
}

// healed tells what healed first, and then what was broken meanwhile.
func healed(core string) []string {
	works, broken, some := strings.Cut(core, "; ")
	parts := strings.Split(works, ", ")
	parts[0] = "healed first: " + parts[0]
	if some {
		for i, one := range strings.Split(broken, "; ") {
			if i == 0 {
				one = "meanwhile: " + one
			}
			parts = append(parts, one)
		}
	}
	return parts
}

// items lists counts by name.
func items(counts map[string]uint64) []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprint(name, " ", counts[name]))
	}
	return all
}

// situations tells those that were reached, and then those that were not.
func situations(out io.Writer, counts map[string]uint64) {
	var yes, no []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if counts[name] > 0 {
			yes = append(yes, fmt.Sprint(name, " ", counts[name]))
		} else {
			no = append(no, name)
		}
	}
	section(out, "sometimes", yes, "none")
	if len(no) > 0 {
		section(out, "never", no, "")
	}
}

// section writes a title and its items with commas between, wrapped and indented; empty stands for no items.
func section(out io.Writer, title string, items []string, empty string) {
	const indent = 13
	if len(items) == 0 {
		items = []string{empty}
	}
	line := fmt.Sprintf("%-*s", indent, title)
	for i, item := range items {
		item = plain(item)
		if i < len(items)-1 {
			item += ", "
		}
		if len(line) > indent && len(line)+len(strings.TrimRight(item, " ")) > width {
			fmt.Fprintln(out, strings.TrimRight(line, " "))
			line = strings.Repeat(" ", indent)
		}
		line += item
	}
	fmt.Fprintln(out, line)
}
