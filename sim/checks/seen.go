package checks

import (
	"bytes"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/sim"
)

// sights is what one process life has read of the ends of refs. Two lives of one name may be there at once, and what a life
// wrote may land after its death.
type sights struct {
	process *sim.Process
	ends    map[keys.StreamID]keys.Seq
}

// floor is told what a process reads at the end of a stream's refs.
func (o *Observer) floor(p *sim.Process, prefix string, r meta.Record) {
	id, isRefs := keys.ParseRefsPrefix(prefix)
	if !isRefs {
		return
	}
	end, ok := o.endOf(r)
	if !ok {
		return // told when it was written
	}
	s := o.sightsOf(p)
	s.ends[id] = max(s.ends[id], end)
}

// rowEnd is the end of a ref row with these bytes.
type rowEnd struct {
	from []byte
	end  keys.Seq
}

// endOf is the end of a ref row. A row that is read again as it was is not decoded again.
func (o *Observer) endOf(r meta.Record) (end keys.Seq, ok bool) {
	known, ok := o.rowEnds[r.Key]
	if ok && bytes.Equal(known.from, r.Value) {
		return known.end, true
	}
	row := &records.RefRow{}
	if err := records.Decode(r.Key, r.Value, row); err != nil {
		return 0, false
	}
	known = rowEnd{r.Value, keys.Seq(row.GetEnd())}
	o.rowEnds[r.Key] = known
	return known.end, true
}

// settled: who says that an ended epoch is covered has seen it in reads of the last rows. That it created them proves
// nothing.
func (o *Observer) settled(e *epoch, old *records.ChainEpoch, by string) {
	for at := keys.Slot(old.GetCheckpoint()); at < keys.Slot(old.GetCut()); at++ {
		if e.slots[at] == nil {
			continue
		}
		for _, w := range e.slots[at].entries {
			st := o.stream(w.Stream)
			o.looked("coverage-seen")
			if !st.deleted && o.seenBy(by, w.Stream) < w.End() {
				o.Add("coverage-seen", "%s settled %s without having seen that refs of stream %s cover %s of its slot %d",
					o.who(by), e, st, seqs(w.First, w.End()), at)
				return
			}
		}
	}
}

// sightsOf are those of one process life.
func (o *Observer) sightsOf(p *sim.Process) *sights {
	for _, s := range o.sights[p.Name()] {
		if s.process == p {
			return s
		}
	}
	s := &sights{p, map[keys.StreamID]keys.Seq{}}
	o.sights[p.Name()] = append(o.sights[p.Name()], s)
	return s
}

// seenBy is the farthest end of a stream's refs that a process of a name has read in any of its lives.
func (o *Observer) seenBy(name string, id keys.StreamID) (end keys.Seq) {
	for _, s := range o.sights[name] {
		end = max(end, s.ends[id])
	}
	return end
}
