package timeline

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// mostItems is how many items a page has.
const mostItems = 50_000

func (b *builder) notice(format string, args ...any) {
	b.page.Notices = append(b.page.Notices, fmt.Sprintf(format, args...))
}

// finish puts what was gathered into the page.
func (b *builder) finish() {
	for _, p := range b.order {
		p.Stores = slices.SortedFunc(maps.Keys(p.stores), natural)
		p.fates()
	}
	b.thin()
	b.place()
	b.finishEpochs()
	b.cite()
	b.bindViolations()
	b.page.Kinds, b.page.Strings = inOrder(b.kinds), inOrder(b.texts)
}

// thinned are the kinds of which items are left out, where there are too many, in this order.
var thinned = []string{"call", "write", "step", "fault", "failed-call", "note"}

// thin leaves out items where there are too many: those farthest from the first violation first.
func (b *builder) thin() {
	total := 0
	b.each(func(*row, *item) { total++ })
	middle := b.end
	if b.slice != nil {
		middle = b.slice.Violation.At
	}
	var told []string
	for _, kind := range thinned {
		if total <= mostItems {
			break
		}
		var all []*item
		b.each(func(_ *row, i *item) {
			if i.kind == kind && i.mark == 0 {
				all = append(all, i)
			}
		})
		slices.SortStableFunc(all, func(x, y *item) int { return cmp.Compare((y.at - middle).Abs(), (x.at - middle).Abs()) })
		all = all[:min(len(all), total-mostItems)]
		for _, i := range all {
			i.gone = true
		}
		total -= len(all)
		told = append(told, fmt.Sprintf("%d of the kind %s", len(all), kind))
	}
	if told == nil {
		return
	}
	for _, l := range b.lanes {
		for _, r := range l.rows {
			r.items = slices.DeleteFunc(r.items, func(i *item) bool { return i.gone })
		}
	}
	b.notice("Left out here, the farthest from the first violation first: %s. A trace has all events.", strings.Join(told, ", "))
}

func (b *builder) each(visit func(*row, *item)) {
	for _, l := range b.lanes {
		for _, r := range l.rows {
			for _, i := range r.items {
				visit(r, i)
			}
		}
	}
}

// place gives every item its place in the columns.
func (b *builder) place() {
	items := &b.page.Items
	rows := 0
	for place, l := range b.lanes {
		l.place = place
		slices.SortStableFunc(l.rows, func(x, y *row) int { return cmp.Compare(x.order, y.order) })
		for _, r := range l.rows {
			slices.SortStableFunc(r.items, func(x, y *item) int { return cmp.Compare(x.at, y.at) })
			for _, i := range r.items {
				if i.lasting {
					i.until = b.end
				}
				i.place = items.Len()
				items.Row = append(items.Row, rows)
				items.At = append(items.At, int64(i.at))
				items.For = append(items.For, int64(i.until-i.at))
				items.Kind = append(items.Kind, number(b.kinds, i.kind))
				items.Label = append(items.Label, number(b.texts, i.label))
				items.Text = append(items.Text, number(b.texts, i.text))
				items.Mark = append(items.Mark, i.mark)
				items.Event = append(items.Event, int(i.event))
			}
			l.Rows = append(l.Rows, Row{strings.TrimSpace(r.Name), r.Kind})
			rows++
		}
		for _, made := range l.bands {
			made.Lane = place
			made.For = int64(min(made.until, b.end)) - made.At
			b.page.Bands = append(b.page.Bands, made.Band)
		}
		b.page.Lanes = append(b.page.Lanes, l.Lane)
	}
}

// number is the place of a text among those of a table.
func number(table map[string]int, text string) int {
	n, there := table[text]
	if !there {
		n = len(table)
		table[text] = n
	}
	return n
}

func inOrder(table map[string]int) []string {
	all := make([]string, len(table))
	for _, text := range slices.Sorted(maps.Keys(table)) {
		all[table[text]] = text
	}
	return all
}

// cite puts the slice into the page.
func (b *builder) cite() {
	if b.slice == nil {
		return
	}
	for _, l := range b.slice.Links {
		c := Cited{At: int64(l.At), Where: l.Where, Text: l.phrase(), Why: l.Why, Causes: l.Causes, Subject: l.Subject, Item: -1}
		if i := b.items[l.Cause.Event]; i != nil {
			c.Item = i.place
		}
		b.page.Slice = append(b.page.Slice, c)
	}
}

// phrase is an event without its time and place.
func (e *Event) phrase() string {
	if e.What == "violation" {
		return e.Get("check") + ": " + e.Get("sentence")
	}
	text := e.What
	for _, f := range e.Fields {
		if f.Value != "" && f.Value != "none" {
			text += " " + f.Key + "=" + f.Value
		}
	}
	return text
}

// bindViolations ties the sentences to their marks, and to the items that they are about.
func (b *builder) bindViolations() {
	used := map[*item]bool{}
	for n := range b.page.Violations {
		v := &b.page.Violations[n]
		v.At, v.Item = -1, -1
		for _, r := range b.lane["violations"].rows {
			for _, i := range r.items {
				if v.Item < 0 && !used[i] && i.by != nil && i.by.Get("sentence") == v.Sentence {
					v.At, v.Item = int64(i.at), i.place
					v.About = b.aboutOf(i)
					used[i] = true
				}
			}
		}
	}
}

// aboutOf are the places of the items that a violation is about.
func (b *builder) aboutOf(violation *item) (places []int) {
	for _, event := range b.of[violation.event] {
		if i := b.items[event]; i != nil && !slices.Contains(places, i.place) {
			places = append(places, i.place)
		}
	}
	slices.Sort(places)
	return places
}
