package leadership

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
)

// raiseToken compares the token of an open with the stream's and moves it up where the open's is newer; 0 takes the next.
// It returns the token that the producer has. The equal token is the same producer coming back.
func (m *Manager) raiseToken(ctx context.Context, l *Leadership, token uint64) (uint64, error) {
	key := keys.ProducerRow(l.id)
	row, expect := &records.Producer{}, meta.Absent()
	rec, err := m.records(l.id).Fresh().Get(ctx, key)
	switch {
	case err == nil:
		if err := records.Decode(key, rec.Value, row); err != nil {
			return 0, err
		}
		expect = meta.At(rec.Version)
	case !errors.Is(err, meta.ErrNotFound):
		return 0, err
	}
	current := row.GetToken()
	if token == 0 {
		token = current + 1
	}
	if token < current {
		return 0, &peer.Error{
			Code: peer.Fenced, What: streamWhat(l.name), Token: current,
			Reason: fmt.Sprintf("token %d is older than the current one, %d", token, current), Try: "open with a higher token to take over",
		}
	}
	if token == current {
		return token, nil
	}
	row.Raise(token)
	_, err = m.records(l.id).Put(ctx, key, records.Encode(row), expect)
	if errors.Is(err, meta.ErrConflict) || errors.Is(err, meta.ErrUnknown) {
		return 0, errAgain // the next try reads what is there
	}
	return token, err
}
