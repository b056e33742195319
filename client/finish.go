package client

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/history/record"
	"github.com/novastream/nova/io/peer"
)

// Finish reads every stream back and ends the history. Nothing may be under way any more: what has no answer by then is recorded as
// an operation of which nobody knows the outcome. What Finish reads itself is not recorded, and once it has succeeded nothing is
// any more.
//
// A stream that cannot be read keeps no other from being read: streams share the time until the deadline of ctx, and the error
// names each that is not read back whole, which stays undecided. What was read is in the file even so, and nothing more is
// recorded of a stream that is whole. Another call goes on where the last one stopped; after one without an error it reads nothing.
// A stream that is not there counts as empty where no answer told of anything in it.
func (r *Recorder) Finish(ctx context.Context, star peer.Star) error {
	for past, ok := star.(recording); ok; past, ok = star.(recording) {
		star = past.unrecorded()
	}
	if err := r.Flush(); err != nil {
		return err // nothing of what would be read gets into the file
	}
	for {
		advanced, failed := r.readAll(ctx, star)
		if failed == nil {
			return r.end()
		}
		if !advanced || ctx.Err() != nil {
			return errors.Join(failed, r.Flush())
		}
	}
}

// end ends the history, if the file takes it.
func (r *Recorder) end() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.out.Flush()
	r.ended = err == nil
	return err
}

// recording is a star that writes down what it is asked, or may.
type recording interface{ unrecorded() peer.Star }

// readAll gives each stream that is not whole its share of the time that is left, and says whether any came further.
func (r *Recorder) readAll(ctx context.Context, star peer.Star) (advanced bool, failed error) {
	names := r.unread()
	for i, name := range names {
		before := r.reached(name)
		one, cancel := share(ctx, len(names)-i)
		if err := r.readBack(one, star, name); err != nil {
			failed = errors.Join(failed, fmt.Errorf("read back stream %s: %w", name, err))
		}
		cancel()
		advanced = advanced || r.reached(name) != before
	}
	return advanced, failed
}

// share is the first of some equal parts of the time that is left.
func share(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(deadline)/time.Duration(parts))
}

// unread are the streams that are not read back whole, in order.
func (r *Recorder) unread() []peer.StreamName {
	r.mu.Lock()
	defer r.mu.Unlock()
	names := slices.Collect(maps.Keys(r.streams))
	names = slices.DeleteFunc(names, func(n peer.StreamName) bool { return r.streams[n].whole })
	slices.SortFunc(names, func(a, b peer.StreamName) int { return strings.Compare(a.String(), b.String()) })
	return names
}

func (r *Recorder) reached(name peer.StreamName) progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.streams[name].progress
}

// readBack reads a stream from where the last call stopped to its end.
func (r *Recorder) readBack(ctx context.Context, star peer.Star, name peer.StreamName) error {
	for ctx.Err() == nil {
		from, events := r.point(name)
		reply, err := star.Fetch(ctx, peer.FetchRequest{Stream: name, From: from, Linearizable: true})
		switch {
		case (peer.Is(err, peer.NotFound) || peer.Is(err, peer.Invalid)) && r.nothing(name):
			reply = peer.FetchReply{AtTail: true}
		case err != nil:
			return err
		}
		if r.final(name, events, reply) {
			return nil
		}
	}
	return ctx.Err()
}

// point is where a stream is read next, and how many events of it are recorded by now.
func (r *Recorder) point(name peer.StreamName) (from, events uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.streams[name]
	return of.next, of.events
}

// nothing says whether no answer told of anything in a stream: every history of it is one of an empty stream.
func (r *Recorder) nothing(name peer.StreamName) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.streams[name]
	return of.next == 0 && !of.told
}

// finalHashes are at most in one line of the file, which a reader takes whole or, torn, not at all.
const finalHashes = 3 << 20

// final keeps the next part of a stream's contents, and writes them all once they are whole. They are not while the end that was
// read may lie before something that was recorded meanwhile, since there were so many events.
func (r *Recorder) final(name peer.StreamName, events uint64, reply peer.FetchReply) (whole bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.streams[name]
	of.hashes = append(of.hashes, record.HashesOf(reply.Records)...)
	of.next, of.whole = reply.Next, reply.AtTail && of.events == events
	if !of.whole {
		return false
	}
	for first := 0; first == 0 || first < len(of.hashes); first += finalHashes {
		part := of.hashes[first:min(first+finalHashes, len(of.hashes))]
		r.out.Final(history.Final{At: r.now(), Stream: name.String(), First: history.Seq(first), Hashes: part})
	}
	of.hashes = nil
	return true
}
