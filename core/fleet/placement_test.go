package fleet

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/novastream/nova/core/keys"
)

func starID(i int) keys.StarID { return keys.StarID(fmt.Sprintf("star-%03d", i)) }

// comfortable is a fleet of n stars, all eligible, none loaded.
func comfortable(n int) []Star {
	stars := make([]Star, n)
	for i := range stars {
		stars[i] = Star{ID: starID(i)}
	}
	return stars
}

// randomID is a stream id by chance.
func randomID(rng *rand.Rand) keys.StreamID {
	id := make([]byte, 26)
	for i := range id {
		id[i] = "abcdefghijklmnopqrstuvwxyz234567"[rng.IntN(32)]
	}
	return keys.StreamID(id)
}

func anyFleet(t *rapid.T) []Star {
	stars := comfortable(rapid.IntRange(1, 40).Draw(t, "stars"))
	for i := range stars {
		stars[i].Saturated = rapid.IntRange(0, 4).Draw(t, "saturated") == 0
		stars[i].Draining = rapid.IntRange(0, 4).Draw(t, "draining") == 0
		stars[i].AppendBytesPerSecond = rapid.Float64Range(0, 100e6).Draw(t, "appends")
		stars[i].HotReadBytesPerSecond = rapid.Float64Range(0, 100e6).Draw(t, "reads")
	}
	return stars
}

func anyStream(t *rapid.T) keys.StreamID {
	return keys.StreamID(rapid.StringMatching(`[a-z2-7]{26}`).Draw(t, "stream"))
}

// byScore is the model: all eligible stars by falling score, ties by star id.
func byScore(stars []Star, stream keys.StreamID) []Star {
	ranked := slices.DeleteFunc(slices.Clone(stars), func(s Star) bool { return !s.eligible() })
	slices.SortFunc(ranked, func(a, b Star) int {
		x, y := score(nil, a.ID, stream), score(nil, b.ID, stream)
		if x != y {
			if x > y {
				return -1
			}
			return 1
		}
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	return ranked
}

// The designate is one of the two best of the model, whatever the order in which the stars are listed.
func TestDesignateIsOfTheTopPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stars, stream := anyFleet(t), anyStream(t)
		got, ok := Designate(NewSnapshot(stars...), stream)
		ranked := byScore(stars, stream)
		switch {
		case len(ranked) == 0:
			if ok {
				t.Fatalf("nobody is eligible, got %v", got.ID)
			}
		case len(ranked) > 1 && significantlyLess(ranked[1].Load(), ranked[0].Load()):
			if !ok || got.ID != ranked[1].ID {
				t.Fatalf("got %v, want the runner-up %v", got.ID, ranked[1].ID)
			}
		default:
			if !ok || got.ID != ranked[0].ID {
				t.Fatalf("got %v, want the top one %v", got.ID, ranked[0].ID)
			}
		}
		shuffled := rapid.Permutation(stars).Draw(t, "order")
		if again, _ := Designate(NewSnapshot(shuffled...), stream); again != got {
			t.Fatalf("in another order the designate is %v, not %v", again.ID, got.ID)
		}
	})
}

// In a fleet without load a star that comes takes streams only to itself, and a star that goes gives up only its own.
func TestDesignateIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stars, stream := comfortable(rapid.IntRange(2, 40).Draw(t, "stars")), anyStream(t)
		snapshot := NewSnapshot(stars...)
		before, _ := Designate(snapshot, stream)
		more := append(stars, Star{ID: keys.StarID(rapid.StringMatching(`new-[a-z0-9]{1,10}`).Draw(t, "new"))})
		if after, _ := Designate(NewSnapshot(more...), stream); after.ID != before.ID && after.ID != more[len(more)-1].ID {
			t.Fatalf("a new star moved the stream from %v to %v", before.ID, after.ID)
		}
		gone := rapid.SampledFrom(stars).Draw(t, "gone").ID
		if after, _ := Designate(snapshot.Without(gone), stream); gone != before.ID && after.ID != before.ID {
			t.Fatalf("%v went and moved the stream from %v to %v", gone, before.ID, after.ID)
		}
	})
}

