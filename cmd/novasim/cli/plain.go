package cli

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// plain is text as it can be shown on one line of a terminal: what came from a file may have anything in it, and what does not
// print is written as an escape of Go.
func plain(text string) string {
	var out strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch one := text[:size]; {
		case r == utf8.RuneError && size == 1, !strconv.IsPrint(r):
			quoted := strconv.Quote(one)
			out.WriteString(quoted[1 : len(quoted)-1])
		default:
			out.WriteString(one)
		}
		text = text[size:]
	}
	return out.String()
}

// plainLines is plain for text of several lines of our own.
func plainLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = plain(line)
	}
	return strings.Join(lines, "\n")
}
