// Package fine is what a deterministic package may do.
package fine

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

func idioms(m map[string]int, chance *rand.Rand, log *slog.Logger, list []int, each iter.Seq[int]) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		delete(m, k)
	}
	for _, k := range slices.SortedFunc(maps.Keys(m), strings.Compare) {
		_ = m[k]
	}
	_ = slices.Sorted(maps.Values(m))
	_ = slices.MaxFunc(list, cmp.Compare[int])
	for i := range list {
		_ = i
	}
	for i := range each {
		_ = i
	}
	for range 3 {
		_ = chance.IntN(6)
	}
	_ = rand.New(rand.NewPCG(1, 2))
	log.Info("handed in")
	_ = fmt.Sprintf("100%% plain %v", len(m))
	clear(m)
	_ = maps.Clone(m)
}

func stamps(ctx context.Context, t time.Time) (time.Time, error) {
	_ = time.UnixMicro(7).UTC()
	_ = t.UnixMicro() + t.Unix()
	_ = t.UTC().Add(3 * time.Second).Sub(t)
	return time.Unix(0, 0).UTC(), ctx.Err()
}
