package lint_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/novastream/nova/internal/lint"
)

// TestDepguardFollowsTable keeps the depguard rules of .golangci.yaml equal to the import table, folder by folder.
func TestDepguardFollowsTable(t *testing.T) {
	data, err := os.ReadFile("../../.golangci.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Linters struct {
			Settings struct {
				Depguard struct {
					Rules map[string]struct {
						Deny []struct{ Pkg string }
					}
				}
			}
		}
	}
	if err := yaml.Unmarshal(data, &config); err != nil {
		t.Fatal(err)
	}
	rules := config.Linters.Settings.Depguard.Rules
	for _, from := range lint.Table() {
		rule, ok := rules[strings.ReplaceAll(from.Path, "/", "-")]
		if !ok {
			continue // a folder too small for a rule of its own
		}
		var denied []string
		for _, d := range rule.Deny {
			denied = append(denied, strings.TrimPrefix(d.Pkg, lint.Module+"/"))
		}
		for _, to := range lint.Table() {
			if refused := denies(denied, to.Path); !testOnly(to.Path) && to.Path != from.Path && refused == slices.Contains(from.Ours, to.Path) {
				t.Errorf("depguard %q refuses %s: %v; the import table says otherwise", from.Path, to.Path, refused)
			}
		}
	}
	if len(rules) < 7 {
		t.Errorf("%d depguard rules; want one for each folder of docs/architecture.md", len(rules))
	}
}

// testOnly says whether a folder holds tests of the repository, which nothing could import.
func testOnly(path string) bool { return strings.HasPrefix(path, "internal/") || path == "docs" }

// denies says whether depguard refuses path: some prefix of it is denied, and "$" ends an exact one.
func denies(denied []string, path string) bool {
	return slices.ContainsFunc(denied, func(d string) bool {
		exact, ok := strings.CutSuffix(d, "$")
		return ok && path == exact || !ok && strings.HasPrefix(path, d)
	})
}
