package doctor

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/novastream/nova/io/meta"
)

// Splitter gives a namespace to split, and splits it.
type Splitter interface {
	// Open is a client whose records, work and ephemeral rows are all in a scratch namespace that has one shard.
	Open(ctx context.Context) (Client, error)
	// Split splits that shard in the middle, and returns when its halves serve.
	Split(ctx context.Context) error
}

const (
	splitCheck  = 3 * time.Minute
	splitChains = 24              // records that are changed all the while
	splitBefore = 2 * time.Second // of changes
	splitAfter  = 2 * time.Second
	splitRows   = 20 // with one locality, that must stay bound to their session and found by their index
)

const splitTry = "never split a shard of these servers, by hand or by themselves (autoSplit); give a namespace enough shards when it is made"

// split changes records one after the other, each by compare-and-set at the version before, while their shard splits.
func (p *metaProbe) split(ctx context.Context) verdict {
	if p.subject.Split == nil {
		return verdict{
			result: Skipped, against: true, says: "not probed; until it is, take it that a split loses acknowledged changes",
			try: "--split-probe with --oxia-admin, on a scratch namespace",
		}
	}
	client, err := p.subject.Split.Open(ctx)
	if err != nil {
		return failed("open the scratch namespace", err)
	}
	defer client.Close(context.WithoutCancel(ctx)) //nolint:errcheck // the namespace goes with what is in it
	bound, err := p.bind(ctx)
	if err != nil {
		return failed("write rows with a locality", err)
	}
	defer bound.Close(context.WithoutCancel(ctx)) //nolint:errcheck // it may be closed already
	chains := make([]chain, splitChains)
	changing, stop := context.WithCancel(ctx)
	defer stop()
	var running sync.WaitGroup
	for i := range chains {
		chains[i] = chain{m: client.Spaces().Records, key: fmt.Sprintf("%s/split/%02d", p.root, i), seen: map[meta.Version]bool{}}
		running.Go(func() { chains[i].run(changing) })
	}
	pass(ctx, splitBefore)
	began := time.Now()
	err = p.subject.Split.Split(ctx)
	took := time.Since(began)
	pass(ctx, splitAfter)
	stop()
	running.Wait()
	if err != nil {
		return failed("split a shard", err)
	}
	for i := range chains {
		chains[i].check(ctx)
	}
	return p.judgeSplit(ctx, chains, client, bound, took)
}

