package cli

import (
	"strings"
	"testing"
)

// TestDetail shows a stack as it is, but for what would reach the terminal.
func TestDetail(t *testing.T) {
	var out strings.Builder
	v := view{Violations: []violation{{"failure", "it broke", "main.run(...)\n\tmain.go:7\n\x1b[2J"}}}
	v.end(&out)
	if want := "      main.run(...)\n          main.go:7\n      \\x1b[2J\n"; !strings.Contains(out.String(), want) {
		t.Errorf("told is\n%s", out.String())
	}
}

// TestCoreText keeps apart what healed first and what was broken meanwhile.
func TestCoreText(t *testing.T) {
	for core, want := range map[string]string{
		"star-2, star-3; star-1 is dead; dark: zone-a": "core         healed first: star-2, star-3, meanwhile: star-1 is dead, dark: zone-a\n",
		"star-1": "core         healed first: star-1\n",
	} {
		var out strings.Builder
		v := view{Core: core}
		v.text(&out)
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is told as\n%s", core, out.String())
		}
	}
}
