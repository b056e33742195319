package chain

import (
	"context"
	"errors"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
)

// mint makes a new chain epoch of this process: a number by CAS on the counter, then the epoch's row. A crash between the
// two leaves a head without a row, which whoever fences it creates as fenced. The error is ctx's.
func (w *Writer) mint(ctx context.Context) (keys.Epoch, error) {
	for {
		number, err := w.takeNumber(ctx)
		if err != nil {
			return 0, err
		}
		// A crash from here on leaves a head without a row.
		created, err := w.createRow(ctx, number)
		if err != nil {
			return 0, err
		}
		if created {
			w.env.Run.Note("chain epoch minted", "epoch", number, "class", w.set.Class.Word())
			return number, nil
		}
	}
}

// counter is the mint counter's row as read.
type counter struct {
	value  *records.Chain
	expect meta.Expect
}

// takeNumber moves the mint counter up and names the new head of the class. Whatever is not known to have happened is
// resolved by reading: the number is ours if the head names it with our boot id.
func (w *Writer) takeNumber(ctx context.Context) (number keys.Epoch, err error) {
	at, err := w.readCounter(ctx, w.env.Meta.Records)
	if err != nil {
		return 0, err
	}
	tries := backoff.New(w.env.Run, backoff.Rows)
	for {
		next := proto.Clone(at.value).(*records.Chain)
		number := keys.Epoch(next.Mint(w.set.Class, string(w.env.Boot)))
		w.env.Run.Step(ctx, "mint.counter")
		if w.env.Bugs.Has(planted.MintWithoutCAS) {
			at.expect = meta.Any()
		}
		_, err := w.rows(w.env.Meta.Records).Put(ctx, keys.ChainRow(w.env.Star), records.Encode(next), at.expect)
		if err == nil {
			return number, nil
		}
		if err := tries.Wait(ctx); err != nil {
			return 0, err
		}
		if at, err = w.readCounter(ctx, w.env.Meta.Records.Fresh()); err != nil {
			return 0, err
		}
		head := at.value.Head(w.set.Class)
		if keys.Epoch(head.GetEpoch()) == number && mine(w.env, w.env.Star, head.GetBoot()) {
			return number, nil
		}
	}
}

func (w *Writer) readCounter(ctx context.Context, m meta.Metastore) (at counter, err error) {
	key := keys.ChainRow(w.env.Star)
	err = backoff.Until(ctx, w.env.Run, backoff.Rows, func() bool {
		at = counter{value: &records.Chain{}, expect: meta.Absent()}
		rec, err := w.rows(m).Get(ctx, key)
		if err == nil {
			at.expect = meta.At(rec.Version)
			err = records.Decode(key, rec.Value, at.value)
		}
		return err == nil || errors.Is(err, meta.ErrNotFound)
	})
	return at, err
}

// createRow creates the row of a minted epoch. False where somebody fenced the epoch before it began.
func (w *Writer) createRow(ctx context.Context, number keys.Epoch) (created bool, err error) {
	row := Row{Star: w.env.Star, Epoch: number, Value: w.constants()}
	err = backoff.Until(ctx, w.env.Run, backoff.Rows, func() bool {
		w.env.Run.Step(ctx, "mint.row")
		if _, err := put(ctx, w.env.Meta.Records, row, meta.Absent()); err == nil {
			created = true
			return true
		}
		found, there, err := ReadEpoch(ctx, w.env.Meta.Records.Fresh(), w.env.Star, number)
		if err != nil || !there {
			return false // send the create again
		}
		created = found.Mine(w.env) && found.Active() && found.Value.GetClass() == w.set.Class
		return true
	})
	return created, err
}

// constants are what the row says of the epoch for ever, and its cursors at zero.
func (w *Writer) constants() *records.ChainEpoch {
	row := &records.ChainEpoch{
		State: records.ChainState_CHAIN_STATE_ACTIVE, Class: w.set.Class, Boot: string(w.env.Boot),
		Quorum: uint32(w.set.Quorum), Window: uint32(w.set.Window),
	}
	for _, store := range w.set.Stores {
		row.Stores = append(row.Stores, string(store.ID))
		row.Zones = append(row.Zones, store.Zone)
	}
	return row
}

func (w *Writer) rows(m meta.Metastore) meta.Metastore {
	return m.Within(keys.ChainLocality(w.env.Star))
}
