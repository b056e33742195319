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

// Finish reads every stream back and ends the history. Nothing may be under way any more, or be asked after it: what was sent
// and has no outcome yet would stand behind what is read back. What it reads itself is not recorded.
//
// A stream that cannot be read keeps no other from being read: streams share the time until the deadline of ctx, and the error
// names each that is not read back whole, which stays undecided. What was read is in the file even so. Another call goes on
// where the last one stopped; after one without an error it reads nothing.
func (r *Recorder) Finish(ctx context.Context, star peer.Star) error {
	for past, ok := star.(recording); ok; past, ok = star.(recording) {
		star = past.unrecorded()
	}
	if err := r.Flush(); err != nil {
		return err // nothing of what would be read gets into the file
	}
	for {
		advanced, failed := r.readAll(ctx, star)
		if failed == nil || !advanced || ctx.Err() != nil {
			return errors.Join(failed, r.Flush())
		}
	}
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

func (r *Recorder) reached(name peer.StreamName) contents {
	r.mu.Lock()
	defer r.mu.Unlock()
	return *r.streams[name]
}

// readBack reads a stream from where the last call stopped to its end.
func (r *Recorder) readBack(ctx context.Context, star peer.Star, name peer.StreamName) error {
	for ctx.Err() == nil {
		reply, err := star.Fetch(ctx, peer.FetchRequest{Stream: name, From: r.reached(name).next, Linearizable: true})
		if err != nil {
			return err
		}
		if r.final(name, reply); reply.AtTail {
			return nil
		}
	}
	return ctx.Err()
}

// final writes the next part of a stream's contents.
func (r *Recorder) final(name peer.StreamName, reply peer.FetchReply) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.streams[name]
	r.out.Final(history.Final{At: r.now(), Stream: name.String(), First: history.Seq(at.next), Hashes: record.HashesOf(reply.Records)})
	at.next, at.whole = reply.Next, reply.AtTail
}
