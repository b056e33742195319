package reads

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/core/refs"
	"github.com/novastream/nova/io/blob"
)

// Reader answers the reads of one star.
type Reader struct {
	env     env.Env
	leaders *leadership.Manager
	stores  *chain.Stores
	rows    *refs.Reader
	windows *windowCache
	epochs  map[epochKey]*epoch
	hot     uint64 // bytes read from tail windows since the start
}

type epochKey struct {
	star  keys.StarID
	epoch keys.Epoch
}

// epoch is a chain epoch that was read from.
type epoch struct {
	epochKey
	stores []chain.Store // a constant of its row; nil until it was read
}

const (
	maxEpochs   = 4096            // epochs remembered; beyond them the memory starts anew
	readTries   = 3               // of a copy that does not fit
	readTimeout = 5 * time.Second // of one try: another store may have a copy
)

// New makes the reader of a star.
func New(e env.Env, leaders *leadership.Manager, stores *chain.Stores) *Reader {
	return &Reader{
		env: e, leaders: leaders, stores: stores,
		rows: refs.NewReader(), windows: newWindowCache(cacheBytes), epochs: map[epochKey]*epoch{},
	}
}

// Hot is how many bytes were read from tail windows here since the start.
func (r *Reader) Hot() uint64 { return r.hot }

// LostError says that a record which must be there is not. It is loud: something broke a rule, or a store lost data.
type LostError struct {
	Stream keys.StreamID
	Seq    keys.Seq
	Reason string // empty: Err says it
	Err    error
}

func (e *LostError) Error() string {
	text := fmt.Sprintf("record %d of stream id %s cannot be read", e.Seq, e.Stream)
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *LostError) Unwrap() error { return e.Err }

// errGone says that no store of the set has a readable copy of the window.
var errGone = errors.New("no store has a readable copy of the window")

// window reads the window that a span entry names.
func (r *Reader) window(ctx context.Context, id keys.StreamID, span *records.SpanEntry) (window, error) {
	e := r.epoch(epochKey{keys.StarID(span.GetChain()), keys.Epoch(span.GetEpoch())})
	name := windowName{e, keys.Slot(span.GetSlot()), span.GetOffset()}
	if w, ok := r.windows.get(name); ok {
		return w, nil
	}
	stores, err := r.storesOf(ctx, e)
	if err != nil {
		return window{}, err
	}
	w := window{key: keys.SlotObject(e.star, e.epoch, name.slot)}
	w.raw, err = r.fromAny(ctx, stores, w.key, entryOf(id, span))
	if err == nil {
		r.windows.put(name, w)
	}
	return w, err
}

// fromAny reads the window from the first store that has an intact copy. A copy that does not fit is poison (legal below the
// cut, where the quorum lies elsewhere), or damaged.
func (r *Reader) fromAny(ctx context.Context, stores []chain.Store, key string, entry format.Entry) ([]byte, error) {
	var unreachable, unfit []error
	if r.env.Bugs.Has(planted.OneStoreRead) {
		stores = stores[:1]
	}
	for _, store := range stores {
		raw, misfit, err := r.copyIn(ctx, store, key, entry)
		switch {
		case err == nil && misfit == nil:
			return raw, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case misfit != nil:
			unfit = append(unfit, fmt.Errorf("store %s: %w", store.ID, misfit))
		case !errors.Is(err, blob.ErrNotFound) && !errors.Is(err, blob.ErrRange):
			unreachable = append(unreachable, fmt.Errorf("store %s: %w", store.ID, err))
		}
	}
	if len(unreachable) > 0 {
		return nil, inOneLine(append(unreachable, unfit...)) // another copy may be behind it
	}
	return nil, inOneLine(append(unfit, fmt.Errorf("slot object %s: %w", key, errGone)))
}

// inOneLine joins errors, of which there is one at least.
func inOneLine(errs []error) error {
	joined := errs[0]
	for _, err := range errs[1:] {
		joined = fmt.Errorf("%w; %w", joined, err)
	}
	return joined
}

// copyIn reads the window from one store. misfit says what is wrong with what is there; it may be the reading, so that it
// is read again before it counts.
func (r *Reader) copyIn(ctx context.Context, store chain.Store, key string, entry format.Entry) (raw []byte, misfit, err error) {
	for range readTries {
		try, cancel := r.env.Run.WithTimeout(ctx, readTimeout)
		stored, err := store.Blob.Get(try, key, blob.Span(int64(entry.Offset), int64(entry.Length)))
		cancel()
		if err != nil {
			return nil, nil, err
		}
		if raw, misfit = r.decode(ctx, key, entry, stored); misfit == nil {
			return raw, nil, nil
		}
	}
	return nil, misfit, nil
}

// maxPlainBytes is the size up to which a window that is not compressed is checked sooner than another task would have a turn.
const maxPlainBytes = 4 << 10

// decode checks and unpacks a window: a large one while other tasks go on.
func (r *Reader) decode(ctx context.Context, key string, entry format.Entry, stored []byte) (raw []byte, misfit error) {
	if entry.Codec == format.CodecNone && len(stored) <= maxPlainBytes {
		return format.DecodeWindow(key, entry, stored)
	}
	var decoded struct {
		raw    []byte
		misfit error
	}
	r.env.Run.Offload(ctx, func() { decoded.raw, decoded.misfit = format.DecodeWindow(key, entry, stored) })
	return decoded.raw, decoded.misfit
}

func (r *Reader) epoch(key epochKey) *epoch {
	e := r.epochs[key]
	if e == nil {
		if len(r.epochs) >= maxEpochs {
			clear(r.epochs)
		}
		e = &epoch{epochKey: key}
		r.epochs[key] = e
	}
	return e
}

func (r *Reader) storesOf(ctx context.Context, e *epoch) ([]chain.Store, error) {
	if e.stores == nil {
		row, found, err := chain.ReadEpoch(ctx, r.env.Meta.Records, e.star, e.epoch)
		if err == nil && !found { // a ref row names it: the read is stale, or the epoch was reaped since
			row, found, err = chain.ReadEpoch(ctx, r.env.Meta.Records.Fresh(), e.star, e.epoch)
		}
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, fmt.Errorf("chain epoch %d of star %s has no row: %w", e.epoch, e.star, errGone)
		}
		if e.stores, err = r.stores.Resolve(row.Value.GetStores()); err != nil {
			return nil, err
		}
	}
	return e.stores, nil
}

// entryOf is the footer entry that a span entry was made from.
func entryOf(id keys.StreamID, s *records.SpanEntry) format.Entry {
	return format.Entry{
		Stream: id, StreamEpoch: keys.StreamEpoch(s.GetStreamEpoch()), First: keys.Seq(s.GetFirst()), Count: s.GetCount(),
		Offset: s.GetOffset(), Length: s.GetLength(), FirstStamp: s.GetFirstUs(), LastStamp: s.GetLastUs(),
		Codec: format.Codec(s.GetCodec()), CRC: s.GetCrc(),
	}
}
