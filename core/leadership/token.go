package leadership

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
)

// takeToken gives the producer of an open its fencing token: 0 takes the next, a newer one than the stream's moves that up, the
// equal one is the same producer coming back.
//
// The row is written in any case, under the epoch of this leadership. So a star that was superseded cannot move the token any
// more once a producer was admitted elsewhere, and nor can an earlier write whose outcome was unknown. Until the outcome is
// known the older producer is held: nobody may learn of a newer token and then see an append of the older one acknowledged.
func (m *Manager) takeToken(ctx context.Context, l *Leadership, token uint64) (uint64, error) {
	row, expect, err := m.readToken(ctx, l.id)
	if err != nil {
		return 0, err
	}
	if keys.StreamEpoch(row.GetStreamEpoch()) > l.epoch && !m.env.Bugs.Has(planted.TokenByZombie) {
		m.abandon(l, "another star has admitted a producer")
		return 0, errAgain
	}
	current := row.GetToken()
	if token == 0 {
		token = current + 1
	}
	if token < current && !m.env.Bugs.Has(planted.TokenUnchecked) {
		return 0, &peer.Error{
			Code: peer.Fenced, What: streamWhat(l.name), Token: current,
			Reason: fmt.Sprintf("token %d is older than the current one, %d", token, current), Try: "open with a higher token to take over",
		}
	}
	if m.env.Bugs.Has(planted.TokenInMemory) && l.token > 0 {
		return max(token, l.token+1), nil
	}
	row.Raise(token, uint64(l.epoch))
	older := l.producer
	older.hold(true)
	m.env.Run.Step(ctx, "open.token")
	_, err = m.records(l.id).Put(ctx, keys.ProducerRow(l.id), records.Encode(row), expect)
	switch {
	case err == nil:
		return token, nil // the caller ends the older producer before it waits for anything
	case errors.Is(err, meta.ErrUnknown) && older != nil: // it may be fenced: its next open tells
		l.expel(older, retryable(streamWhat(l.name), "another producer opens it", 200*time.Millisecond, nil))
		return 0, errAgain
	case errors.Is(err, meta.ErrUnknown), errors.Is(err, meta.ErrConflict):
		err = errAgain // the next try reads what is there
	}
	older.hold(false)
	return 0, err
}

func (m *Manager) readToken(ctx context.Context, id keys.StreamID) (*records.Producer, meta.Expect, error) {
	key, row := keys.ProducerRow(id), &records.Producer{}
	rec, err := m.records(id).Fresh().Get(ctx, key)
	if errors.Is(err, meta.ErrNotFound) {
		return row, meta.Absent(), nil
	}
	if err != nil {
		return nil, meta.Expect{}, err
	}
	return row, meta.At(rec.Version), records.Decode(key, rec.Value, row)
}
