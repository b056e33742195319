package reads

import (
	"context"
	"errors"
	"time"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/directory"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/refs"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
)

// vacantPoll is how often a reader who waits at the tail of a vacant stream looks for a leader.
const vacantPoll = time.Second

// Fetch reads a run of records: from the leader's tail window, from refs, or by redirecting to the leader.
func (r *Reader) Fetch(ctx context.Context, req peer.FetchRequest) (peer.FetchReply, error) {
	reply, err := r.fetch(ctx, req)
	return reply, refusal("stream "+req.Stream.String(), err)
}

func (r *Reader) fetch(ctx context.Context, req peer.FetchRequest) (peer.FetchReply, error) {
	deadline := r.env.Run.Elapsed() + req.Wait
	naming := r.env.Meta.Naming
	for tries := backoff.New(r.env.Run, backoff.Rows); ; {
		reply, err := r.fetchOnce(ctx, naming, req, deadline)
		switch {
		case leadership.MovedFirst(err):
			if err := tries.Wait(ctx); err != nil {
				return reply, err
			}
			naming = naming.Fresh()
		case err != nil || len(reply.Records) > 0:
			return reply, err
		case r.env.Run.Elapsed() >= deadline:
			return r.confirmed(ctx, req)
		}
	}
}

// fetchOnce answers records, or none after having waited for a while at the tail.
func (r *Reader) fetchOnce(ctx context.Context, naming meta.Naming, req peer.FetchRequest, deadline time.Duration) (peer.FetchReply, error) {
	if l, ok := r.leaders.Find(req.Stream); ok {
		return r.fromLeader(ctx, req, l, deadline)
	}
	d, err := directory.Resolve(ctx, naming, req.Stream)
	if err != nil {
		return peer.FetchReply{}, err
	}
	return r.fromRefs(ctx, req, d, deadline)
}

// fromLeader serves a stream that this star leads.
func (r *Reader) fromLeader(ctx context.Context, req peer.FetchRequest, l *leadership.Leadership, deadline time.Duration) (peer.FetchReply, error) {
	from := keys.Seq(req.From)
	if recent := l.Recent(from); recent != nil {
		p := newPage(req)
		for _, acked := range recent {
			if err := p.add("the tail window", acked.First, acked.Raw); err != nil || p.full() {
				r.hot += uint64(p.bytes)
				return p.reply(), err
			}
		}
		r.hot += uint64(p.bytes)
		return p.reply(), nil
	}
	if covered := l.Covered(); from < covered {
		return r.page(ctx, req, l.ID(), covered)
	}
	wait := deadline - r.env.Run.Elapsed()
	if wait <= 0 {
		return atTail(req), nil
	}
	waiting, cancel := r.env.Run.WithTimeout(ctx, wait)
	defer cancel()
	if l.WaitBeyond(waiting, from) != nil && ctx.Err() != nil {
		return peer.FetchReply{}, ctx.Err()
	}
	return atTail(req), nil // fetch looks again, or the wait is over
}

// confirmed is the empty answer at the tail: checked by the barrier where the request wants it.
func (r *Reader) confirmed(ctx context.Context, req peer.FetchRequest) (peer.FetchReply, error) {
	if !req.Linearizable || r.env.Bugs.Has(planted.ReadUnconfirmed) {
		return atTail(req), nil
	}
	tail, err := r.leaders.Tail(ctx, req.Stream)
	if err != nil {
		return peer.FetchReply{}, err
	}
	if tail.Next <= req.From {
		return atTail(req), nil
	}
	req.Linearizable, req.Wait = false, 0 // there is something: read it
	return r.fetch(ctx, req)
}

func atTail(req peer.FetchRequest) peer.FetchReply {
	return peer.FetchReply{Next: req.From, AtTail: true}
}

// fromRefs serves a stream that this star does not lead: what refs cover; beyond them the leader is asked, and for a vacant
// stream the last row read fresh is the end, once there is evidence that all acknowledged is covered.
func (r *Reader) fromRefs(ctx context.Context, req peer.FetchRequest, d directory.Descriptor, deadline time.Duration) (peer.FetchReply, error) {
	row, found, err := r.rows.Last(ctx, r.env.Meta.Records, d.ID)
	if err != nil {
		return peer.FetchReply{}, err
	}
	tail := refs.Tail(row, found)
	if keys.Seq(req.From) < tail {
		return r.page(ctx, req, d.ID, tail)
	}
	if err := r.leaders.Elsewhere(ctx, d); err != nil {
		return peer.FetchReply{}, err
	}
	last, err := r.leaders.VacantTail(ctx, d)
	if err != nil {
		return peer.FetchReply{}, err
	}
	if tail = refs.Tail(last, last.Value != nil); keys.Seq(req.From) < tail {
		return r.page(ctx, req, d.ID, tail)
	}
	if wait := min(deadline-r.env.Run.Elapsed(), vacantPoll); wait > 0 {
		err = r.env.Run.Sleep(ctx, wait)
	}
	return atTail(req), err
}

// page reads from refs, window after window, until the request is served or tail is reached.
func (r *Reader) page(ctx context.Context, req peer.FetchRequest, id keys.StreamID, tail keys.Seq) (peer.FetchReply, error) {
	p := newPage(req)
	for w := (spanned{}); keys.Seq(p.next) < tail && !p.full(); {
		var err error
		w, err = r.find(ctx, id, keys.Seq(p.next), w)
		if err != nil && len(p.records) > 0 {
			break // what was read is an answer; the next request meets the fault
		}
		if err != nil {
			r.lost(err)
			return peer.FetchReply{}, err
		}
		if r.env.Bugs.Has(planted.WindowSkipped) && len(p.records) > 0 && keys.Seq(p.next) < tail-1 {
			p.next = w.span.GetFirst() + uint64(w.span.GetCount()) - 1
		}
		if err := p.add(w.key, keys.Seq(w.span.GetFirst()), w.raw); err != nil {
			return peer.FetchReply{}, err
		}
	}
	return p.reply(), nil
}

// lost tells of a record that is lost, where err says so.
func (r *Reader) lost(err error) {
	var lost *LostError
	if errors.As(err, &lost) {
		r.env.Run.Note("record lost", "id", lost.Stream, "seq", lost.Seq, "why", lost)
	}
}

// refusal translates what a contract said into an answer for the caller.
func refusal(what string, err error) error {
	var lost *LostError
	var answered *peer.Error
	switch {
	case err == nil, errors.As(err, &answered):
		return err
	case errors.As(err, &lost):
		return &peer.Error{Code: peer.Internal, What: what, Reason: lost.Error(), Err: err, Try: "check the named object in every store of its class; one intact copy is enough"}
	default:
		return &peer.Error{Code: peer.Unavailable, What: what, Reason: "the metastore or a store cannot be reached: " + err.Error(), Err: err, Try: "try again; nova health shows what the star cannot reach"}
	}
}
