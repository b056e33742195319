package embeddedmeta

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/novastream/nova/io/meta"
)

// metastore is one hierarchical space as one client reaches it.
type metastore struct {
	client *Client
	space  space
}

var _ meta.Metastore = metastore{}

// Within is the store itself: there is one shard.
func (m metastore) Within(string) meta.Metastore { return m }

// Fresh is the store itself: every read is linearizable.
func (m metastore) Fresh() meta.Metastore { return m }

func (m metastore) Get(ctx context.Context, key string) (meta.Record, error) {
	if err := m.space.checkKey(key); err != nil {
		return meta.Record{}, err
	}
	return m.client.store.get(ctx, m.space, key)
}

func (m metastore) Put(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error) {
	return m.client.put(ctx, m.space, key, value, expect, nil)
}

func (m metastore) PutIndexed(ctx context.Context, key string, value []byte, expect meta.Expect, indexes []meta.Index) (meta.Version, error) {
	return m.client.put(ctx, m.space, key, value, expect, indexes)
}

func (c *Client) put(ctx context.Context, sp space, key string, value []byte, expect meta.Expect, indexes []meta.Index) (meta.Version, error) {
	if err := sp.checkWrite(key, value, indexes); err != nil {
		return 0, err
	}
	value, indexes = slices.Clone(value), slices.Clone(indexes) // the caller may leave while the change is on its way
	return c.store.submit(ctx, func(e *edit) error { return e.put(sp, key, value, expect, indexes, nil) })
}

func (m metastore) PutEphemeral(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error) {
	if err := m.space.checkWrite(key, value, nil); err != nil {
		return 0, err
	}
	value = slices.Clone(value)
	return m.client.store.submit(ctx, func(e *edit) error {
		owner, err := e.committer.owner(m.client)
		if err != nil {
			return err
		}
		return e.put(m.space, key, value, expect, nil, owner)
	})
}

func (m metastore) Delete(ctx context.Context, key string, expect meta.Expect) error {
	return m.client.delete(ctx, m.space, key, expect)
}

func (c *Client) delete(ctx context.Context, sp space, key string, expect meta.Expect) error {
	if err := sp.checkKey(key); err != nil {
		return err
	}
	_, err := c.store.submit(ctx, func(e *edit) error { return e.delete(sp, key, expect) })
	return err
}

func (m metastore) FloorGet(ctx context.Context, prefix, probe string) (meta.Record, error) {
	if err := m.space.checkKey(prefix + "/" + probe); err != nil {
		return meta.Record{}, err
	}
	lower, _ := m.space.children(prefix)
	return m.client.store.floor(ctx, m.space, lower, follows(child(lower, probe)))
}

func (m metastore) Scan(ctx context.Context, prefix, behind string, limit int) ([]meta.Record, error) {
	if err := errors.Join(m.space.checkKey(prefix), checkLimit(limit)); err != nil {
		return nil, err
	}
	lower, upper := m.space.children(prefix)
	if behind != "" {
		lower = follows(child(lower, behind))
	}
	return m.client.store.scan(ctx, m.space, lower, upper, limit)
}

func (m metastore) DeleteChildren(ctx context.Context, prefix string) error {
	if err := m.space.checkKey(prefix); err != nil {
		return err
	}
	lower, upper := m.space.children(prefix)
	_, err := m.client.store.submit(ctx, func(e *edit) error { return e.deleteRows(m.space, lower, upper) })
	return err
}

func (m metastore) DeleteRange(ctx context.Context, prefix, from, to string) error {
	if err := m.space.checkKey(prefix); err != nil {
		return err
	}
	if from == "" || to == "" {
		return fmt.Errorf("%w: range %q to %q of %q has an empty bound", meta.ErrInvalid, from, to, prefix)
	}
	lower, _ := m.space.children(prefix)
	_, err := m.client.store.submit(ctx, func(e *edit) error {
		return e.deleteRows(m.space, child(lower, from), child(lower, to))
	})
	return err
}

func (m metastore) FloorIndex(ctx context.Context, index, prefix, probe string) (meta.IndexHit, error) {
	if err := checkIndex(index); err != nil {
		return meta.IndexHit{}, err
	}
	return m.client.store.floorIndex(ctx, m.space, index, prefix, probe)
}

func (m metastore) ScanIndex(ctx context.Context, index, prefix, behind string, limit int) ([]meta.IndexHit, error) {
	if err := errors.Join(checkIndex(index), checkLimit(limit)); err != nil {
		return nil, err
	}
	return m.client.store.scanIndex(ctx, m.space, index, prefix, behind, limit)
}

func (m metastore) GetByIndex(ctx context.Context, index, secondary string) (meta.Record, error) {
	if err := checkIndex(index); err != nil {
		return meta.Record{}, err
	}
	return m.client.store.byIndex(ctx, m.space, index, secondary)
}
