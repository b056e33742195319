package output

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Count is a number with its thousands parted: 1,234,567.
func Count(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural is a count with its noun: "1 record", "2 records".
func Plural(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Count(n) + " " + noun + "s"
}

// Bytes is a size for a human: 1.5 MiB.
func Bytes(n uint64) string {
	if n < 1024 {
		return strconv.FormatUint(n, 10) + " B"
	}
	size, unit := float64(n), ""
	for _, unit = range []string{"KiB", "MiB", "GiB", "TiB"} {
		if size /= 1024; size < 1024 {
			break
		}
	}
	return fmt.Sprintf("%.1f %s", size, unit)
}

// Duration is a duration for a human, to three digits.
func Duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second:
		return d.Round(100 * time.Microsecond).String()
	default:
		return d.Round(10 * time.Millisecond).String()
	}
}

// Paint writes in colour where colour may be used.
type Paint bool

// Red is for what went wrong.
func (p Paint) Red(s string) string { return p.with("31;1", s) }

// Green is for what went well.
func (p Paint) Green(s string) string { return p.with("32", s) }

// Dim is for what matters less.
func (p Paint) Dim(s string) string { return p.with("2", s) }

func (p Paint) with(code, s string) string {
	if !p || strings.TrimSpace(s) == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
