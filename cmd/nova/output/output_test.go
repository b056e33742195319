package output

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

type thing struct {
	Name  string    `json:"name"`
	Count int       `json:"item_count"`
	Ready bool      `json:"ready"`
	Made  time.Time `json:"made"`
	Notes []string  `json:"notes,omitempty"`
}

var things = []thing{{Name: "a", Count: 1, Ready: true, Notes: []string{"x", "y"}}, {Name: "longer"}}

func printed(t *testing.T, format Format, items []thing) string {
	t.Helper()
	var out bytes.Buffer
	p := NewPrinter(&out, format, false)
	for _, item := range items {
		if err := p.Item(item); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.End(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestListsParseInEveryFormat(t *testing.T) {
	for n := range len(things) + 1 {
		var fromJSON, fromYAML []thing
		if err := json.Unmarshal([]byte(printed(t, JSON, things[:n])), &fromJSON); err != nil || len(fromJSON) != n {
			t.Errorf("json of %d things: %v, %v", n, fromJSON, err)
		}
		if err := yaml.Unmarshal([]byte(printed(t, YAML, things[:n])), &fromYAML); err != nil || len(fromYAML) != n {
			t.Errorf("yaml of %d things: %v, %v", n, fromYAML, err)
		}
		if got := strings.Count(printed(t, JSONL, things[:n]), "\n"); got != n {
			t.Errorf("jsonl of %d things has %d lines", n, got)
		}
	}
}

func TestATableIsAligned(t *testing.T) {
	want := strings.TrimPrefix(`
NAME    ITEM COUNT  READY  MADE  NOTES
a       1           yes    -     x; y
longer  0           no     -     -
`, "\n")
	if got := printed(t, Table, things); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestAFormatIsChosenByTheTerminal(t *testing.T) {
	for _, c := range []struct {
		asked    Format
		terminal bool
		want     Format
	}{{Auto, true, Table}, {Auto, false, JSONL}, {YAML, true, YAML}, {Table, false, Table}} {
		if got := NewPrinter(nil, c.asked, c.terminal).Format(); got != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
	if _, err := Parse("raw"); err == nil {
		t.Error("raw is known where no command asked for it")
	}
	if f, err := Parse("raw", "raw"); err != nil || f != Raw {
		t.Errorf("raw: %v, %v", f, err)
	}
}

func TestNothingPrintableDrivesATerminal(t *testing.T) {
	for in, want := range map[string]string{
		"plain ü 世": "plain ü 世", "a\tb\n": `a\tb\n`, "\x1b[2J": `\u001b[2J`, "\xff": `\xff`, "\u202e": `\u202e`, "\r": `\u000d`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestNumbersForHumans(t *testing.T) {
	for got, want := range map[string]string{
		Count(0): "0", Count(999): "999", Count(1000): "1,000", Count(1234567): "1,234,567",
		Bytes(0): "0 B", Bytes(1023): "1023 B", Bytes(1536): "1.5 KiB", Bytes(1 << 20): "1.0 MiB", Bytes(5 << 40): "5.0 TiB",
		Plural(1, "record"): "1 record", Plural(2000, "record"): "2,000 records",
		Duration(1234 * time.Nanosecond): "1µs", Duration(12345 * time.Microsecond): "12.3ms", Duration(1234 * time.Millisecond): "1.23s",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if Paint(true).Red("x") == "x" || Paint(false).Red("x") != "x" || Paint(true).Dim(" ") != " " {
		t.Error("paint")
	}
}
