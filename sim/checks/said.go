package checks

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/sim"
)

// saying is a note in words, and what it is about.
type saying struct {
	text string
	kv   []any
}

func (s saying) String() string { return s.text }

// said is a note of a process with the names of streams and stars for their ids, and with chain epochs and slots for the keys of
// objects. What it says of an epoch alone is of the star that says it.
func (o *Observer) said(p *sim.Process, kv []any) saying {
	of := o.stars[p]
	for i := 1; i < len(kv); i += 2 {
		if star, ok := kv[i].(keys.StarID); ok {
			of = star
		}
	}
	var s saying
	parts := make([]string, 0, len(kv)/2)
	for i := 0; i+1 < len(kv); i += 2 {
		value := kv[i+1]
		switch is := value.(type) {
		case keys.StreamID:
			value = o.stream(is)
			s.kv = append(s.kv, "stream", o.stream(is).String())
		case keys.StarID:
			value = o.star(is)
		case keys.Epoch:
			s.kv = append(s.kv, "epoch", epochKey{of, is}.path())
		case keys.Slot:
			s.kv = append(s.kv, "slot", is)
		case keys.Seq:
			s.kv = append(s.kv, "seqs", runOf(is, is+1))
		default:
			value = o.streamsIn(o.slotsIn(fmt.Sprint(value), &s))
		}
		parts = append(parts, fmt.Sprintf("%v %v", kv[i], value))
	}
	s.text = strings.Join(parts, ", ")
	return s
}

var slotKey = regexp.MustCompile(`chains/[\w-]+/\d+/\d+`)

// slotsIn puts words for the keys of slots in a text: slot 4 of chain epoch 3 of star-4 (star-6372248b44).
func (o *Observer) slotsIn(text string, s *saying) string {
	return slotKey.ReplaceAllStringFunc(text, func(key string) string {
		star, number, at, err := keys.ParseSlotObject(key)
		if err != nil {
			return key
		}
		e := o.epoch(epochKey{star, number})
		s.kv = append(s.kv, "epoch", e.path(), "slot", at)
		return fmt.Sprintf("%d of %s", at, e)
	})
}

var streamID = regexp.MustCompile(`\b[a-z2-7]{26}\b`)

// streamsIn puts the names of streams for their ids in a text.
func (o *Observer) streamsIn(text string) string {
	return streamID.ReplaceAllStringFunc(text, func(id string) string {
		if s := o.streams[keys.StreamID(id)]; s != nil {
			return s.String()
		}
		return id
	})
}
