package cli

import (
	"strings"
	"testing"
)

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
