package checks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
)

// epochKey names a chain epoch.
type epochKey struct {
	star  keys.StarID
	epoch keys.Epoch
}

// epoch is what the observer knows of a chain epoch.
type epoch struct {
	epochKey
	names  *naming
	row    *records.ChainEpoch // as written last; nil before it was created
	slots  map[keys.Slot]*slot
	prefix keys.Slot // slots below it are durable, and all before them
	fencer string    // who touched the fenced row last, before it had its cut
}

// lifeEpoch is a chain epoch of one process life.
type lifeEpoch struct {
	process *sim.Process
	epoch   keys.Epoch
}

func (e *epoch) String() string {
	return fmt.Sprintf("chain epoch %d of %s", e.epoch, e.names.star(e.star))
}

func (o *Observer) epoch(k epochKey) *epoch {
	e := o.epochs[k]
	if e == nil {
		e = &epoch{epochKey: k, names: o.naming, slots: map[keys.Slot]*slot{}}
		o.epochs[k] = e
	}
	return e
}

// ordered are the epochs that a table knows, in order.
func ordered[V any](table map[epochKey]V) []epochKey {
	return slices.SortedFunc(maps.Keys(table), func(a, b epochKey) int {
		return cmp.Or(cmp.Compare(a.star, b.star), cmp.Compare(a.epoch, b.epoch))
	})
}

// minted is a head epoch that the counter of a star named once.
type minted struct {
	class records.Class
	boot  string
}

// endedByOwner says whether the process that minted the epoch is known to have ended it itself: it closed it, or minted a
// later one of the class.
func (o *Observer) endedByOwner(e *epoch) bool {
	if e.row.GetClosedByOwner() {
		return true
	}
	for _, k := range ordered(o.heads) {
		if m := o.heads[k]; k.star == e.star && k.epoch > e.epoch && m.class == e.row.GetClass() && m.boot == e.row.GetBoot() {
			return true
		}
	}
	return false
}

// counted looks at the mint counter of a star: it grows, and so does the head of each class.
func (o *Observer) counted(star keys.StarID, w simmeta.Write) {
	old, now, ok := decode[records.Chain](o, w)
	if !ok {
		return
	}
	o.looked("chain-counter")
	if now.GetCounter() <= old.GetCounter() && w.Old != nil {
		o.Add("chain-counter", "the mint counter of %s went from %d to %d, written by %s", o.star(star), old.GetCounter(), now.GetCounter(), o.who(w.By))
	}
	for _, head := range now.GetHeads() {
		k := epochKey{star, keys.Epoch(head.GetEpoch())}
		o.heads[k] = minted{head.GetClass(), head.GetBoot()}
	}
	for _, head := range old.GetHeads() {
		if now.Head(head.GetClass()).GetEpoch() < head.GetEpoch() {
			o.Add("chain-counter", "the head epoch of %s in %s went from %d to %d, written by %s",
				o.star(star), head.GetClass(), head.GetEpoch(), now.Head(head.GetClass()).GetEpoch(), o.who(w.By))
		}
	}
}

// epochRow looks at the row of a chain epoch.
func (o *Observer) epochRow(star keys.StarID, w simmeta.Write) {
	number, err := keys.ParseEpochRow(w.Key)
	if err != nil {
		o.Add("rows-decode", "the row %s, written by %s, is no chain epoch", w.Key, o.who(w.By))
		return
	}
	old, now, ok := decode[records.ChainEpoch](o, w)
	if !ok {
		return
	}
	e := o.epoch(epochKey{star, number})
	e.row = now
	o.tellEpoch(e, now, w.By)
	o.looked("epoch-row")
	if w.Old != nil {
		o.constants(e, old, now, w.By)
		o.cursors(e, old, now, w.By)
	}
	o.fenced(e, old, now, w.By)
	o.cut(e, old, now, w.By)
	o.covered(e, old, now, w.By)
	e.advance()
}

// constants stay as they were written first, and the state only goes forward.
func (o *Observer) constants(e *epoch, old, now *records.ChainEpoch, by string) {
	if now.GetState() < old.GetState() {
		o.Add("epoch-state", "%s went from %s back to %s, written by %s", e, old.GetState(), now.GetState(), o.who(by))
	}
	was, is := constantsOf(old), constantsOf(now)
	if !proto.Equal(was, is) {
		o.Add("epoch-constants", "the constants of %s went from {%v} to {%v}, written by %s", e, was, is, o.who(by))
	}
}

