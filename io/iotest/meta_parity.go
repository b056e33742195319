package iotest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/novastream/nova/io/meta"
)

// Case is the case that runs the script on a binding and compares every answer with the model's.
func (s MetaScript) Case() Case[MetaHarness] {
	return Case[MetaHarness]{"parity", func(h MetaHarness) {
		client := h.Client()
		var models []*metaModel
		for _, v := range metaViews() {
			models = append(models, &metaModel{view: v, rows: map[string]metaRow{}, before: map[string]meta.Version{}})
		}
		p := &parity{MetaHarness: h, client: client, models: models}
		for i, op := range s {
			p.what = fmt.Sprintf("step %d, %s", i, op)
			p.step(op)
		}
	}}
}

// metaRow is a record of the model.
type metaRow struct {
	value     string
	version   meta.Version
	indexes   []meta.Index
	ephemeral bool
}

// metaModel is what one view holds.
type metaModel struct {
	view   metaView
	rows   map[string]metaRow
	before map[string]meta.Version // the version of a key before the last change
}

type parity struct {
	MetaHarness
	client  MetaClient
	models  []*metaModel
	what    string
	session bool // there are, or were, ephemeral rows in the session
	expired bool // the session ended, and the client may not have been told
}

// outcome compares an outcome with the model's; nil is success.
func (p *parity) outcome(err, want error) {
	p.T.Helper()
	if want == nil && err != nil || want != nil && !errors.Is(err, want) {
		p.fatalf("%s: got error %v, want %v", p.what, err, want)
	}
}

func (p *parity) step(o metaOp) {
	m := p.models[o.view]
	view := m.view.open(p.client.Spaces)
	if o.bad {
		p.outcome(p.refused(o, view), meta.ErrInvalid)
		return
	}
	switch o.name {
	case "put", "put indexed", "put ephemeral":
		p.put(o, m, view)
	case "delete":
		p.delete(o, m, view)
	case "expire":
		p.client.Expire(p.Ctx)
		p.expired = p.expired || p.session
		p.session = false
		maps.DeleteFunc(m.rows, func(_ string, r metaRow) bool { return r.ephemeral })
	case "get", "get by index":
		p.getOne(o, m, view)
	case "list":
		recs, err := view.(meta.Naming).Fresh().List(p.Ctx, o.prefix, m.after(o), o.limit)
		p.outcome(err, nil)
		p.records(m, recs, m.keys(func(key string) bool { return strings.HasPrefix(key, o.prefix) && key > m.after(o) }), o.limit)
	default:
		p.ranged(o, m, view.(meta.Metastore))
	}
}

// after is where a listing goes on.
func (m *metaModel) after(o metaOp) string {
	if o.from == "" {
		return ""
	}
	return m.view.prefix + "/" + o.from
}

