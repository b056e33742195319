package checks

import (
	"cmp"
	"slices"

	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/sim/simmeta"
)

// stream is what the observer knows of a stream.
type stream struct {
	id      keys.StreamID
	name    string // empty where its descriptor was not seen
	rows    []refRow
	windows []windowAt // in the order in which they reached a store first
	writer  *records.Writer
	deleted bool
	orphan  bool // a star told that it could not give the lease back: the next open heals that
	mark    reach
	taken   reach
	acks    []*ack // the farthest of each stream epoch
}

// refRow is a ref row that stands.
type refRow struct {
	first, end keys.Seq
}

// windowAt is a window and where it is.
type windowAt struct {
	epoch *epoch
	slot  *slot
	entry *format.Entry
}

// reach is how far refs reached when a stream epoch was marked as cleanly released, or began. Of each the highest is kept.
type reach struct {
	epoch keys.StreamEpoch
	end   keys.Seq
}

func (s *stream) String() string {
	if s.name == "" {
		return string(s.id)
	}
	return s.name
}

// tail is the end of the last row.
func (s *stream) tail() keys.Seq {
	if n := len(s.rows); n > 0 {
		return s.rows[n-1].end
	}
	return 0
}

func (o *Observer) stream(id keys.StreamID) *stream {
	s := o.streams[id]
	if s == nil {
		s = &stream{id: id}
		o.streams[id] = s
	}
	return s
}

// writerRow looks at a last-writer row: a new leadership bumps the stream epoch by one, and nothing else moves the row but a
// mark and the deletion.
func (o *Observer) writerRow(id keys.StreamID, w simmeta.Write) {
	old, now, ok := decode[records.Writer](o, w)
	if !ok {
		return
	}
	o.looked("stream-epoch")
	s := o.stream(id)
	o.tellWriter(s, now, w.By)
	s.writer, s.deleted = now, now.GetDeleted()
	bumped := now.GetStreamEpoch() == old.GetStreamEpoch()+1
	kept := now.GetStreamEpoch() == old.GetStreamEpoch() && now.GetStar() == old.GetStar() && now.GetChainEpoch() == old.GetChainEpoch()
	marked := now.GetCleanEpoch() != old.GetCleanEpoch() && now.GetCleanEpoch() == now.GetStreamEpoch()
	switch {
	case old.GetDeleted():
		o.Add("stream-epoch", "%s wrote the writer row of stream %s after it was deleted", o.who(w.By), s)
	case bumped && !now.GetDeleted():
		o.took(s, keys.StreamEpoch(now.GetStreamEpoch()), w.By)
	case kept && (marked || now.GetDeleted()):
		if marked {
			o.marked(s, keys.StreamEpoch(now.GetCleanEpoch()), s.tail(), w.By)
		}
	default:
		o.Add("stream-epoch", "%s wrote the writer row of stream %s with epoch %d, %s and chain epoch %d over epoch %d, %s and chain epoch %d: a new leadership must have the next epoch",
			o.who(w.By), s, now.GetStreamEpoch(), o.star(keys.StarID(now.GetStar())), now.GetChainEpoch(),
			old.GetStreamEpoch(), o.star(keys.StarID(old.GetStar())), old.GetChainEpoch())
	}
}

// tokenRow looks at a fencing token: it never falls, and nor does the epoch of the leadership that moved it.
func (o *Observer) tokenRow(id keys.StreamID, w simmeta.Write) {
	old, now, ok := decode[records.Producer](o, w)
	if !ok {
		return
	}
	o.looked("token")
	o.tellToken(o.stream(id), now, w.By)
	if now.GetToken() < old.GetToken() {
		o.Add("token", "%s took the fencing token of stream %s from %d back to %d", o.who(w.By), o.stream(id), old.GetToken(), now.GetToken())
	}
	if now.GetStreamEpoch() < old.GetStreamEpoch() {
		o.Add("token", "%s moved the fencing token of stream %s to %d in stream epoch %d, which epoch %d had superseded",
			o.who(w.By), o.stream(id), now.GetToken(), now.GetStreamEpoch(), old.GetStreamEpoch())
	}
}

// find is the place of the row with this first seq, or where it would be.
func (s *stream) find(first keys.Seq) (int, bool) {
	return slices.BinarySearchFunc(s.rows, first, func(r refRow, first keys.Seq) int { return cmp.Compare(r.first, first) })
}