func TestDeadband(t *testing.T) {
	const mib = 1 << 20
	for name, c := range map[string]struct {
		runnerUp, top float64
		want          bool
	}{
		"no load":                       {0, 0, false},
		"equal":                         {50 * mib, 50 * mib, false},
		"more":                          {60 * mib, 10 * mib, false},
		"a tenth of a busy pair":        {90 * mib, 100 * mib, false},
		"a quarter of a busy pair":      {77 * mib, 100 * mib, true},
		"exactly a fifth of the mean":   {9 * mib, 11 * mib, false},
		"a bit above a fifth":           {9*mib - 1, 11 * mib, true},
		"far apart but small":           {0, mib, false},
		"far apart and just above":      {0, mib + 1, true},
		"idle beside a star with a lot": {0, 400 * mib, true},
	} {
		if got := significantlyLess(c.runnerUp, c.top); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestNobodyIsEligible(t *testing.T) {
	snapshot := NewSnapshot(Star{ID: "a", Saturated: true}, Star{ID: "b", Draining: true})
	if star, ok := Designate(snapshot, "s"); ok {
		t.Errorf("placed on %v", star.ID)
	}
	if _, ok := Designate(Snapshot{}, "s"); ok {
		t.Error("placed in an empty fleet")
	}
}

// burst opens that many vacant streams by one snapshot and counts where they go.
func burst(snapshot Snapshot, streams int, seed uint64) map[keys.StarID]int {
	rng, led := rand.New(rand.NewPCG(seed, 1)), map[keys.StarID]int{}
	for range streams {
		star, _ := Designate(snapshot, randomID(rng))
		led[star.ID]++
	}
	return led
}

// burstSizes are the fleets over which a burst spreads.
var burstSizes = []int{3, 30, 300}

// A burst of opens, faster than any star publishes, spreads within 10% of even: over equal stars, and over stars whose
// published loads differ within the deadband.
func TestABurstSpreads(t *testing.T) {
	for _, n := range burstSizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			const each = 1600
			stars := comfortable(n)
			for i := range stars {
				stars[i].AppendBytesPerSecond = 10e6 + 1e6*float64(i%2)
			}
			led := burst(NewSnapshot(stars...), n*each, 7)
			for i := range n {
				if got := led[starID(i)]; got < each*9/10 || got > each*11/10 {
					t.Errorf("%v leads %d of %d streams, even is %d", starID(i), got, n*each, each)
				}
			}
		})
	}
}

// One cold star among loaded ones draws the pairs that it is in, not the whole burst.
func TestAColdStarIsNotHerdedOnto(t *testing.T) {
	const n, each = 30, 1000
	stars := comfortable(n)
	for i := range stars[1:] {
		stars[i+1].AppendBytesPerSecond = 50e6
	}
	led := burst(NewSnapshot(stars...), n*each, 3)
	if got := led[starID(0)]; got < each*3/2 || got > each*5/2 {
		t.Errorf("the cold star got %d streams, its pairs are about %d", got, 2*each)
	}
}

// The placement of some streams, so that no change of the hash goes unseen: it would move streams in a mixed fleet.
func TestScoresAreFixed(t *testing.T) {
	if got, want := score(nil, "alpha", "aaaaaaaaaaaaaaaaaaaaaaaaaa"), uint64(8461444764380105041); got != want {
		t.Errorf("the score is %d, it was %d", got, want)
	}
}

func BenchmarkDesignate300(b *testing.B) {
	snapshot := NewSnapshot(comfortable(300)...)
	b.ReportAllocs()
	for b.Loop() {
		Designate(snapshot, "aaaaaaaaaaaaaaaaaaaaaaaaaa")
	}
}
