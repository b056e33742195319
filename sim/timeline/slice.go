package timeline

import (
	"cmp"
	"container/heap"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Slice is the part of a trace that led to a violation.
type Slice struct {
	Violation *Event
	Links     []Link // in the order of the trace
}

// Link is one event of a slice.
type Link struct {
	*Event
	Why     string // how it belongs to what it led to
	Causes  []int  // places in the slice of what led to it
	Subject bool   // it is what the violation is about
}

const (
	mostLinks = 120 // of a slice: more than a person reads
	farthest  = 13  // the cost at which causes are not looked for any more
)

// The costs of going back from an event to one that led to it. What is near is told first, and only so much is told.
const (
	costMessage = 1 // the call, the message, the wake-up
	costBefore  = 2 // the event before it in its task
	costRead    = 3 // the write that a call saw
	costFate    = 3 // what had happened to its process
	costPause   = 4 // more, where its task had been idle for long
)

const longPause = 5 * time.Second

// Explain finds what led to the first violation in a trace; nil where there is none.
func Explain(events []Event) *Slice {
	for i := range events {
		if events[i].What == "violation" {
			return newIndex(events).explain(i)
		}
	}
	return nil
}

// reached is an event that was come to.
type reached struct {
	at, cost int
	why      string
	subject  bool
}

// frontier is what was reached and not yet looked at, the nearest first.
type frontier []reached

func (f frontier) Len() int { return len(f) }
func (f frontier) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(f[i].cost, f[j].cost), cmp.Compare(f[j].at, f[i].at)) < 0
}
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(reached)) }
func (f *frontier) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

// explain walks back from a violation.
func (x *index) explain(violation int) *Slice {
	taken := map[int]reached{}
	open := &frontier{{at: violation, why: "the violation", subject: true}}
	for _, s := range x.subjects(violation) {
		heap.Push(open, s)
	}
	for open.Len() > 0 && len(taken) < mostLinks {
		r := heap.Pop(open).(reached)
		if _, done := taken[r.at]; done {
			continue
		}
		taken[r.at] = r
		for _, c := range x.causes(r.at) {
			c.cost += r.cost
			if _, done := taken[c.at]; !done && c.cost <= farthest {
				heap.Push(open, c)
			}
		}
	}
	return x.slice(violation, taken)
}

// slice puts what was taken into the order of the trace.
func (x *index) slice(violation int, taken map[int]reached) *Slice {
	s := &Slice{Violation: &x.events[violation]}
	places := map[int]int{}
	var order []int
	for at := range x.events { // by the trace, not by the map
		if _, ok := taken[at]; ok {
			places[at] = len(order)
			order = append(order, at)
		}
	}
	for _, at := range order {
		link := Link{Event: &x.events[at], Why: taken[at].why, Subject: taken[at].subject}
		for _, c := range x.causes(at) {
			if place, there := places[c.at]; there && !slices.Contains(link.Causes, place) {
				link.Causes = append(link.Causes, place)
			}
		}
		slices.Sort(link.Causes)
		s.Links = append(s.Links, link)
	}
	return s
}

// Write tells the slice to people: one event a line, numbered, with the numbers of the events that led to it.
func (s *Slice) Write(out io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "What led to it: %s\n\n", s.Violation.Get("sentence"))
	for i, l := range s.Links {
		mark := " "
		if l.Subject {
			mark = "*"
		}
		fmt.Fprintf(&text, "%s %3d  %s", mark, i+1, l.Event)
		if len(l.Causes) > 0 {
			text.WriteString("  <-")
			for _, c := range l.Causes {
				fmt.Fprintf(&text, " %d", c+1)
			}
		}
		text.WriteByte('\n')
	}
	text.WriteString("\n* is what the violation is about; <- names the events of this list that led to one.\n")
	_, err := io.WriteString(out, text.String())
	return err
}
