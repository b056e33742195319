package cli

import (
	"fmt"
	"os"
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
