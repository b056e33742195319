package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/novastream/nova/sim/scenario"
)

func TestList(t *testing.T) {
	all := append(append(append(faultNames(), bugNames()...), steps()...), scenarioNames()...)
	novasim("list").want(t, exitPassed, append(all, "limbo entered")...)
	only := novasim("list", "bugs")
	only.want(t, exitPassed, "no-poison")
	if strings.Contains(only.stdout, "dark-zone") {
		t.Errorf("more than was asked for:\n%s", only.stdout)
	}
}

// TestStepsAreThoseOfTheCore compares the list of steps with the code of the core and with what a run crosses.
func TestStepsAreThoseOfTheCore(t *testing.T) {
	call := regexp.MustCompile(`\.Step\(ctx, "([^"]+)"`)
	err := filepath.WalkDir("../../../core", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		code, err := os.ReadFile(path)
		for _, match := range call.FindAllStringSubmatch(string(code), -1) {
			if !slices.Contains(steps(), match[1]) {
				t.Errorf("%s crosses the step %s, which cmd/novasim/cli/steps.go does not list", path, match[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	report, err := scenario.Run(scenario.Options{Seed: 1, Stars: 3, Clients: 3, Streams: 4, Faults: []string{"crash"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range report.StepsCrossed {
		if !slices.Contains(steps(), c.Name) {
			t.Errorf("a run crosses the step %s, which cmd/novasim/cli/steps.go does not list", c.Name)
		}
	}
}
