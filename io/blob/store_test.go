package blob

import (
	"fmt"
	"math"
	"testing"
)

func TestRangeHeaders(t *testing.T) {
	for _, c := range []struct {
		r      Range
		header string
		ok     bool
	}{
		{All(), "", true},
		{Span(0, 1), "bytes=0-0", true},
		{Span(10, 5), "bytes=10-14", true},
		{Span(10, math.MaxInt64), fmt.Sprintf("bytes=10-%d", math.MaxInt64-1), true},
		{Suffix(16), "bytes=-16", true},
		{r: Span(0, 0)},
		{r: Span(-1, 5)},
		{r: Suffix(0)},
	} {
		header, ok := c.r.Header()
		if ok != c.ok || ok && header != c.header {
			t.Errorf("%+v: %q, %v; want %q, %v", c.r, header, ok, c.header, c.ok)
		}
	}
}
