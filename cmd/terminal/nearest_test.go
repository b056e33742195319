package terminal_test

import (
	"testing"

	"github.com/novastream/nova/cmd/terminal"
)

func TestNearest(t *testing.T) {
	known := []string{"append", "read", "tail", "bucket", "stream", "fleet", "health", ""}
	for word, want := range map[string]string{
		"apend": "append", "strem": "stream", "raed": "read", "buc": "bucket", "helath": "health", "fleets": "fleet", "xyz": "", "": "",
	} {
		if got := terminal.Nearest(word, known); got != want {
			t.Errorf("nearest to %q is %q, want %q", word, got, want)
		}
	}
}
