package cli

import (
	"fmt"
	"slices"

	"github.com/novastream/nova/cmd/terminal"
)

// meant is the question that follows an unknown word, if a known one is near.
func meant(word string, known []string) string {
	best := terminal.Nearest(word, known)
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// oneOf refuses a word that is not among the known ones.
func oneOf(what, word string, known []string) error {
	if slices.Contains(known, word) {
		return nil
	}
	return usagef("novasim list", "there is no %s %q%s", what, word, meant(word, known))
}
