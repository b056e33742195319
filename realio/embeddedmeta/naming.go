package embeddedmeta

import (
	"context"

	"github.com/novastream/nova/io/meta"
)

// naming is the natural-sorted space as one client reaches it.
type naming struct {
	client *Client
	space  space
}

var _ meta.Naming = naming{}

// Fresh is the store itself: every read is linearizable.
func (n naming) Fresh() meta.Naming { return n }

func (n naming) Get(ctx context.Context, key string) (meta.Record, error) {
	if err := n.space.checkKey(key); err != nil {
		return meta.Record{}, err
	}
	return n.client.store.get(ctx, n.space, key)
}

func (n naming) Put(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error) {
	return n.client.put(ctx, n.space, key, value, expect, nil)
}

func (n naming) PutIndexed(ctx context.Context, key string, value []byte, expect meta.Expect, indexes []meta.Index) (meta.Version, error) {
	return n.client.put(ctx, n.space, key, value, expect, indexes)
}

func (n naming) Delete(ctx context.Context, key string, expect meta.Expect) error {
	return n.client.delete(ctx, n.space, key, expect)
}

func (n naming) List(ctx context.Context, prefix, behind string, limit int) ([]meta.Record, error) {
	if err := checkLimit(limit); err != nil {
		return nil, err
	}
	lower, upper := n.space.starting(prefix)
	lower = greater(lower, follows(n.space.row(behind)))
	return n.client.store.scan(ctx, n.space, lower, upper, limit)
}

func (n naming) GetByIndex(ctx context.Context, index, secondary string) (meta.Record, error) {
	if err := checkIndex(index); err != nil {
		return meta.Record{}, err
	}
	return n.client.store.byIndex(ctx, n.space, index, secondary)
}
