package output

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// table aligns rows. Rows printed early keep the widths they had; later ones may be wider.
type table struct {
	widths  []int
	rows    [][]string
	started bool
}

// add takes the exported fields of a struct, or of a pointer to one, as a row.
func (t *table) add(v any) {
	row := reflect.Indirect(reflect.ValueOf(v))
	if !t.started {
		t.started = true
		t.append(columns(row.Type()))
	}
	cells := make([]string, 0, row.NumField())
	for i := range row.NumField() {
		cells = append(cells, cell(row.Field(i).Interface()))
	}
	t.append(cells)
}

func (t *table) append(cells []string) {
	for i, c := range cells {
		if i == len(t.widths) {
			t.widths = append(t.widths, 0)
		}
		t.widths[i] = max(t.widths[i], utf8.RuneCountInString(c))
	}
	t.rows = append(t.rows, cells)
}

func (t *table) print(out io.Writer) {
	for _, row := range t.rows {
		var line strings.Builder
		for i, c := range row {
			line.WriteString(c)
			line.WriteString(strings.Repeat(" ", t.widths[i]-utf8.RuneCountInString(c)+2))
		}
		fmt.Fprintln(out, strings.TrimRight(line.String(), " "))
	}
	t.rows = t.rows[:0]
}

// columns are the JSON names of a struct's fields, in capitals.
func columns(t reflect.Type) []string {
	names := make([]string, 0, t.NumField())
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, strings.ToUpper(strings.ReplaceAll(name, "_", " ")))
	}
	return names
}

func cell(v any) string {
	switch v := v.(type) {
	case time.Time:
		return Time(v)
	case *time.Time:
		if v == nil {
			return "-"
		}
		return Time(*v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []string:
		return cell(strings.Join(v, "; "))
	case string:
		if v == "" {
			return "-"
		}
		return Printable(v)
	default:
		return Printable(fmt.Sprint(v))
	}
}

// Time is a stamp for a human, in local time.
func Time(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04:05.000")
}

// Printable writes what could drive a terminal, or is no text, as escapes.
func Printable(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		s = s[n:]
	}
	return b.String()
}