func constantsOf(row *records.ChainEpoch) *records.ChainEpoch {
	return &records.ChainEpoch{
		Class: row.GetClass(), Stores: row.GetStores(), Zones: row.GetZones(), Quorum: row.GetQuorum(), Window: row.GetWindow(), Boot: row.GetBoot(),
	}
}

// cursors never go back, and keep their order.
func (o *Observer) cursors(e *epoch, old, now *records.ChainEpoch, by string) {
	if now.GetCheckpoint() < old.GetCheckpoint() || now.GetRewritten() < old.GetRewritten() || now.GetTrimmed() < old.GetTrimmed() {
		o.Add("epoch-cursors", "the cursors of %s went back: checkpoint %d to %d, rewritten %d to %d, trimmed %d to %d, written by %s", e,
			old.GetCheckpoint(), now.GetCheckpoint(), old.GetRewritten(), now.GetRewritten(), old.GetTrimmed(), now.GetTrimmed(), o.who(by))
	}
	if now.GetTrimmed() > now.GetRewritten() || now.GetRewritten() > now.GetCheckpoint() || now.Cut != nil && now.GetCheckpoint() > now.GetCut() {
		o.Add("epoch-cursors", "the cursors of %s are out of order: trimmed %d, rewritten %d, checkpoint %d, cut %d, written by %s", e,
			now.GetTrimmed(), now.GetRewritten(), now.GetCheckpoint(), now.GetCut(), o.who(by))
	}
	if now.GetState() == records.ChainState_CHAIN_STATE_ACTIVE && now.Cut != nil {
		o.Add("epoch-state", "%s is active and has the cut %d, written by %s", e, now.GetCut(), o.who(by))
	}
}

// fenced follows who is fencing.
func (o *Observer) fenced(e *epoch, old, now *records.ChainEpoch, by string) {
	if now.GetTouches() == old.GetTouches() {
		return
	}
	if e.fencer != "" && e.fencer != by {
		o.saw(twoFencers)
	}
	e.fencer = by
}

// cut: an epoch never has two, and what was acknowledged lies below it.
func (o *Observer) cut(e *epoch, old, now *records.ChainEpoch, by string) {
	if old.Cut != nil && (now.Cut == nil || now.GetCut() != old.GetCut()) {
		o.Add("epoch-cut", "%s had the cut %d and was given another, %s, by %s", e, old.GetCut(), maybe(now.Cut), o.who(by))
	}
	if now.Cut == nil || old.Cut != nil {
		return
	}
	o.looked("epoch-cut")
	if now.GetCut() == 0 {
		o.saw(emptyEpoch)
	}
	for _, s := range e.inOrder() {
		if s.number >= keys.Slot(now.GetCut()) && s.flights() > 0 {
			o.saw(cutInTheMiddle)
		}
		if s.number >= keys.Slot(now.GetCut()) && s.acked != nil {
			o.Add("ack-below-cut", "%s was cut at slot %d by %s, and slot %d holds what was acknowledged: %s", e, now.GetCut(), o.who(by), s.number, s.acked)
			return
		}
	}
}

// covered: below the checkpoint every window is named by refs.
func (o *Observer) covered(e *epoch, old, now *records.ChainEpoch, by string) {
	from, to := keys.Slot(old.GetCheckpoint()), keys.Slot(now.GetCheckpoint())
	if now.GetState() == records.ChainState_CHAIN_STATE_SETTLED && (now.Cut == nil || now.GetCheckpoint() != now.GetCut()) {
		o.Add("epoch-state", "%s is settled with checkpoint %d and cut %s, written by %s", e, now.GetCheckpoint(), maybe(now.Cut), o.who(by))
	}
	if now.GetState() == records.ChainState_CHAIN_STATE_SETTLED && old.GetState() != now.GetState() {
		o.settled(e, old, by)
	}
	for at := from; at < to; at++ {
		o.looked("checkpoint-covered")
		s := e.slots[at]
		if s == nil || s.flights() == 0 {
			o.Add("checkpoint-covered", "%s moved the checkpoint of %s to %d, and slot %d holds no flight in any store", o.who(by), e, to, at)
			continue
		}
		for _, w := range s.entries {
			st := o.stream(w.Stream)
			if w.End() > st.tail() && !st.deleted {
				o.Add("checkpoint-covered", "%s moved the checkpoint of %s to %d, but refs of stream %s end at %d and slot %d holds %s",
					o.who(by), e, to, st, st.tail(), at, seqs(w.First, w.End()))
			}
		}
	}
}
