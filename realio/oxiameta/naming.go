package oxiameta

import (
	"context"
	"errors"

	"github.com/novastream/nova/io/meta"
)

// naming is a natural space.
type naming struct{ view }

var _ meta.Naming = naming{}

// Fresh is the view whose reads are linearizable.
func (n naming) Fresh() meta.Naming {
	n.fresh = true
	return n
}

// firstKey is below every key that callers may have, and above those of this client's own.
const firstKey = "\x01"

// List reads up to limit records whose key starts with prefix and lies above after, in bytewise order.
func (n naming) List(ctx context.Context, prefix, after string, limit int) ([]meta.Record, error) {
	if err := errors.Join(checkText(prefix, after), checkLimit(limit)); err != nil {
		return nil, err
	}
	start, end := max(prefix, firstKey), past(prefix)
	if after >= start {
		start = follows(after)
	}
	if end != "" && start >= end {
		return nil, nil
	}
	return n.scan(ctx, start, end, limit)
}
