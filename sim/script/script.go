package script

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Act is one thing that chance made happen: a fault struck, a client did something.
type Act struct {
	At   time.Duration `json:"at"`             // since the start of the run
	Line string        `json:"act"`            // "fault crash", "hit blob.late zone-a", "client-3 produce"
	N    int           `json:"n"`              // counts the acts of a line from 1
	Sub  int           `json:"sub,omitempty"`  // counts what belongs to act N, from 1; 0: act N itself
	Pass int           `json:"pass,omitempty"` // counts what passed by at the place of a hit at this instant before it
	Arg  int64         `json:"arg,omitempty"`  // what a hit drew, as how late in nanoseconds
}

// The kinds of lines, by their prefix.
const (
	FaultPrefix = "fault " // and the kind of fault: it strikes at times of its own
	HitPrefix   = "hit "   // and the counter and the place: it strikes what passes by, at a rate
)

// IsFault says whether the act is one of a fault; the others are of clients.
func (a Act) IsFault() bool {
	return strings.HasPrefix(a.Line, FaultPrefix) || strings.HasPrefix(a.Line, HitPrefix)
}

// Actor is who acts: the client, or the whole line of a fault.
func (a Act) Actor() string {
	if a.IsFault() {
		return a.Line
	}
	actor, _, _ := strings.Cut(a.Line, " ")
	return actor
}

// String names the act for people.
func (a Act) String() string {
	text := fmt.Sprintf("%v %s #%d", a.At, a.Line, a.N)
	if a.Sub > 0 {
		text += fmt.Sprintf(".%d", a.Sub)
	}
	if a.Arg != 0 {
		text += fmt.Sprintf(" by %v", time.Duration(a.Arg))
	}
	return text
}

// Compare orders acts by time, then by name.
func (a Act) Compare(b Act) int {
	return cmp.Or(cmp.Compare(a.At, b.At), strings.Compare(a.Line, b.Line), cmp.Compare(a.N, b.N), cmp.Compare(a.Sub, b.Sub))
}

// Script says what of a run happens.
type Script struct {
	Acts    []Act  // in order of time
	Choices Ranges // of the scheduler that are left to chance; the others go first come first served
	Streams []int  // the streams that exist, by their index; nil: all
	Throw   uint64 // of the dice that no act owns, as how long each message takes; 0: the seed's own
}

// Actors are the names of who acts, sorted.
func (s *Script) Actors() []string {
	var names []string
	for _, a := range s.Acts {
		names = append(names, a.Actor())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Has says whether anybody of that name acts.
func (s *Script) Has(actor string) bool {
	return slices.ContainsFunc(s.Acts, func(a Act) bool { return a.Actor() == actor })
}

// Faults counts the acts of faults.
func (s *Script) Faults() (n int) {
	for _, a := range s.Acts {
		if a.IsFault() {
			n++
		}
	}
	return n
}

// HasStream says whether the stream of an index exists.
func (s *Script) HasStream(index int) bool {
	return s.Streams == nil || slices.Contains(s.Streams, index)
}
