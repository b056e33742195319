package timeline

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Run is what is known of a run besides its trace.
type Run struct {
	Title      string
	Verdict    string
	Facts      []Fact
	Undecided  []string
	Violations []Violation // check, sentence and detail
	Porcupine  []byte      // porcupine's own page; empty: none
	Of         string      // the stream that it is of
}

// FromTrace makes the page of a run.
func FromTrace(run Run, c *Collector) *Page {
	b := newBuilder(run)
	if c.left > 0 {
		b.notice("The first %d events of the trace were not kept.", c.left)
	}
	if c.unkept > 0 {
		b.notice("The last %d events of the trace were not kept.", c.unkept)
	}
	b.events = c.events
	b.slice = Explain(c.events)
	b.places()
	for i := range b.events {
		b.take(&b.events[i])
	}
	b.finish()
	return b.page
}

// builder makes a page.
type builder struct {
	page    *Page
	events  []Event
	slice   *Slice
	end     time.Duration
	lanes   []*lane
	lane    map[string]*lane
	leads   map[string]*item   // that last, by star, stream and epoch
	leading map[string][]*item // leaderships that last, by stream
	ops     map[string]*item   // under way, by operation
	open    map[string]*band   // that last, by place and what is wrong
	epochs  map[string]*epoch
	order   []*epoch // as they came
	stars   map[string]string
	led     map[uint64]bool          // events of the slice
	about   map[uint64]bool          // events that violations are about
	of      map[uint64][]uint64      // those of each violation
	moments map[uint64]time.Duration // when what a violation tells of had happened
	items   map[uint64]*item         // that show an event
	texts   map[string]int
	kinds   map[string]int
}

// lane is a lane under way.
type lane struct {
	Lane
	place int
	rows  []*row
	bands []*band
	byKey map[string]*row
	lives []*item
}

// row is a row under way.
type row struct {
	Row
	order int // among the rows of its lane
	items []*item
	until time.Duration // of its last bar
}

// item is an item under way.
type item struct {
	at, until time.Duration
	kind      string
	label     string
	text      string
	event     uint64
	mark      int
	place     int // once placed
	lasting   bool
	gone      bool // left out
	row       *row
	by        *event // that made it
}

type event = Event

type band struct {
	Band
	until time.Duration
}

func newBuilder(run Run) *builder {
	return &builder{
		page: &Page{
			Title: run.Title, Verdict: run.Verdict, Facts: run.Facts, Notices: append([]string{}, run.Undecided...), Violations: run.Violations,
			Porcupine: string(run.Porcupine), Of: run.Of,
		},
		lane: map[string]*lane{}, leads: map[string]*item{}, leading: map[string][]*item{}, ops: map[string]*item{}, open: map[string]*band{}, epochs: map[string]*epoch{},
		stars: map[string]string{}, led: map[uint64]bool{}, about: map[uint64]bool{}, of: map[uint64][]uint64{}, moments: map[uint64]time.Duration{}, items: map[uint64]*item{}, texts: map[string]int{}, kinds: map[string]int{},
	}
}

// places finds out who is what, and makes the lanes.
func (b *builder) places() {
	kinds := map[string]string{}
	for i := range b.events {
		e := &b.events[i]
		b.end = max(b.end, e.At)
		switch {
		case e.What == "star serves":
			kinds[e.Where] = "star"
			if id := e.Get("star"); b.stars[id] == "" {
				b.stars[id] = e.Where
			}
		case e.What == "disk.save", e.What == "boot failed":
			kinds[e.Where] = "star"
		case e.What == "blob.write":
			kinds[e.Where] = "store"
		case e.What == "start" && e.Where != "driver" && kinds[e.Where] == "":
			kinds[e.Where] = "client"
		}
	}
	b.add("violations", "violations")
	b.add("fleet", "fleet")
	for _, kind := range []string{"star", "client", "store"} {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(kinds)) {
			if kinds[name] == kind {
				names = append(names, name)
			}
		}
		slices.SortFunc(names, natural)
		if kind == "store" {
			b.add("meta", "meta")
		}
		for _, name := range names {
			b.add(name, kind)
		}
	}
	if b.slice == nil {
		return
	}
	for _, l := range b.slice.Links {
		b.led[l.Cause.Event] = true
	}
	x := newIndex(b.events)
	for i := range b.events {
		if b.events[i].What == "violation" {
			b.moments[b.events[i].Cause.Event] = b.events[x.moment(i)].At
			for _, s := range x.subjects(i) {
				subject := b.events[s.at].Cause.Event
				b.about[subject] = true
				b.of[b.events[i].Cause.Event] = append(b.of[b.events[i].Cause.Event], subject)
			}
		}
	}
}

