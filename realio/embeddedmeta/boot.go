package embeddedmeta

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/novastream/nova/io/meta"
)

// versionBits is how many of a version's bits count commits; those above count openings. At 100,000 commits a second one
// opening lasts five years.
const versionBits = 44

// boot counts this opening and ends what sessions of the openings before it left: no process of theirs lives, the lock is
// ours. It gives the version before the first one of this opening.
func boot(db *pebble.DB) (meta.Version, error) {
	count, err := boots(db)
	if err != nil {
		return 0, err
	}
	count++
	if count >= 1<<(63-versionBits) {
		return 0, fmt.Errorf("opened %d times, versions are used up", count)
	}
	batch := db.NewBatch()
	defer func() { _ = batch.Close() }()
	if err := batch.Set(bootKey, binary.BigEndian.AppendUint64(nil, count), nil); err != nil {
		return 0, err
	}
	if err := endLeftovers(db, batch); err != nil {
		return 0, fmt.Errorf("end the sessions of the last run: %w", err)
	}
	if err := batch.Commit(pebble.Sync); err != nil {
		return 0, err
	}
	if count == 1 {
		// The first log of a database was begun in pebble's oldest format, which cannot tell damage from the end of the
		// log. A flush begins the next one.
		if err := db.Flush(); err != nil {
			return 0, err
		}
	}
	return meta.Version(count << versionBits), nil
}

func boots(db *pebble.DB) (uint64, error) {
	value, closer, err := db.Get(bootKey)
	if errors.Is(err, pebble.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = closer.Close() }()
	if len(value) != 8 {
		return 0, fmt.Errorf("boot counter of %d bytes", len(value))
	}
	return binary.BigEndian.Uint64(value), nil
}

// endLeftovers removes ephemeral rows and their bindings. Ephemeral rows have no index entries.
func endLeftovers(db *pebble.DB, batch *pebble.Batch) (err error) {
	lower := []byte{tableBindings}
	iter, err := db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: after(lower)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, iter.Close()) }()
	for ok := iter.First(); ok; ok = iter.Next() {
		if err := errors.Join(batch.Delete(iter.Key(), nil), batch.Delete(iter.Key()[1:], nil)); err != nil {
			return err
		}
	}
	return iter.Error()
}
