package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/novastream/nova/io/blob"
)

const (
	conditionalTry = "another store: one that answers 412 to a put with If-None-Match: * over an existing object"
	creators       = 32 // at once
	races          = 4
	listed         = 25 // objects of the listing
	page           = 7
)

// conditionalPut finds out whether a create is refused where an object is.
func (p *storeProbe) conditionalPut(ctx context.Context) verdict {
	key := p.key("once")
	if err := p.create(ctx, key, []byte("first")); err != nil {
		return failed("create an object", err)
	}
	outcome, err := p.store.PutIfAbsent(ctx, key, []byte("second"))
	if err != nil {
		return failed("create an object that is there", err)
	}
	if outcome != blob.Exists {
		return bad(conditionalTry, "a second create of one object passes: stars would overwrite each other's records")
	}
	data, err := p.store.Get(ctx, key, blob.All())
	if err != nil {
		return failed("read the object", err)
	}
	if !bytes.Equal(data, []byte("first")) {
		return bad(conditionalTry, "a second create of one object is refused, and replaces the object all the same")
	}
	return good("an object is created once; a second create is refused and changes nothing")
}

// racingCreators lets many create one object at once.
func (p *storeProbe) racingCreators(ctx context.Context) verdict {
	for race := range races {
		key := p.key("race-%d", race)
		outcomes, errs := p.race(ctx, key)
		won, unknown := 0, 0
		winner := -1
		for i, o := range outcomes {
			switch {
			case o == blob.Created:
				won, winner = won+1, i
			case errs[i] != nil:
				unknown++
			}
		}
		data, err := p.store.Get(ctx, key, blob.All())
		switch {
		case err != nil:
			return failed("read what was raced for", errors.Join(append(errs, err)...))
		case won > 1:
			return bad(conditionalTry, "%d of %d racing creators of one object were told that they created it", won, creators)
		case won == 0 && unknown == 0:
			return bad(conditionalTry, "none of %d racing creators was told that it created the object, and it is there", creators)
		case won == 1 && string(data) != racer(winner):
			return bad(conditionalTry, "of %d racing creators one was told that it created the object, and the object is another's", creators)
		case unknown > creators/2:
			return warning("fewer requests at once, or a store that takes more", "%d of %d racing creators got no answer: %v",
				unknown, creators, errors.Join(errs...))
		}
	}
	return good("of %d creators at once exactly one wins, %d times in a row", creators, races)
}

func racer(i int) string { return fmt.Sprintf("creator %d", i) }

func (p *storeProbe) race(ctx context.Context, key string) (outcomes []blob.Outcome, errs []error) {
	outcomes, errs = make([]blob.Outcome, creators), make([]error, creators)
	start := make(chan struct{})
	var racing sync.WaitGroup
	for i := range creators {
		racing.Go(func() {
			<-start
			outcomes[i], errs[i] = p.store.PutIfAbsent(ctx, key, []byte(racer(i)))
		})
	}
	close(start)
	racing.Wait()
	return outcomes, errs
}

// ranges reads parts of an object.
func (p *storeProbe) ranges(ctx context.Context) verdict {
	const try = "a store that answers ranged reads, suffixes too, and nothing in between that rewrites them"
	data := make([]byte, 100_000)
	for i := range data {
		data[i] = byte(i * 31 >> 3)
	}
	key := p.key("ranges")
	if err := p.create(ctx, key, data); err != nil {
		return failed("create an object", err)
	}
	size := int64(len(data))
	for name, r := range map[string]blob.Range{
		"the whole": blob.All(), "the first byte": blob.Span(0, 1), "a part in the middle": blob.Span(50_000, 20_000),
		"a part that ends past the end": blob.Span(size-10, 100), "the last 64 bytes": blob.Suffix(64),
		"a suffix longer than the object": blob.Suffix(size + 100),
	} {
		got, err := p.store.Get(ctx, key, r)
		if err != nil {
			return bad(try, "reading %s of an object fails: %v", name, err)
		}
		offset, length, _ := r.Within(size) // all of them lie within
		if !bytes.Equal(got, data[offset:offset+length]) {
			return bad(try, "reading %s of an object gives %d bytes that are not those", name, len(got))
		}
	}
	if _, err := p.store.Get(ctx, key, blob.Span(size, 10)); !errors.Is(err, blob.ErrRange) {
		return bad(try, "reading past the end of an object is answered with: %v", err)
	}
	return good("parts and suffixes of an object are read as they were written")
}

