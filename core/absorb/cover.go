package absorb

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/core/refs"
	"github.com/novastream/nova/io/meta"
)

// HoleError says that a stream's windows do not fit its refs. Nothing of the stream is absorbed any more, so that a human
// can look before anything is lost.
type HoleError struct {
	Stream         keys.StreamID
	Reason, Window string
	Tail           keys.Seq
}

func (e *HoleError) Error() string {
	return fmt.Sprintf("stream %s is not absorbed any more: %s: window %s, refs tail %d", e.Stream, e.Reason, e.Window, e.Tail)
}

// HolesError says which streams keep a chain epoch from being settled. All other streams in it are covered.
type HolesError struct {
	Star  keys.StarID
	Epoch keys.Epoch
	Holes []*HoleError // by stream id
}

func (e *HolesError) Error() string {
	text := fmt.Sprintf("chain epoch %d of star %s cannot be settled:", e.Epoch, e.Star)
	for _, hole := range e.Holes {
		text += " " + hole.Error()
	}
	return text
}

// Concerns says whether the stream is one of them.
func (e *HolesError) Concerns(stream keys.StreamID) bool {
	return slices.ContainsFunc(e.Holes, func(hole *HoleError) bool { return hole.Stream == stream })
}

// cover commits rows for windows of one stream, which are in order, until a read made after that sees the last row end at
// or past them. It answers the end that it saw; of a deleted stream, whose windows are skipped, the end of the windows.
// what names the steps: absorb, flush or settle. Metastore calls are tried until ctx ends. *HoleError where the windows
// do not fit.
func cover(ctx context.Context, e env.Env, what string, stream keys.StreamID, windows []window) (keys.Seq, error) {
	c := &committer{env: e, what: what, stream: stream, windows: windows}
	tries := backoff.New(e.Run, backoff.Rows)
	for {
		at, err := c.round(ctx)
		if err == nil && at == waiting {
			err = tries.Wait(ctx)
		}
		if err != nil {
			return 0, fmt.Errorf("%s stream %s: %w", what, stream, err)
		}
		if at == done {
			return c.end, nil
		}
	}
}

// committer commits windows of one stream.
type committer struct {
	env     env.Env
	what    string
	stream  keys.StreamID
	windows []window

	living bool     // the writer row was read, and did not say deleted
	fresh  bool     // the next read is linearizable: a plain one did not explain what was met
	own    *created // the row made last, until it is known whether it was redundant
	end    keys.Seq // how far the stream is covered, once done
}

type created struct {
	first, end keys.Seq
	version    meta.Version
}

// progress is what a round came to.
type progress uint8

const (
	again   progress = iota // another round, now
	waiting                 // another round, after a wait: a call failed
	done                    // all windows were seen covered
)

// round reads the last row, decides and does the next thing.
func (c *committer) round(ctx context.Context) (progress, error) {
	if !c.living {
		if at, err := c.look(ctx); at != again || err != nil {
			return at, err
		}
	}
	last, found, err := refs.Last(ctx, c.view(), c.stream)
	if err != nil {
		return waiting, nil // tried again; ctx bounds it
	}
	if c.own != nil {
		if at := c.judgeOwn(ctx, last, found); c.own != nil {
			return at, nil
		}
	}
	d := decide(last, found, c.windows)
	switch {
	case d.broken != "" && !c.fresh && !c.env.Bugs.Has(planted.StaleHole): // judged on fresh reads only
		c.fresh, c.living = true, false
		return again, nil
	case d.broken != "":
		c.env.Run.Note("broken refs", "stream", c.stream, "what", c.what, "why", d.broken, "window", d.culprit, "tail", d.tail)
		return done, &HoleError{c.stream, d.broken, d.culprit.String(), d.tail}
	case d.take == 0:
		c.end = d.tail
		return done, nil
	default:
		return c.create(ctx, d), nil
	}
}

// look skips the windows of a stream whose writer row says that it is deleted. That row never goes back, so seeing it so
// in a stale read is enough.
func (c *committer) look(ctx context.Context) (progress, error) {
	key := keys.WriterRow(c.stream)
	rec, err := c.view().Within(keys.StreamLocality(c.stream)).Get(ctx, key)
	if err != nil && !errors.Is(err, meta.ErrNotFound) {
		return waiting, nil
	}
	writer := &records.Writer{}
	if err := records.Decode(key, rec.Value, writer); err != nil {
		return done, err
	}
	if writer.GetDeleted() {
		c.end = end(c.windows)
		return done, nil
	}
	c.living = true
	return again, nil
}

// create makes the row that was decided. Whatever comes of it, the next read tells what is covered.
func (c *committer) create(ctx context.Context, d decision) progress {
	taken := c.windows[d.skip : d.skip+d.take]
	row := rowOf(c.env.Star, taken)
	c.env.Run.Step(ctx, c.what+".row")
	version, err := refs.Create(ctx, c.env.Meta.Records, c.stream, d.tail, row)
	c.fresh = err != nil
	switch {
	case err == nil:
		c.own = &created{d.tail, end(taken), version}
		if c.env.Bugs.Has(planted.CreateIsCoverage) && d.skip+d.take == len(c.windows) {
			c.end = end(taken)
			return done
		}
		return again
	case errors.Is(err, meta.ErrConflict):
		return again // another committer was there
	default:
		return waiting
	}
}

// judgeOwn looks at the row made last in the light of a read of the last row, and lets go of it once its fate is known.
// One that turned out redundant is deleted, by the version that its create returned: if anybody touched it since, it stays
// theirs.
func (c *committer) judgeOwn(ctx context.Context, last refs.Row, found bool) progress {
	if (!found || last.First < c.own.first) && !c.fresh { // the read is older than the row
		c.fresh = true
		return again
	}
	if redundant(c.own.first, c.own.end, last) {
		c.env.Run.Step(ctx, c.what+".redundant")
		err := refs.Delete(ctx, c.env.Meta.Records, c.stream, c.own.first, c.own.version)
		if err != nil && !errors.Is(err, meta.ErrConflict) && !errors.Is(err, meta.ErrNotFound) {
			return waiting
		}
		c.env.Run.Note("redundant row deleted", "stream", c.stream, "what", c.what, "first", c.own.first, "end", c.own.end, "last", last.First)
	}
	c.own = nil
	return again
}

func (c *committer) view() meta.Metastore {
	if c.fresh {
		return c.env.Meta.Records.Fresh()
	}
	return c.env.Meta.Records
}
