package output

import (
	"fmt"
	"slices"
	"strings"
)

// Format is how values are printed.
type Format string

// The formats.
const (
	Auto  Format = ""      // Table on a terminal, JSONL elsewhere
	Table Format = "table" // aligned columns
	JSON  Format = "json"  // one value, or one array
	JSONL Format = "jsonl" // one value a line
	YAML  Format = "yaml"
	Raw   Format = "raw" // the bodies of records alone, one a line
)

// Formats are those that every command knows.
func Formats() []string { return []string{string(Table), string(JSON), string(JSONL), string(YAML)} }

// Parse finds a format by its name; extra are formats beyond Formats that the command knows.
func Parse(name string, extra ...string) (Format, error) {
	known := append(Formats(), extra...)
	if name == "" || slices.Contains(known, name) {
		return Format(name), nil
	}
	return "", fmt.Errorf("output format %q is unknown: it is one of %s", name, strings.Join(known, ", "))
}
