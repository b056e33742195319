package planted_test

import (
	"strings"
	"testing"

	"github.com/novastream/nova/core/planted"
)

// TestTable: every bug has a name by which it is found, a page and a sentence.
func TestTable(t *testing.T) {
	for _, b := range planted.All() {
		if found, ok := planted.Parse(b.String()); !ok || found != b {
			t.Errorf("%q finds bug %d, want %d", b, found, b)
		}
		if !strings.HasSuffix(b.Page(), ".md") || b.Does() == "" {
			t.Errorf("%s is of page %q and does %q", b, b.Page(), b.Does())
		}
	}
}

// TestSet: a set has the bugs that it was made of, and no others.
func TestSet(t *testing.T) {
	all := planted.All()
	first, last := all[0], all[len(all)-1]
	set := planted.Of(first, last)
	for _, b := range all {
		if want := b == first || b == last; set.Has(b) != want {
			t.Errorf("has %s: %t", b, !want)
		}
	}
}
