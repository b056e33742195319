package chain

import (
	"bytes"
	"context"
	"time"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/io/blob"
)

// putTimeout bounds one try of a put; a try that is cut off is unknown, and the next one finds out.
const putTimeout = 15 * time.Second

// standing is what one store is known to hold in a slot position of the writer.
type standing uint8

const (
	unclear  standing = iota // not known: try again
	ours                     // a copy of our own flight
	poisoned                 // valid poison: the slot is lost to this store
	foreign                  // a valid flight that is not ours: lost, and loud
)

// standingOf judges an object that was there already. Client libraries retry by themselves and then meet their own first
// try, so our own bytes are a copy; and what cannot be read in full proves nothing about a rival.
func standingOf(key string, own, found []byte) standing {
	if bytes.Equal(own, found) {
		return ours
	}
	object, err := format.Decode(key, found)
	switch {
	case err != nil:
		return unclear
	case object.Kind == format.KindPoison:
		return poisoned
	default:
		return foreign
	}
}

// place puts an object into a store, again and again, until it is known what the store holds under its key. It gives up,
// unclear, when enough says so after a failed try, or ctx ends.
// tell hears of every try: what kept it from being answered, or nil.
func place(ctx context.Context, e env.Env, store Store, key string, object []byte, enough func() bool, tell func(error)) standing {
	result := unclear
	// The error is ctx's: given up.
	_ = backoff.Until(ctx, e.Run, backoff.Objects, func() bool {
		e.Run.Step(ctx, "append.put")
		outcome, err := putOnce(ctx, e, store, key, object)
		if ctx.Err() == nil { // a put that is given up says nothing about the store
			tell(err)
		}
		switch {
		case outcome == blob.Created, outcome == blob.Exists && e.Bugs.Has(planted.ExistsIsCopy), outcome == blob.Unknown && e.Bugs.Has(planted.UnknownIsCopy):
			result = ours
		case outcome == blob.Exists:
			result = inspect(ctx, e, store, key, object)
		} // else unknown: it may still land, and the next try tells
		return result != unclear || enough()
	})
	return result
}

func putOnce(ctx context.Context, e env.Env, store Store, key string, object []byte) (blob.Outcome, error) {
	try, cancel := e.Run.WithTimeout(ctx, putTimeout)
	defer cancel()
	return store.Blob.PutIfAbsent(try, key, object)
}

// inspect reads what is in the way of our own object.
func inspect(ctx context.Context, e env.Env, store Store, key string, own []byte) standing {
	if e.Bugs.Has(planted.NoOwnCopyCheck) {
		return foreign
	}
	try, cancel := e.Run.WithTimeout(ctx, putTimeout)
	defer cancel()
	found, err := store.Blob.Get(try, key, blob.All())
	if err != nil && e.Bugs.Has(planted.UnreadIsRival) {
		return foreign
	}
	if err != nil {
		return unclear // gone again, or not to be read now
	}
	result := unclear
	e.Run.Offload(ctx, func() { result = standingOf(key, own, found) })
	if e.Bugs.Has(planted.DamagedIsRival) && result == unclear {
		return foreign
	}
	return result
}
