package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/novastream/nova/io/meta"
)

const otherServers = "another version of the servers; do not run stars on these"

// order writes keys that the two orders sort differently, and reads them in ranges.
func (p *metaProbe) order(ctx context.Context) verdict {
	for _, sp := range p.trees() {
		if v := p.treeOrder(ctx, sp.tree.Fresh()); v.result != Good {
			v.says = fmt.Sprintf("in the namespace of %s: %s", sp.name, v.says)
			return v
		}
	}
	if v := p.naturalOrder(ctx, p.client.Spaces().Naming.Fresh()); v.result != Good {
		v.says = "in the namespace of naming: " + v.says
		return v
	}
	return good("records, work and ephemeral are hierarchical, naming is natural")
}

func (p *metaProbe) treeOrder(ctx context.Context, m meta.Metastore) verdict {
	const try = "a namespace in hierarchical order"
	at := p.root + "/order"
	for _, name := range []string{"b", "a/x", "a", "c", "a!"} {
		if _, err := m.Put(ctx, at+"/"+name, nil, meta.Any()); err != nil { // the probe is the only writer
			return failed("write a record", err)
		}
	}
	recs, err := m.Scan(ctx, at, "", 10)
	if err != nil {
		return failed("scan a folder", err)
	}
	if got, want := names(recs, at+"/"), []string{"a", "a!", "b", "c"}; !slices.Equal(got, want) {
		return bad(try, "a scan of a folder gives %v, and what lies in it is %v", got, want)
	}
	floor, err := m.FloorGet(ctx, at, "bb")
	if err != nil || floor.Key != at+"/b" {
		return bad(try, "the greatest key at or below .../bb is .../b, and the answer is %q (%v)", floor.Key, err)
	}
	if floor, err = m.FloorGet(ctx, at, "0"); !errors.Is(err, meta.ErrNotFound) {
		return bad(try, "nothing lies at or below .../0, and the answer is %q (%v)", floor.Key, err)
	}
	return good("hierarchical")
}

func (p *metaProbe) naturalOrder(ctx context.Context, n meta.Naming) verdict {
	at := p.root + "/order/"
	want := []string{"a", "a!", "a/x", "a/x/y", "b", "c"}
	for i := range want {
		if _, err := n.Put(ctx, at+want[i*5%len(want)], nil, meta.Any()); err != nil { // the probe is the only writer
			return failed("write a record", err)
		}
	}
	recs, err := n.List(ctx, at, "", 10)
	if err != nil {
		return failed("list names", err)
	}
	if got := names(recs, at); !slices.Equal(got, want) {
		return bad("a namespace in natural order", "a list of names gives %v, and in natural order it is %v", got, want)
	}
	return good("natural")
}

func names(recs []meta.Record, prefix string) (found []string) {
	for _, rec := range recs {
		found = append(found, rec.Key[min(len(prefix), len(rec.Key)):])
	}
	return found
}

// conditionalPuts asks for what must be refused.
func (p *metaProbe) conditionalPuts(ctx context.Context) verdict {
	return p.each(func(at place) verdict {
		key := p.root + "/point/conditional"
		v, err := at.Put(ctx, key, []byte("1"), meta.Absent())
		if err != nil {
			return failed("create a record", err)
		}
		newer, err := at.Put(ctx, key, []byte("2"), meta.At(v))
		if err != nil {
			return failed("change a record", err)
		}
		_, again := at.Put(ctx, key, []byte("3"), meta.Absent())
		_, stale := at.Put(ctx, key, []byte("3"), meta.At(v))
		for what, err := range map[string]error{
			"a create of a record that is there": again,
			"a change at an earlier version":     stale,
			"a delete at an earlier version":     at.Delete(ctx, key, meta.At(v)),
		} {
			if !errors.Is(err, meta.ErrConflict) {
				return bad(otherServers, "%s is not refused (%v): stars would lose each other's changes", what, err)
			}
		}
		rec, err := at.Get(ctx, key)
		if err != nil || string(rec.Value) != "2" || rec.Version != newer {
			return bad(otherServers, "after refused changes a record reads %q at %d (%v), want what was there", rec.Value, rec.Version, err)
		}
		if err := at.Delete(ctx, key, meta.At(newer)); err != nil {
			return failed("delete a record", err)
		}
		return good("")
	}, "creates over a record, and changes and deletes at an earlier version, are refused and change nothing")
}

const (
	racers    = 16
	increment = 8 // of each
)

// racingChanges lets many count one record up by compare-and-set.
func (p *metaProbe) racingChanges(ctx context.Context) verdict {
	return p.each(func(at place) verdict {
		key := p.root + "/point/counter"
		if _, err := at.Put(ctx, key, []byte("0"), meta.Any()); err != nil { // nobody counts yet
			return failed("write a record", err)
		}
		errs := make([]error, racers)
		var counting sync.WaitGroup
		for i := range racers {
			counting.Go(func() { errs[i] = countUp(ctx, at, key) })
		}
		counting.Wait()
		if err := errors.Join(errs...); err != nil {
			return failed("count a record up", err)
		}
		rec, err := at.Get(ctx, key)
		if want := strconv.Itoa(racers * increment); err != nil || string(rec.Value) != want {
			return bad(otherServers, "%d racing increments of 0 gave %q (%v)", racers*increment, rec.Value, err)
		}
		return good("")
	}, fmt.Sprintf("%d writers at once lose no change of one record", racers))
}

