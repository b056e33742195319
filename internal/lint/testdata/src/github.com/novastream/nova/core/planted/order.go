package planted

import (
	"cmp"
	"maps"
	"slices"
)

type table map[string]int

func order(m map[string]int, t table) {
	for range m { // want `map-order: range over a map; sort first`
	}
	for k, v := range t { // want `map-order: range over a map`
		_, _ = k, v
	}
	for k := range maps.Keys(m) { // want `map-order: maps.Keys; sort first`
		_ = k
	}
	_ = slices.Collect(maps.Keys(m))                   // want `map-order: maps.Keys`
	_ = slices.SortedFunc(maps.Values(m), cmp.Compare) // want `map-order: maps.Values`
	for range maps.All(m) {                            // want `map-order: maps.All`
	}
	maps.DeleteFunc(m, func(string, int) bool { return true }) // want `map-order: maps.DeleteFunc`
}

func generic[M ~map[K]V, K comparable, V any](m M) {
	for range m { // want `map-order: range over a map`
	}
}
