package cli

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/novastream/nova/sim/faults"
)

// TestDocs sees that docs/novasim.md tells of every fault and every command.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../../docs/novasim.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range faults.All() {
		if row := fmt.Sprintf("| `%s` | %s |\n", kind.Name, kind.Doc); !strings.Contains(string(page), row) {
			t.Errorf("docs/novasim.md misses the row %s", row)
		}
	}
	for _, c := range commands() {
		if !strings.Contains(string(page), strings.TrimSpace("novasim "+c.name)) {
			t.Errorf("docs/novasim.md does not tell of novasim %s", c.name)
		}
	}
}

// TestExamplesFail runs the examples that have a planted bug, of the page and of every help: what is shown as failing fails. A
// search for the smallest run is only begun.
func TestExamplesFail(t *testing.T) {
	page, err := os.ReadFile("../../../docs/novasim.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for _, c := range commands() {
		if c.name != "help" {
			text += novasim(strings.Fields(c.name + " -h")...).stdout
		}
	}
	examples := regexp.MustCompile("novasim (-|shrink|crashpoints)[^`\n]* -bug [-a-z0-9, ]*[a-z0-9]").FindAllString(text, -1)
	slices.Sort(examples)
	examples = slices.Compact(examples)
	if len(examples) < 4 {
		t.Errorf("only %q were found", examples)
	}
	for _, example := range examples {
		args := strings.Fields(plainExample(example))[1:]
		if args[0] == "shrink" {
			args = append([]string{"shrink", "-budget", "1ns"}, args[1:]...)
		}
		if r := novasim(args...); r.code != exitFailed {
			t.Errorf("%s does not fail any more, exit code %d: look for another seed\n%s", example, r.code, r.stderr)
		}
	}
}

// plainExample is an example without what is said behind it, and without going on after the first failure.
func plainExample(line string) string {
	command, _, _ := strings.Cut(line, "   ")
	return strings.ReplaceAll(command, " -keep-going", "")
}
