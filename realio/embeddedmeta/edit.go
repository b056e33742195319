package embeddedmeta

import (
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/novastream/nova/io/meta"
)

// edit is one commit in the making: what it reads is the state after the commit before it.
type edit struct {
	committer *committer
	batch     *pebble.Batch
	version   meta.Version // of this commit
	shows     meta.Version // newest durable version that it read: a refusal must not be answered before that is on disk
	synced    bool         // it touches durable rows
	removes   bool         // durable rows or index entries are absent after it
	bindings  []binding    // what happens to sessions' rows once it is applied
}

// binding is a row that comes to a session or leaves it.
type binding struct {
	session *session
	row     string
	bound   bool
}

// read reads a row as it is now.
func (e *edit) read(key []byte) (r row, found bool, err error) {
	value, closer, err := e.committer.store.db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return row{}, false, nil
	}
	if err != nil {
		return row{}, false, readError(err)
	}
	r, err = decodeRow(value)
	if err = errors.Join(err, closer.Close()); err != nil {
		return row{}, false, readError(err)
	}
	e.saw(r)
	return r, true, nil
}

func (e *edit) saw(r row) {
	if !r.ephemeral() {
		e.shows = max(e.shows, r.version)
	}
}

// put replaces a row. owner is the session it is bound to, or nil.
func (e *edit) put(sp space, key string, value []byte, expect meta.Expect, indexes []meta.Index, owner *session) error {
	at := sp.row(key)
	old, found, err := e.read(at)
	if err != nil {
		return err
	}
	if !expect.Holds(found, old.version) {
		return conflict(key, found, old.version, expect)
	}
	now := time.Now().UnixNano()
	r := row{version: e.version, created: now, modified: now, indexes: indexes, value: value}
	if found {
		r.created = old.created
		e.unlink(sp, at, old)
		e.removes = e.removes || !old.ephemeral() && (owner != nil || len(old.indexes) > 0)
	}
	if owner != nil {
		r.session = owner.id
		e.bind(owner, at)
	} else {
		e.synced = true
	}
	for _, index := range indexes {
		_ = e.batch.Set(sp.entry(index.Name, index.Key, at), nil, nil) // a batch in memory does not fail
	}
	_ = e.batch.Set(at, r.encode(), nil)
	return nil
}

// remove removes a row that was read.
func (e *edit) remove(sp space, at []byte, old row) {
	e.unlink(sp, at, old)
	e.removes = e.removes || !old.ephemeral()
	_ = e.batch.Delete(at, nil)
}

// unlink takes away what hangs on a row: index entries and the session binding.
func (e *edit) unlink(sp space, at []byte, old row) {
	for _, index := range old.indexes {
		_ = e.batch.Delete(sp.entry(index.Name, index.Key, at), nil)
	}
	if !old.ephemeral() {
		e.synced = true
		return
	}
	_ = e.batch.Delete(append([]byte{tableBindings}, at...), nil)
	if s := e.committer.sessions[old.session]; s != nil {
		e.bindings = append(e.bindings, binding{s, string(at), false})
	}
}

func (e *edit) bind(owner *session, at []byte) {
	_ = e.batch.Set(append([]byte{tableBindings}, at...), nil, nil)
	e.bindings = append(e.bindings, binding{owner, string(at), true})
}

// settle follows with the sessions' rows once the commit is applied.
func (e *edit) settle() {
	for _, b := range e.bindings {
		if b.bound {
			b.session.rows[b.row] = true
		} else {
			delete(b.session.rows, b.row)
		}
	}
}

// delete removes one row.
func (e *edit) delete(sp space, key string, expect meta.Expect) error {
	at := sp.row(key)
	old, found, err := e.read(at)
	if err != nil {
		return err
	}
	if !found && !expectsVersion(expect) {
		return fmt.Errorf("%w: %q", meta.ErrNotFound, key)
	}
	if !expect.Holds(found, old.version) {
		return conflict(key, found, old.version, expect)
	}
	e.remove(sp, at, old)
	return nil
}

func expectsVersion(expect meta.Expect) bool {
	_, concrete := expect.Version()
	return concrete
}

// deleteRows removes all rows of a range.
func (e *edit) deleteRows(sp space, lower, upper []byte) error {
	return e.committer.store.rows(lower, upper, func(at []byte, r row) bool {
		e.saw(r)
		e.remove(sp, at, r)
		return true
	})
}

func conflict(key string, found bool, at meta.Version, expect meta.Expect) error {
	want := "no record"
	if v, concrete := expect.Version(); concrete {
		want = fmt.Sprintf("version %d", v)
	}
	is := "there is no record"
	if found {
		is = fmt.Sprintf("it is at version %d", at)
	}
	return fmt.Errorf("%w: %q: want %s, %s", meta.ErrConflict, key, want, is)
}
