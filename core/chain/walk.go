package chain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/fanout"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/io/blob"
)

const (
	// walkAhead is how many footers a walk fetches at once.
	walkAhead = 16
	// footerTimeout bounds one try to read a footer from one store; another may be quicker.
	footerTimeout = 2 * time.Second
)

// Walk calls visit with the windows of the slots [from, to) of an epoch, which lie below its cut, in slot order; it reads
// footers alone. It ends early when visit says that it has enough. A store whose copy of a slot is poison, damaged or
// absent is skipped: below the cut that is legal, and another has it. ErrUnavailable where none answers for a slot.
func Walk(ctx context.Context, e env.Env, stores *Stores, row Row, from, to keys.Slot, visit func(keys.Slot, []format.Entry) (more bool)) error {
	held, err := stores.Resolve(row.Value.GetStores())
	if err != nil {
		return fmt.Errorf("walk chain epoch %d of star %s: %w", row.Epoch, row.Star, err)
	}
	first := 0 // the store that answered last is asked first: another may be dark
	for from < to {
		n := int(min(to-from, walkAhead))
		footers := make([][]format.Entry, n)
		failed := make([]error, n)
		err := fanout.Each(ctx, e.Run, "chain.walk", n, n, func(ctx context.Context, i int) {
			footers[i], failed[i] = footer(ctx, e, held, &first, keys.SlotObject(row.Star, row.Epoch, from+keys.Slot(i)))
		})
		if err != nil {
			return err
		}
		for i := range n {
			if failed[i] != nil {
				return fmt.Errorf("walk chain epoch %d of star %s: %w", row.Epoch, row.Star, failed[i])
			}
			if !visit(from, footers[i]) {
				return nil
			}
			from++
		}
	}
	return nil
}

// footer reads the footer of a slot from a store that has it, and moves first to that one.
func footer(ctx context.Context, e env.Env, stores []Store, first *int, key string) (entries []format.Entry, err error) {
	err = backoff.Within(ctx, e.Run, backoff.Objects, patience, func() error {
		var causes []error
		begin := *first
		for i := range stores {
			at := (begin + i) % len(stores)
			store := stores[at]
			if entries, err = readFooter(ctx, e, store, key); err == nil {
				*first = at
				return nil
			}
			causes = append(causes, fmt.Errorf("store %s: %w", store.ID, err))
		}
		return &SlotError{key, fmt.Sprintf("none of %d stores gives its footer", len(stores)), errors.Join(causes...)}
	})
	return entries, err
}

func readFooter(ctx context.Context, e env.Env, store Store, key string) ([]format.Entry, error) {
	for suffix := int64(format.FooterHint); ; {
		try, cancel := e.Run.WithTimeout(ctx, footerTimeout)
		object, err := store.Blob.Get(try, key, blob.Suffix(suffix))
		cancel()
		if err != nil {
			return nil, err
		}
		entries, need, err := format.DecodeFooter(key, object, 0)
		switch {
		case err != nil:
			return nil, err
		case need == 0:
			return entries, nil
		case int64(len(object)) < suffix: // the whole object, and it is too short
			return nil, fmt.Errorf("%s holds %d bytes, its footer %d", key, len(object), need)
		}
		suffix = need
	}
}