// pass lets some time pass.
func pass(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// judgeSplit says what a split has done, the worst first.
func (p *metaProbe) judgeSplit(ctx context.Context, chains []chain, client, bound Client, took time.Duration) verdict {
	acknowledged, lost, hurt, deepest, repeated := 0, 0, 0, 0, 0
	for i := range chains {
		c := &chains[i]
		if c.err != nil {
			return failed("change records over a split", c.err)
		}
		acknowledged, lost = acknowledged+c.acknowledged, lost+c.lost
		deepest = max(deepest, c.deepest)
		if repeated += c.repeated; c.lost > 0 {
			hurt++
		}
	}
	switch {
	case lost > 0:
		return bad(splitTry, "a split lost %d of %d acknowledged changes: %d of %d records fell back, by up to %d changes; %d versions were given twice",
			lost, acknowledged, hurt, len(chains), deepest, repeated)
	case repeated > 0:
		return bad(splitTry, "after a split %d versions of records were given a second time", repeated)
	}
	found, left, err := p.boundRows(ctx, client, bound)
	switch {
	case err != nil:
		return failed("look at rows with a locality after a split", err)
	case found != splitRows:
		return bad(splitTry, "after a split %d of %d records with a locality are found by their index", found, splitRows)
	case left > 0:
		return bad(splitTry, "after a split %d of %d ephemeral rows with a locality outlive their session", left, splitRows)
	}
	return good("a split of %v under %d changes of %d records lost none", took.Round(time.Millisecond), acknowledged, len(chains))
}

// bind is a client with rows of one locality: records with an index, and ephemeral ones.
func (p *metaProbe) bind(ctx context.Context) (Client, error) {
	c, err := p.subject.Split.Open(ctx)
	if err != nil {
		return nil, err
	}
	s := c.Spaces()
	for i := range splitRows {
		name := fmt.Sprintf("%02d", i)
		x := []meta.Index{{Name: index, Key: p.root + "/" + name}}
		_, plain := s.Records.Within(p.root).PutIndexed(ctx, p.root+"/bound/"+name, nil, meta.Absent(), x)
		_, ephemeral := s.Ephemeral.Within(p.root).PutEphemeral(ctx, p.root+"/held/"+name, nil, meta.Absent())
		if err := errors.Join(plain, ephemeral); err != nil {
			return nil, errors.Join(err, c.Close(ctx))
		}
	}
	return c, nil
}

// boundRows counts the records that their index still finds, and the ephemeral rows that are left when their client closed.
func (p *metaProbe) boundRows(ctx context.Context, client, bound Client) (found, left int, err error) {
	s := client.Spaces()
	hits, err := s.Records.Within(p.root).Fresh().ScanIndex(ctx, index, p.root+"/", "", 2*splitRows)
	if err != nil {
		return 0, 0, err
	}
	if err := bound.Close(ctx); err != nil {
		return 0, 0, err
	}
	for began := time.Now(); time.Since(began) < p.subject.SessionTimeout && ctx.Err() == nil; pass(ctx, look) {
		rows, err := s.Ephemeral.Within(p.root).Fresh().Scan(ctx, p.root+"/held", "", 2*splitRows)
		if err != nil {
			return 0, 0, err
		}
		if left = len(rows); left == 0 {
			break
		}
	}
	return len(hits), left, nil
}

// chain is one record that is changed again and again; nobody else changes it.
type chain struct {
	m   meta.Metastore
	key string

	number       int // the last that was acknowledged
	version      meta.Version
	seen         map[meta.Version]bool
	acknowledged int
	lost         int // changes that were acknowledged and are not there any more
	deepest      int // the most of them at once
	repeated     int // versions that came a second time
	err          error
}

// run changes the record until the context ends.
func (c *chain) run(ctx context.Context) {
	for ctx.Err() == nil && c.err == nil {
		expect := meta.At(c.version)
		if c.number == 0 {
			expect = meta.Absent()
		}
		// A change that is on its way when the time is over is waited for.
		v, err := c.m.Put(context.WithoutCancel(ctx), c.key, strconv.AppendInt(nil, int64(c.number+1), 10), expect)
		switch {
		case err == nil:
			c.acknowledge(v)
		case errors.Is(err, meta.ErrUnavailable):
			pass(ctx, look)
		case errors.Is(err, meta.ErrConflict), errors.Is(err, meta.ErrUnknown):
			c.check(context.WithoutCancel(ctx))
		default:
			c.err = err
		}
	}
}

func (c *chain) acknowledge(v meta.Version) {
	c.number, c.version = c.number+1, v
	c.acknowledged++
	if c.seen[v] {
		c.repeated++
	}
	c.seen[v] = true
}

// check reads the record, and goes on from what is there. It may be one ahead, by a change that got no answer.
func (c *chain) check(ctx context.Context) {
	rec, err := c.m.Fresh().Get(ctx, c.key)
	number := 0
	switch {
	case errors.Is(err, meta.ErrNotFound):
	case err != nil:
		c.err = err
		return
	default:
		if number, err = strconv.Atoi(string(rec.Value)); err != nil {
			c.err = fmt.Errorf("record %s holds %.20q", c.key, rec.Value)
			return
		}
	}
	if behind := c.number - number; behind > 0 {
		c.lost += behind
		c.deepest = max(c.deepest, behind)
	}
	c.number, c.version = number, rec.Version
}
