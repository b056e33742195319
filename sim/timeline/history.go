package timeline

import (
	"fmt"
	"slices"
	"time"

	"github.com/novastream/nova/history"
)

const (
	mostLanes = 60 // of clients; the others share one
	around    = mostItems / 2
)

// FromHistory makes the page of a history that was checked: the operations around the first violation, as many as a page has.
func FromHistory(run Run, source history.Source, result history.Result) (*Page, error) {
	b := newBuilder(run)
	b.add("violations", "violations")
	b.add("fleet", "fleet")
	wrong := map[history.Ref][]int{}
	for n, v := range result.Violations {
		for _, op := range v.Ops {
			wrong[op] = append(wrong[op], n)
		}
	}
	first, total, err := firstWrong(source, wrong)
	if err != nil {
		return nil, err
	}
	h := &recorded{builder: b, wrong: wrong, marks: make([]*item, len(result.Violations)), about: make([][]*item, len(result.Violations))}
	n := 0
	for e, err := range source.Events() {
		if err != nil {
			return nil, err
		}
		if in, ok := e.(history.Invoke); ok {
			ref := history.Ref{Client: in.Client, Op: in.Op, Kind: in.Kind}
			if n++; wrong[ref] != nil || n > first-around && n <= first+around {
				h.invoke(in, ref)
			} else {
				h.left++
			}
		}
		if done, ok := e.(history.Complete); ok {
			h.complete(done)
		}
		if f, ok := e.(history.Final); ok {
			b.end = max(b.end, time.Duration(f.At))
			b.put(b.lane["fleet"].row("marks", "read back"), item{
				at: time.Duration(f.At), kind: "note", label: "final " + f.Stream,
				text: fmt.Sprintf("%d records of stream %s, from seq %d on, read back at the end", len(f.Hashes), f.Stream, f.First),
			})
		}
	}
	if h.left > 0 {
		b.notice("%d of %d operations, the farthest from the first violation, are left out.", h.left, total)
	}
	h.violate(result)
	slices.SortStableFunc(b.lanes[2:], func(x, y *lane) int { return natural(x.Name, y.Name) })
	b.finish()
	h.bind()
	return b.page, nil
}

// firstWrong is the ordinal of the first operation that breaks a rule; the middle where there is none.
func firstWrong(source history.Source, wrong map[history.Ref][]int) (first, total int, err error) {
	for e, err := range source.Events() {
		if err != nil {
			return 0, 0, err
		}
		if in, ok := e.(history.Invoke); ok {
			total++
			if first == 0 && wrong[history.Ref{Client: in.Client, Op: in.Op, Kind: in.Kind}] != nil {
				first = total
			}
		}
	}
	if first == 0 {
		first = around
	}
	return first, total, nil
}

// recorded is a page of a history under way.
type recorded struct {
	*builder
	wrong map[history.Ref][]int
	open  map[history.Ref]*item
	lanes map[history.Client]*lane
	about [][]*item // by violation
	marks []*item
	left  int
}

// invoke begins the bar of an operation.
func (h *recorded) invoke(in history.Invoke, ref history.Ref) {
	at := time.Duration(in.At)
	h.end = max(h.end, at)
	l := h.laneOf(in.Client)
	i := h.put(l.free("operations", "operations", at, mostOps), item{
		at: at, kind: operationKind(in.Kind.String()), label: fmt.Sprintf("%s %d %s", in.Kind, in.Op, in.Stream), text: asked(in), lasting: true,
	})
	if h.open == nil {
		h.open = map[history.Ref]*item{}
	}
	h.open[ref] = i
	for _, n := range h.wrong[ref] {
		i.mark |= aboutViolation
		h.about[n] = append(h.about[n], i)
	}
}

// asked tells what an operation asks for.
func asked(in history.Invoke) string {
	text := fmt.Sprintf("%s\nclient: %d\nop: %d/%d\nstream: %s", in.Kind, in.Client, in.Client, in.Op, in.Stream)
	switch {
	case in.Kind == history.Append:
		text += fmt.Sprintf("\nrecords: %d", len(in.Hashes))
	case in.Kind == history.Read:
		text += fmt.Sprintf("\nfrom: %d\nlinearizable: %v", in.From, in.Linearizable)
	}
	if in.Match != nil {
		text += fmt.Sprintf("\nmatch: %d", *in.Match)
	}
	if in.Token != 0 {
		text += fmt.Sprintf("\ntoken: %d", in.Token)
	}
	return text
}

// complete ends it.
func (h *recorded) complete(c history.Complete) {
	h.end = max(h.end, time.Duration(c.At))
	ref := history.Ref{Client: c.Client, Op: c.Op, Kind: c.Kind}
	i := h.open[ref]
	if i == nil {
		return
	}
	delete(h.open, ref)
	i.row.end(i, time.Duration(c.At))
	i.text += "\noutcome: " + c.Outcome.String()
	switch {
	case c.Outcome == history.Failed:
		i.kind = "failed-op"
	case c.Outcome == history.Unknown:
		i.kind = "unknown-op"
	case c.Kind == history.Append || c.Kind == history.Read:
		i.text += fmt.Sprintf("\nfirst: %d\nnext: %d", c.First, c.Next)
		i.label += " " + runLabel(fmt.Sprintf("%d..%d", c.First, int64(c.Next)-1))
	default:
		i.text += fmt.Sprintf("\ntail: %d", c.Tail)
	}
	if c.Code != "" {
		i.text += "\ncode: " + c.Code
	}
	if c.Token != 0 {
		i.text += fmt.Sprintf("\ntoken: %d", c.Token)
	}
}

// laneOf is the lane of a client.
func (h *recorded) laneOf(c history.Client) *lane {
	if h.lanes == nil {
		h.lanes = map[history.Client]*lane{}
	}
	l := h.lanes[c]
	if l == nil {
		name := fmt.Sprintf("client %d", c)
		if len(h.lanes) >= mostLanes {
			name = "other clients"
		}
		if l = h.lane[name]; l == nil {
			l = h.add(name, "client")
		}
		h.lanes[c] = l
	}
	return l
}

// violate puts a mark for each violation where the last of its operations ended.
func (h *recorded) violate(result history.Result) {
	for n, v := range result.Violations {
		at := h.end
		if about := h.about[n]; len(about) > 0 {
			at = 0
			for _, i := range about {
				at = max(at, min(i.until, h.end))
			}
		}
		h.marks[n] = h.put(h.lane["violations"].row("marks", "violations"), item{
			at: at, kind: "violation", label: string(v.Rule), text: v.Text, mark: aboutViolation,
		})
	}
}

// bind ties the sentences to what they are about.
func (h *recorded) bind() {
	for n := range h.page.Violations {
		if n >= len(h.marks) {
			return
		}
		v := &h.page.Violations[n]
		v.At, v.Item = int64(h.marks[n].at), h.marks[n].place
		for _, i := range h.about[n] {
			v.About = append(v.About, i.place)
		}
	}
}
