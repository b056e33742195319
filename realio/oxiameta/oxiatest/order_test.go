package oxiatest

import (
	"slices"
	"testing"

	"github.com/zeebo/xxh3"
)

// Orders as real servers gave them.
func TestOrders(t *testing.T) {
	for _, c := range []struct {
		order order
		keys  []string
	}{
		{order{}, []string{
			"a", "a-b", "a0", "b", "z", "A/x", "a/", "a/\x01", "a/b", "a/b-1", "a/c", "a/~", "a/é", "a//", "b/a", "b/c", "/", "/a", "//",
			"a/b/", "a/b/c", "a/z/z", "a/b/c/d",
		}},
		{order{natural: true}, []string{
			"/", "//", "/a", "A/x", "a", "a-b", "a/", "a/\x01", "a//", "a/b", "a/b-1", "a/b/", "a/b/c", "a/b/c/d", "a/c", "a/z/z", "a/~",
			"a/é", "a0", "b", "b/a", "b/c", "z",
		}},
	} {
		places := make([]string, len(c.keys))
		for i, key := range c.keys {
			places[i] = c.order.place("o:" + key)
		}
		if !slices.IsSorted(places) {
			t.Errorf("%+v: %q do not sort as real servers sort them", c.order, c.keys)
		}
	}
}

// Hashes as real servers route by them.
func TestHashes(t *testing.T) {
	for key, want := range map[string]uint32{
		"": 953390274, "a": 513166879, "foo": 125730186, "bar": 2687685474, "/a/b": 973649257, "é": 1827736755, "aaaaaaaaa": 3639530180,
	} {
		if got := hash(key); got != want || uint32(xxh3.HashString(key)) != want {
			t.Errorf("hash of %q is %d, want %d", key, got, want)
		}
	}
}
