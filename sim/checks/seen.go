package checks

import (
	"strings"

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
	parts := strings.Split(prefix, "/")
	if len(parts) != 3 || parts[0] != "streams" || parts[2] != "refs" {
		return
	}
	row := &records.RefRow{}
	if err := records.Decode(r.Key, r.Value, row); err != nil {
		return // told when it was written
	}
	s := o.sightsOf(p)
	id := keys.StreamID(parts[1])
	s.ends[id] = max(s.ends[id], keys.Seq(row.GetEnd()))
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