// natural orders names by their text, and numbers at their ends as numbers.
func natural(a, b string) int {
	cut := func(s string) (string, string) {
		head := strings.TrimRight(s, "0123456789")
		return head, s[len(head):]
	}
	ha, na := cut(a)
	hb, nb := cut(b)
	return cmp.Or(cmp.Compare(ha, hb), cmp.Compare(len(na), len(nb)), cmp.Compare(na, nb))
}

func (b *builder) add(name, kind string) *lane {
	l := &lane{Lane: Lane{Name: name, Kind: kind}, byKey: map[string]*row{}}
	b.lanes = append(b.lanes, l)
	b.lane[name] = l
	return l
}

// at is the lane of a place; what happens nowhere happens to the fleet.
func (b *builder) at(place string) *lane {
	if l := b.lane[place]; l != nil {
		return l
	}
	return b.lane["fleet"]
}

// rowOrder is the order of the rows of a lane, by their kinds.
var rowOrder = []string{"life", "faults", "epochs", "slots", "leads", "operations", "marks", "calls"}

// row is a row of the lane, made when it is asked for first.
func (l *lane) row(kind, name string) *row {
	key := kind + " " + name
	r := l.byKey[key]
	if r == nil {
		r = &row{Row: Row{name, kind}, order: slices.Index(rowOrder, kind)*1000 + len(l.rows)}
		l.byKey[key] = r
		l.rows = append(l.rows, r)
	}
	return r
}

// free is a row of a kind that has room from now on; the last one where there are many.
func (l *lane) free(kind, name string, from time.Duration, most int) *row {
	var last *row
	n := 0
	for _, r := range l.rows {
		if r.Kind != kind {
			continue
		}
		n++
		if last = r; r.until <= from {
			return r
		}
	}
	if n >= most {
		return last
	}
	return l.row(kind, name+strings.Repeat(" ", n))
}

// put puts an item into a row.
func (b *builder) put(r *row, i item) *item {
	i.text = textOf(i)
	if i.by != nil {
		i.event = i.by.Cause.Event
		i.mark |= b.markOf(i.event)
	}
	i.until = max(i.until, i.at)
	r.until = max(r.until, i.until)
	if i.lasting {
		r.until = forever
	}
	i.row = r
	made := &i
	r.items = append(r.items, made)
	if i.event != 0 && b.items[i.event] == nil {
		b.items[i.event] = made
	}
	return made
}

// shows says that an item shows another event too.
func (b *builder) shows(i *item, e *Event) {
	i.mark |= b.markOf(e.Cause.Event)
	b.items[e.Cause.Event] = i
}

func (b *builder) markOf(event uint64) (mark int) {
	if b.led[event] {
		mark |= ledThere
	}
	if b.about[event] {
		mark |= aboutViolation
	}
	return mark
}

const forever = time.Duration(1<<63 - 1)

// end ends an item that lasts.
func (r *row) end(i *item, at time.Duration) {
	if i.lasting {
		i.lasting, i.until = false, at
		r.until = at
	}
}

// textOf is the text of an item: its own, and the fields of its event.
func textOf(i item) string {
	if i.by == nil {
		return i.text
	}
	text := i.by.What
	for _, f := range i.by.Fields {
		text += "\n" + f.Key + ": " + f.Value
	}
	if i.by.Task != "" {
		text += "\ntask: " + i.by.Task
	}
	return text
}
