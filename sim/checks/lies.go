package checks

import (
	"fmt"
	"strings"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/history"
)

// mostPlaces is how many places of records are told.
const mostPlaces = 3

// Lies tells where the records at these seqs of a stream lie: in which slots, of which chain epochs of which stars, and under which
// epochs of the stream they were taken. A history does not know; who judges it adds this to what it says.
func (o *Observer) Lies(name string, first, next history.Seq) string {
	var places []string
	more := 0
	told := map[*slot]bool{}
	for _, w := range o.windowsOf(name) {
		if w.entry.First >= keys.Seq(next) || w.entry.End() <= keys.Seq(first) || told[w.slot] {
			continue
		}
		if told[w.slot] = true; len(places) == mostPlaces {
			more++
			continue
		}
		places = append(places, fmt.Sprintf("in slot %d of %s, under stream epoch %d", w.slot.number, w.epoch, w.entry.StreamEpoch))
	}
	switch {
	case len(places) == 0:
		places = append(places, "in no slot")
	case more > 0:
		places = append(places, fmt.Sprintf("in %d slots more", more))
	}
	verb := "are"
	if next == first+1 {
		verb = "is"
	}
	return fmt.Sprintf("%s %s %s", seqs(first, next), verb, strings.Join(places, ", and "))
}

// windowsOf are the windows of a stream of which nothing may be known.
func (o *Observer) windowsOf(name string) []windowAt {
	if s := o.streams[o.ids[name]]; s != nil {
		return s.windows
	}
	return nil
}