// listing looks for objects right after they were created.
func (p *storeProbe) listing(ctx context.Context) verdict {
	const try = "a store that lists in the order of keys, and lists what was written a moment ago"
	var want []string
	for i := range listed { // in another order than they are listed in
		key := p.key("list/%02d", i*7%listed)
		want = append(want, key)
		if err := p.create(ctx, key, nil); err != nil {
			return failed("create an object", err)
		}
		if infos, err := p.store.List(ctx, key, "", 1); err != nil || len(infos) != 1 {
			return bad(try, "a listing does not show an object that was created before it began (%v)", err)
		}
	}
	slices.Sort(want)
	var got []string
	for after := ""; ; {
		infos, err := p.store.List(ctx, p.prefix+"list/", after, page)
		if err != nil {
			return failed("list objects", err)
		}
		for _, info := range infos {
			got = append(got, info.Key)
		}
		if len(infos) < page || len(got) > len(want) {
			break
		}
		after = got[len(got)-1]
	}
	if !slices.Equal(got, want) {
		return bad(try, "of %d objects a listing in pages shows %d, or not in the order of their keys", len(want), len(got))
	}
	return good("a listing shows what was created before it, in pages and in order")
}

// deletes takes an object away and creates it again.
func (p *storeProbe) deletes(ctx context.Context) verdict {
	const try = "a store whose deletes hold; of versioned buckets, one without a policy that keeps objects"
	key := p.key("delete")
	if err := p.create(ctx, key, []byte("x")); err != nil {
		return failed("create an object", err)
	}
	if err := p.store.Delete(ctx, key); err != nil {
		return failed("delete an object", err)
	}
	if _, err := p.store.Get(ctx, key, blob.All()); !errors.Is(err, blob.ErrNotFound) {
		return bad(try, "an object that was deleted is still there (%v)", err)
	}
	if infos, err := p.store.List(ctx, key, "", 1); err != nil || len(infos) != 0 {
		return bad(try, "an object that was deleted is still listed (%v)", err)
	}
	return good("what is deleted is gone, and listed no more")
}

const (
	skewWorthSaying = 2 * time.Second // stores stamp whole seconds
	skewRefused     = 15 * time.Minute
)

// clock compares the store's clock with this machine's.
func (p *storeProbe) clock(ctx context.Context) verdict {
	key := p.key("clock")
	before := time.Now()
	if err := p.create(ctx, key, nil); err != nil {
		return failed("create an object", err)
	}
	after := time.Now()
	info, err := p.store.Head(ctx, key)
	if err != nil {
		return failed("look at an object", err)
	}
	return judgeClock(before, after, info.Modified)
}

// judgeClock says how far another clock is from this machine's: it read stamp at some moment between before and after.
func judgeClock(before, after, stamp time.Time) verdict {
	const try = "clocks kept by NTP, there and on every machine of a star"
	skew := time.Duration(0)
	if stamp.Before(before) {
		skew = stamp.Sub(before)
	} else if stamp.After(after) {
		skew = stamp.Sub(after)
	}
	switch abs := skew.Abs(); {
	case abs <= skewWorthSaying:
		return good("its clock and this machine's agree, to %v", skewWorthSaying)
	case abs < skewRefused:
		return warning(try, "its clock and this machine's are %v apart: nothing of Nova breaks by that, and times will look odd", abs.Round(time.Second))
	default:
		return warning(try, "its clock and this machine's are %v apart: signed requests are refused from %v on", abs.Round(time.Second), skewRefused)
	}
}

const (
	timedPuts  = 20
	timedBytes = 64 << 10
	expressPut = 30 * time.Millisecond // what an append in the express class may wait for a zone, in the middle
)

// speed measures puts, one at a time.
func (p *storeProbe) speed(ctx context.Context) verdict {
	data := make([]byte, timedBytes)
	var took []time.Duration
	for i := range timedPuts {
		began := time.Now()
		if err := p.create(ctx, p.key("speed-%02d", i), data); err != nil {
			return failed("create an object", err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	middle, worst := took[len(took)/2], took[len(took)-1]
	says := fmt.Sprintf("a put of 64 KiB takes %v in the middle, %v at worst of %d",
		middle.Round(100*time.Microsecond), worst.Round(100*time.Microsecond), timedPuts)
	if middle > expressPut {
		v := warning("a store in the zone of the star, if it is to be one of the express class", "%s: too slow for the express class", says)
		v.against = true
		return v
	}
	return good("%s", says)
}
