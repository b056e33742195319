package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/novastream/nova/io/meta"
)

// index is what the probe calls its index.
const index = "nova-doctor"

// indexes finds records by secondary keys, and looks that these follow their records.
func (p *metaProbe) indexes(ctx context.Context) verdict {
	s := p.client.Spaces()
	for _, sp := range []tree{{Records, s.Records.Within(p.root).Fresh()}, {Work, s.Work.Within(p.root).Fresh()}} {
		if v := p.treeIndexes(ctx, sp.tree); v.result != Good {
			v.says = fmt.Sprintf("in the namespace of %s: %s", sp.name, v.says)
			return v
		}
	}
	if v := p.follow(ctx, s.Naming.Fresh()); v.result != Good {
		v.says = "in the namespace of naming: " + v.says
		return v
	}
	return good("records are found by their secondary keys, and those follow their records")
}

func (p *metaProbe) treeIndexes(ctx context.Context, m meta.Metastore) verdict {
	if v := p.follow(ctx, m); v.result != Good {
		return v
	}
	secondary := func(i int) string { return fmt.Sprintf("%s/%03d", p.root, i) }
	for i := range 5 {
		key := fmt.Sprintf("%s/index/%d", p.root, i)
		x := []meta.Index{{Name: index, Key: secondary(10 * i)}}
		if _, err := m.PutIndexed(ctx, key, nil, meta.Any(), x); err != nil { // the probe is the only writer
			return failed("write a record with an index", err)
		}
	}
	hit, err := m.FloorIndex(ctx, index, p.root+"/", secondary(25))
	if err != nil || hit.Secondary != secondary(20) {
		return bad(otherServers, "the greatest secondary key at or below .../025 is .../020, and the answer is %q (%v)", hit.Secondary, err)
	}
	hits, err := m.ScanIndex(ctx, index, p.root+"/", secondary(10), 10)
	if err != nil || len(hits) != 3 || hits[0].Secondary != secondary(20) {
		return bad(otherServers, "a scan of an index above .../010 gives %d records and not the 3 that are there (%v)", len(hits), err)
	}
	return good("")
}

// follow moves and removes a record's secondary key.
func (p *metaProbe) follow(ctx context.Context, at points) verdict {
	key, first, second := p.root+"/index/follow", p.root+"-1", p.root+"-2"
	for _, secondary := range []string{first, second} {
		x := []meta.Index{{Name: index, Key: secondary}}
		if _, err := at.PutIndexed(ctx, key, nil, meta.Any(), x); err != nil { // the probe is the only writer
			return failed("write a record with an index", err)
		}
		if rec, err := at.GetByIndex(ctx, index, secondary); err != nil || rec.Key != key {
			return bad(otherServers, "a record is not found by its secondary key: %q (%v)", rec.Key, err)
		}
	}
	if rec, err := at.GetByIndex(ctx, index, first); !errors.Is(err, meta.ErrNotFound) {
		return bad(otherServers, "a record is found by a secondary key that it does not have any more: %q (%v)", rec.Key, err)
	}
	if err := at.Delete(ctx, key, meta.Any()); err != nil { // as above
		return failed("delete a record", err)
	}
	if rec, err := at.GetByIndex(ctx, index, second); !errors.Is(err, meta.ErrNotFound) {
		return bad(otherServers, "a record that was deleted is found by its secondary key: %q (%v)", rec.Key, err)
	}
	return good("")
}

// deleteRanges takes parts of a folder away.
func (p *metaProbe) deleteRanges(ctx context.Context) verdict {
	s := p.client.Spaces()
	for _, sp := range []tree{{Records, s.Records.Within(p.root).Fresh()}, {Work, s.Work.Within(p.root).Fresh()}} {
		at := p.root + "/range"
		for _, name := range []string{"a", "b", "c", "d"} {
			if _, err := sp.tree.Put(ctx, at+"/"+name, nil, meta.Any()); err != nil { // the probe is the only writer
				return failed("write a record", err)
			}
		}
		for _, step := range []struct {
			what   string
			delete func() error
			left   []string
		}{
			{"b to d", func() error { return sp.tree.DeleteRange(ctx, at, "b", "d") }, []string{"a", "d"}},
			{"all", func() error { return sp.tree.DeleteChildren(ctx, at) }, nil},
		} {
			if err := step.delete(); err != nil {
				return failed("delete a range", err)
			}
			recs, err := sp.tree.Scan(ctx, at, "", 10)
			if got := names(recs, at+"/"); err != nil || !slices.Equal(got, step.left) {
				return bad(otherServers, "in the namespace of %s: after the delete of %s of a to d, %v is left (%v)", sp.name, step.what, got, err)
			}
		}
	}
	return good("ranges of a folder are deleted, and nothing beside them")
}

// sessions writes ephemeral rows, and ends their client in two ways.
func (p *metaProbe) sessions(ctx context.Context) verdict {
	watch := p.client.Spaces().Ephemeral.Within(p.root).Fresh()
	const try = "the clocks and the load of the servers; a session must end soon after its time-out, and never before"
	closed, err := p.hold(ctx, "closed")
	if err != nil {
		return failed("write an ephemeral row", err)
	}
	if _, err := watch.Get(ctx, p.root+"/session/closed"); err != nil {
		return bad(otherServers, "an ephemeral row cannot be read while its session lives: %v", err)
	}
	if err := closed.Close(ctx); err != nil {
		return failed("close a session", err)
	}
	if _, gone := p.goes(ctx, watch, "closed", p.subject.SessionTimeout); !gone {
		return bad(otherServers, "an ephemeral row outlives the end of its session")
	}
	died, err := p.hold(ctx, "died")
	if err != nil {
		return failed("write an ephemeral row", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_ = died.Close(ended) // it cannot reach the servers any more
	took, gone := p.goes(ctx, watch, "died", 3*p.subject.SessionTimeout)
	switch timeout := p.subject.SessionTimeout; {
	case !gone:
		return bad(try, "an ephemeral row is still there %v after its client died, with a session time-out of %v", took.Round(time.Second), timeout)
	case took < timeout/2:
		return bad(try, "an ephemeral row went %v after its client was heard of last, with a session time-out of %v", took, timeout)
	default:
		return good("an ephemeral row goes with its session: at once when that is closed, %v after its client died, with a time-out of %v",
			took.Round(100*time.Millisecond), timeout)
	}
}

// hold is a client that holds an ephemeral row.
func (p *metaProbe) hold(ctx context.Context, name string) (Client, error) {
	c, err := p.subject.Open(ctx)
	if err != nil {
		return nil, err
	}
	if _, err = c.Spaces().Ephemeral.Within(p.root).PutEphemeral(ctx, p.root+"/session/"+name, nil, meta.Absent()); err != nil {
		return nil, errors.Join(err, c.Close(ctx))
	}
	return c, nil
}

// look is how long to wait between two looks at a row that is to go.
const look = 50 * time.Millisecond

// goes waits for an ephemeral row to go, and says how long it took.
func (p *metaProbe) goes(ctx context.Context, watch meta.Metastore, name string, atMost time.Duration) (took time.Duration, gone bool) {
	began := time.Now()
	for tick := time.NewTicker(look); ; {
		_, err := watch.Get(ctx, p.root+"/session/"+name)
		took = time.Since(began)
		if errors.Is(err, meta.ErrNotFound) {
			return took, true
		}
		if took > atMost || ctx.Err() != nil {
			return took, false
		}
		<-tick.C
	}
}