// countUp adds one, several times. An increment whose outcome is unknown ends the race: it could not be judged.
func countUp(ctx context.Context, at place, key string) error {
	for done := 0; done < increment; {
		rec, err := at.Get(ctx, key)
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(string(rec.Value))
		if err != nil {
			return err
		}
		_, err = at.Put(ctx, key, strconv.AppendInt(nil, int64(n+1), 10), meta.At(rec.Version))
		switch {
		case err == nil:
			done++
		case !errors.Is(err, meta.ErrConflict):
			return err
		}
	}
	return nil
}

// lives is how often a record is created anew.
const lives = 12

// versions deletes and creates a record again and again.
func (p *metaProbe) versions(ctx context.Context) verdict {
	return p.each(func(at place) verdict {
		key := p.root + "/point/versions"
		seen := map[meta.Version]bool{}
		var last meta.Version
		for life := range lives {
			v, err := at.Put(ctx, key, nil, meta.Absent())
			if err != nil {
				return failed("create a record", err)
			}
			if seen[v] {
				return bad(otherServers, "version %d was given to one record twice, over a delete and a create: a star that slept would "+
					"take the new record for the old one", v)
			}
			if life > 0 {
				if _, err := at.Put(ctx, key, nil, meta.At(last)); !errors.Is(err, meta.ErrConflict) {
					return bad(otherServers, "a change at a version of the record before it was deleted and created again is not refused (%v)", err)
				}
			}
			seen[v], last = true, v
			if err := at.Delete(ctx, key, meta.At(v)); err != nil {
				return failed("delete a record", err)
			}
		}
		return good("")
	}, fmt.Sprintf("a record that was deleted and created %d times got a new version each time", lives))
}

// reads is how often another client looks at what was just written.
const reads = 30

// freshReads lets another client read what was acknowledged a moment ago.
func (p *metaProbe) freshReads(ctx context.Context) verdict {
	others := places(p.other.Spaces(), p.root)
	return p.each(func(at place) verdict {
		key := p.root + "/point/fresh"
		i := slices.IndexFunc(others, func(o place) bool { return o.name == at.name })
		for n := range reads {
			v, err := at.Put(ctx, key, strconv.AppendInt(nil, int64(n), 10), meta.Any()) // the probe is the only writer
			if err != nil {
				return failed("write a record", err)
			}
			rec, err := others[i].Get(ctx, key)
			if err != nil && !errors.Is(err, meta.ErrNotFound) {
				return failed("read a record", err)
			}
			if err != nil || rec.Version != v {
				return bad(otherServers, "another client does not see a write that was acknowledged before it asked")
			}
		}
		return good("")
	}, "another client sees at once what was acknowledged")
}

// clock compares the clock of the servers with this machine's.
func (p *metaProbe) clock(ctx context.Context) verdict {
	at := p.client.Spaces().Records.Within(p.root)
	key := p.root + "/point/clock"
	before := time.Now()
	if _, err := at.Put(ctx, key, nil, meta.Any()); err != nil { // the probe is the only writer
		return failed("write a record", err)
	}
	after := time.Now()
	rec, err := at.Fresh().Get(ctx, key)
	if err != nil {
		return failed("read a record", err)
	}
	return judgeClock(before, after, rec.Modified)
}

const (
	timedWrites = 50
	slowWrite   = 100 * time.Millisecond
)

// speed measures writes, one at a time and many at once.
func (p *metaProbe) speed(ctx context.Context) verdict {
	at := p.client.Spaces().Records.Within(p.root)
	value := make([]byte, 256)
	write := func(i int) error {
		_, err := at.Put(ctx, fmt.Sprintf("%s/speed/%03d", p.root, i), value, meta.Any()) // the probe is the only writer
		return err
	}
	var took []time.Duration
	for i := range timedWrites {
		began := time.Now()
		if err := write(i); err != nil {
			return failed("write a record", err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	const many = 500
	errs := make([]error, many)
	began := time.Now()
	var writing sync.WaitGroup
	for i := range many {
		writing.Go(func() { errs[i] = write(i) })
	}
	writing.Wait()
	if err := errors.Join(errs...); err != nil {
		return failed("write records", err)
	}
	rate := float64(many) / time.Since(began).Seconds()
	middle := took[len(took)/2]
	if middle > slowWrite {
		return warning("servers with faster disks, or nearer to the stars", "a write takes %v in the middle: opening a stream takes several",
			middle.Round(100*time.Microsecond))
	}
	return good("a write takes %v in the middle, %v at worst of %d; %.0f a second on one shard when many wait at once",
		middle.Round(time.Microsecond), took[len(took)-1].Round(time.Microsecond), timedWrites, rate)
}
