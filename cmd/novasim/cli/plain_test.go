package cli

import (
	"strings"
	"testing"
	"unicode"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"logs/app":           "logs/app",
		"größe 日本":           "größe 日本",
		"a\x1b[31mb":         `a\x1b[31mb`,
		"a\nPASSED":          `a\nPASSED`,
		"a\r\tb":             `a\r\tb`,
		"\u009b2J \u202eb":   `\u009b2J \u202eb`,
		"bad \xff byte":      `bad \xff byte`,
		"a \"quote\" and \\": "a \"quote\" and \\",
	} {
		if got := plain(text); got != want {
			t.Errorf("plain(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestHostileHistory has escape codes and line breaks in every name of a history: none of them reaches the terminal.
func TestHostileHistory(t *testing.T) {
	lost := strings.Replace(good, `"first":0,"hashes":["00000000000000ab"]}`+"\n", `"first":0,"hashes":[]}`+"\n", 1)
	for old, hostile := range map[string]string{`hand`: `hand\u001b]0;x\u0007\nPASSED`, `logs/app`: `logs\u001b[2J\nPASSED\r\u009b`} {
		for _, text := range []string{lost, good, strings.Replace(good, `"next":1,"h`, `"next":7,"h`, 1), good[:strings.Index(good, `{"at":20`)], good + `{"x`} {
			file := write(t, strings.ReplaceAll(text, old, hostile))
			for _, args := range [][]string{{"check", file}, {"convert", "-stream", "x\x1b[2J", file}, {"replay", "-faults", "none", file}} {
				r := novasim(args...)
				shown := r.stderr
				if args[0] != "convert" { // whose stdout is for a machine
					shown += r.stdout
				}
				for line := range strings.Lines(shown) {
					bad := strings.ContainsFunc(strings.TrimRight(line, "\n"), unicode.IsControl)
					if spoofed := strings.HasPrefix(line, "PASSED") && strings.TrimRight(line, "\n") != "PASSED"; bad || spoofed {
						t.Errorf("novasim %v writes %q", args, line)
					}
				}
			}
		}
	}
}
