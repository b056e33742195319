package embeddedmeta

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/novastream/nova/io/meta"
)

// ledger is what the world outside has learnt: for every key the highest count and version that a write was answered
// with or a reader was shown.
type ledger struct {
	mu       sync.Mutex
	counts   map[string]int
	versions map[string]meta.Version
	acks     int
}

func (l *ledger) learn(key string, count int, version meta.Version) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acks++
	l.counts[key] = max(l.counts[key], count)
	l.versions[key] = max(l.versions[key], version)
}

func (l *ledger) copy() *ledger {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &ledger{counts: maps.Clone(l.counts), versions: maps.Clone(l.versions), acks: l.acks}
}

// countUp raises counters by compare-and-set, each indexed by its count, until the store ends.
func countUp(ctx context.Context, m meta.Metastore, l *ledger, keys int, rng *rand.Rand) error {
	for {
		key := fmt.Sprintf("p/%d", rng.IntN(keys))
		rec, err := m.Get(ctx, key)
		expect, count := meta.At(rec.Version), 0
		switch {
		case errors.Is(err, meta.ErrNotFound):
			expect = meta.Absent()
		case err != nil:
			return err
		default:
			count, _ = strconv.Atoi(string(rec.Value))
			l.learn(key, count, rec.Version)
		}
		value := strconv.Itoa(count + 1)
		version, err := m.PutIndexed(ctx, key, []byte(value), expect, []meta.Index{{Name: "count", Key: key[2:] + "@" + value}})
		switch {
		case err == nil:
			l.learn(key, count+1, version)
		case !errors.Is(err, meta.ErrConflict):
			return err
		}
	}
}

// verify compares a recovered store with what the world had learnt before the crash.
func verify(t *testing.T, m meta.Metastore, l *ledger, keys int) {
	t.Helper()
	for i := range keys {
		key := fmt.Sprintf("p/%d", i)
		rec, err := m.Get(t.Context(), key)
		if errors.Is(err, meta.ErrNotFound) && l.counts[key] == 0 {
			continue
		}
		count, _ := strconv.Atoi(string(rec.Value))
		if err != nil || count < l.counts[key] || rec.Version < l.versions[key] {
			t.Errorf("%s: %q at %d, %v; the world knows of %d at %d", key, rec.Value, rec.Version, err, l.counts[key], l.versions[key])
		}
		hits, err := m.ScanIndex(t.Context(), "count", key[2:]+"@", "", 10)
		if err != nil || len(hits) != 1 || hits[0].Record.Version != rec.Version || hits[0].Secondary != key[2:]+"@"+string(rec.Value) {
			t.Errorf("%s at %s: index finds %v, %v", key, rec.Value, hits, err)
		}
	}
}

// Power fails at any moment, and the disk keeps any part of what was not synced: nothing that was answered or shown is
// lost, rows and their index entries go together, and versions go on above the old ones.
func TestPowerCut(t *testing.T) {
	const keys, writers = 5, 4
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			fs := vfs.NewCrashableMem()
			known := &ledger{counts: map[string]int{}, versions: map[string]meta.Version{}}
			for range 3 {
				s := must[*Store](t)(open("db", fs, nil))
				m := s.Client().Spaces().Records
				verify(t, m, known, keys)
				ctx, stop := context.WithCancel(t.Context())
				var done sync.WaitGroup
				for w := range writers {
					rng := rand.New(rand.NewPCG(seed, uint64(w)))
					done.Go(func() { _ = countUp(ctx, m, known, keys, rng) })
				}
				enough := known.copy().acks + 50 + rng.IntN(400)
				for known.copy().acks < enough {
					if _, err := m.Scan(t.Context(), "p", "", keys); err != nil {
						t.Fatal(err)
					}
				}
				before := known.copy()
				next := fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng})
				stop()
				done.Wait()
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				fs, known = next, before
			}
			s := must[*Store](t)(open("db", fs, nil))
			verify(t, s.Client().Spaces().Records, known, keys)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