// keys are the keys that match, in order.
func (m *metaModel) keys(match func(string) bool) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(m.rows)) {
		if match(key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// children are the names under a prefix that lie in [from, to), in order; to "" is no bound.
func (m *metaModel) children(prefix, from, to string) (names []string) {
	for _, key := range m.keys(func(string) bool { return true }) {
		name, under := strings.CutPrefix(key, prefix+"/")
		if under && !strings.Contains(name, "/") && name >= from && (to == "" || name < to) {
			names = append(names, name)
		}
	}
	return names
}

// expect turns an expectation into a version, and says whether it holds.
func (m *metaModel) expect(o metaOp) (e meta.Expect, holds bool) {
	row, found := m.rows[o.key]
	switch o.expect {
	case expectNow:
		if e = meta.Absent(); found {
			e = meta.At(row.version)
		}
	case expectBefore:
		if e = meta.Any(); m.before[o.key] != 0 {
			e = meta.At(m.before[o.key])
		}
	case expectAbsent:
		e = meta.Absent()
	default:
		e = meta.Any()
	}
	return e, e.Holds(found, row.version)
}

func (p *parity) put(o metaOp, m *metaModel, view any) {
	e, holds := m.expect(o)
	version, err := p.write(o, view, e)
	if errors.Is(err, meta.ErrSessionExpired) && o.name == "put ephemeral" && p.expired {
		p.expired = false // told once
		version, err = p.write(o, view, e)
	}
	if !holds {
		p.outcome(err, meta.ErrConflict)
		return
	}
	p.outcome(err, nil)
	old, found := m.rows[o.key]
	if found && old.version == version || m.before[o.key] == version && version != 0 {
		p.fatalf("%s: version %d came twice", p.what, version)
	}
	if found {
		m.before[o.key] = old.version
	}
	m.rows[o.key] = metaRow{value: o.value, version: version, indexes: o.indexes, ephemeral: o.name == "put ephemeral"}
	if o.name == "put ephemeral" {
		p.session, p.expired = true, false
	}
}

func (p *parity) write(o metaOp, view any, e meta.Expect) (meta.Version, error) {
	switch o.name {
	case "put":
		return view.(writes).Put(p.Ctx, o.key, []byte(o.value), e)
	case "put indexed":
		return view.(writes).PutIndexed(p.Ctx, o.key, []byte(o.value), e, o.indexes)
	default:
		return view.(meta.Metastore).PutEphemeral(p.Ctx, o.key, []byte(o.value), e)
	}
}

// writes is what both keyspaces share, views aside.
type writes interface {
	Put(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error)
	PutIndexed(ctx context.Context, key string, value []byte, expect meta.Expect, indexes []meta.Index) (meta.Version, error)
	Delete(ctx context.Context, key string, expect meta.Expect) error
}

func (p *parity) delete(o metaOp, m *metaModel, view any) {
	e, holds := m.expect(o)
	if e.IsAbsent() {
		e, holds = meta.Any(), true // a delete of what must not exist is no operation
	}
	err := view.(writes).Delete(p.Ctx, o.key, e)
	row, found := m.rows[o.key]
	_, concrete := e.Version()
	switch {
	case !found && !concrete:
		p.outcome(err, meta.ErrNotFound)
	case !holds:
		p.outcome(err, meta.ErrConflict)
	default:
		p.outcome(err, nil)
		m.before[o.key] = row.version
		delete(m.rows, o.key)
	}
}

// record compares one record with the model's.
func (p *parity) record(m *metaModel, rec meta.Record, key string) {
	p.T.Helper()
	row, found := m.rows[key]
	if !found || rec.Key != key || string(rec.Value) != row.value || rec.Version != row.version {
		p.fatalf("%s: got %q = %q at %d, want %q = %q at %d", p.what, rec.Key, rec.Value, rec.Version, key, row.value, row.version)
	}
}

func (p *parity) records(m *metaModel, recs []meta.Record, keys []string, limit int) {
	p.T.Helper()
	keys = keys[:min(limit, len(keys))]
	if len(recs) != len(keys) {
		p.fatalf("%s: got %d records, want %q", p.what, len(recs), keys)
	}
	for i, rec := range recs {
		p.record(m, rec, keys[i])
	}
}

func (p *parity) getOne(o metaOp, m *metaModel, view any) {
	get, byIndex := freshGets(view)
	if o.name == "get" {
		rec, err := get(p.Ctx, o.key)
		if _, found := m.rows[o.key]; !found {
			p.outcome(err, meta.ErrNotFound)
			return
		}
		p.outcome(err, nil)
		p.record(m, rec, o.key)
		return
	}
	rec, err := byIndex(p.Ctx, o.index, o.from)
	keys := m.hits(o.index)[o.from]
	if len(keys) == 0 {
		p.outcome(err, meta.ErrNotFound)
		return
	}
	p.outcome(err, nil)
	p.record(m, rec, keys[0]) // of several the one with the lowest key
}

func freshGets(view any) (
	get func(context.Context, string) (meta.Record, error), byIndex func(context.Context, string, string) (meta.Record, error),
) {
	if n, natural := view.(meta.Naming); natural {
		return n.Fresh().Get, n.Fresh().GetByIndex
	}
	m := view.(meta.Metastore).Fresh()
	return m.Get, m.GetByIndex
}

// hits are the keys of an index by secondary key.
func (m *metaModel) hits(index string) map[string][]string {
	hits := map[string][]string{}
	for _, key := range m.keys(func(string) bool { return true }) {
		for _, x := range m.rows[key].indexes {
			if x.Name == index {
				hits[x.Key] = append(hits[x.Key], key)
			}
		}
	}
	return hits
}

func (p *parity) ranged(o metaOp, m *metaModel, view meta.Metastore) {
	fresh := view.Fresh()
	switch o.name {
	case "floor":
		rec, err := fresh.FloorGet(p.Ctx, o.prefix, o.from)
		names := m.children(o.prefix, "", o.from+"\x00")
		if len(names) == 0 {
			p.outcome(err, meta.ErrNotFound)
			return
		}
		p.outcome(err, nil)
		p.record(m, rec, o.prefix+"/"+names[len(names)-1])
	case "scan":
		recs, err := fresh.Scan(p.Ctx, o.prefix, o.from, o.limit)
		p.outcome(err, nil)
		from := o.from
		if from != "" {
			from += "\x00"
		}
		var keys []string
		for _, name := range m.children(o.prefix, from, "") {
			keys = append(keys, o.prefix+"/"+name)
		}
		p.records(m, recs, keys, o.limit)
	case "delete children":
		p.outcome(view.DeleteChildren(p.Ctx, o.prefix), nil)
		m.remove(o.prefix, m.children(o.prefix, "", ""))
	case "delete range":
		p.outcome(view.DeleteRange(p.Ctx, o.prefix, o.from, o.to), nil)
		m.remove(o.prefix, m.children(o.prefix, o.from, o.to))
	case "floor index":
		p.floorIndex(o, m, fresh)
	default:
		p.scanIndex(o, m, fresh)
	}
}

func (m *metaModel) remove(prefix string, names []string) {
	for _, name := range names {
		m.before[prefix+"/"+name] = m.rows[prefix+"/"+name].version
		delete(m.rows, prefix+"/"+name)
	}
}

// secondaries are the secondary keys of an index that start with prefix and match, in order.
func secondaries(hits map[string][]string, prefix string, match func(string) bool) (keys []string) {
	for _, secondary := range slices.Sorted(maps.Keys(hits)) {
		if strings.HasPrefix(secondary, prefix) && match(secondary) {
			keys = append(keys, secondary)
		}
	}
	return keys
}

func (p *parity) floorIndex(o metaOp, m *metaModel, view meta.Metastore) {
	hit, err := view.FloorIndex(p.Ctx, o.index, o.prefix, o.from)
	hits := m.hits(o.index)
	below := secondaries(hits, o.prefix, func(s string) bool { return s <= o.from })
	if len(below) == 0 {
		p.outcome(err, meta.ErrNotFound)
		return
	}
	p.outcome(err, nil)
	if want := below[len(below)-1]; hit.Secondary != want || !slices.Contains(hits[want], hit.Record.Key) {
		p.fatalf("%s: got %q -> %q, want %q -> one of %q", p.what, hit.Secondary, hit.Record.Key, want, hits[want])
	}
	p.record(m, hit.Record, hit.Record.Key)
}

// scanIndex leaves open in which order records of one secondary key come.
func (p *parity) scanIndex(o metaOp, m *metaModel, view meta.Metastore) {
	got, err := view.ScanIndex(p.Ctx, o.index, o.prefix, o.from, o.limit)
	p.outcome(err, nil)
	hits := m.hits(o.index)
	var want []string
	for _, secondary := range secondaries(hits, o.prefix, func(s string) bool { return s > o.from }) {
		for range hits[secondary] {
			want = append(want, secondary)
		}
	}
	want = want[:min(o.limit, len(want))]
	var have []string
	seen := map[string]bool{}
	for _, hit := range got {
		have = append(have, hit.Secondary)
		pair := fmt.Sprintf("%q %q", hit.Secondary, hit.Record.Key)
		if seen[pair] || !slices.Contains(hits[hit.Secondary], hit.Record.Key) {
			p.fatalf("%s: got %s, which is not there or came twice", p.what, pair)
		}
		seen[pair] = true
		p.record(m, hit.Record, hit.Record.Key)
	}
	if !slices.Equal(have, want) {
		p.fatalf("%s: got %q, want %q", p.what, have, want)
	}
}
