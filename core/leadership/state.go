package leadership

import (
	"context"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/refs"
	"github.com/novastream/nova/io/meta"
)

// maxCountedRows bounds what ReadState counts.
const maxCountedRows = 1000

// State is what the rows of a stream say, for a human: nothing in it is confirmed.
type State struct {
	Holder   keys.StarID // of the lease; empty where vacant
	Epoch    keys.StreamEpoch
	RefsTail keys.Seq
	Rows     int // ref rows, counted up to 1,000
}

// ReadState reads the rows of a stream.
func ReadState(ctx context.Context, spaces meta.Spaces, id keys.StreamID) (State, error) {
	locality := keys.StreamLocality(id)
	lease, err := readLease(ctx, spaces.Ephemeral.Within(locality), id)
	if err != nil {
		return State{}, err
	}
	w, err := readWriter(ctx, spaces.Records.Within(locality), id)
	if err != nil {
		return State{}, err
	}
	last, found, err := refs.Last(ctx, spaces.Records, id)
	if err != nil {
		return State{}, err
	}
	rows, err := spaces.Records.Within(locality).Scan(ctx, keys.RefsPrefix(id), "", maxCountedRows)
	return State{
		Holder: keys.StarID(lease.value.GetStar()), Epoch: keys.StreamEpoch(w.value.GetStreamEpoch()),
		RefsTail: refs.Tail(last, found), Rows: len(rows),
	}, err
}
