package doctor

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/novastream/nova/io/meta"
)

// What a metastore can be fit for.
const (
	Records   = "records"
	Work      = "work"
	Ephemeral = "ephemeral"
	Naming    = "naming"
	Splits    = "shard splits"
)

// metaCheck is how long one check of a metastore may take, but for those of sessions and of splits.
const metaCheck = 30 * time.Second

// Client is one client of a metastore, with a session of its own.
type Client interface {
	Spaces() meta.Spaces
	// Close ends the session. With a context that has ended it leaves the session to its time-out, as the death of a process
	// does.
	Close(ctx context.Context) error
}

// Subject is a metastore to examine.
type Subject struct {
	Open           func(ctx context.Context) (Client, error)
	SessionTimeout time.Duration
	Split          Splitter // nil: splits are not probed
}

// metaProbe is one examination of a metastore.
type metaProbe struct {
	subject Subject
	client  Client
	other   Client // another one
	root    string // of its keys, a locality too
}

// Metastore examines a metastore, and tells each finding as it comes. The error says that no client can be had.
func Metastore(ctx context.Context, s Subject, tell func(Finding)) (r Report, err error) {
	p := &metaProbe{subject: s, root: "nova-doctor/" + strings.ToLower(rand.Text()[:12])}
	if p.client, err = s.Open(ctx); err != nil {
		return Report{}, err
	}
	if p.other, err = s.Open(ctx); err != nil {
		return Report{}, errors.Join(err, p.client.Close(ctx))
	}
	defer func() { err = errors.Join(err, p.close(ctx)) }()
	all := []string{Records, Work, Ephemeral, Naming}
	r = examine(ctx, max(metaCheck, 4*s.SessionTimeout), append(all, Splits), []check{
		{"key order", all, p.order},
		{"conditional puts", all, p.conditionalPuts},
		{"racing changes", all, p.racingChanges},
		{"versions never repeat", all, p.versions},
		{"fresh reads", all, p.freshReads},
		{"secondary indexes", []string{Records, Work, Naming}, p.indexes},
		{"deletes of ranges", []string{Records, Work}, p.deleteRanges},
		{"sessions", []string{Ephemeral}, p.sessions},
		{"clock", nil, p.clock},
		{"speed of writes", nil, p.speed},
	}, tell)
	split := examine(ctx, splitCheck, []string{Splits}, []check{{"shard split", []string{Splits}, p.split}}, tell)
	r.Findings = append(r.Findings, split.Findings...)
	r.Uses[len(r.Uses)-1] = split.Uses[0]
	return r, nil
}

func (p *metaProbe) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUp)
	defer cancel()
	p.clean(ctx)
	return errors.Join(p.client.Close(ctx), p.other.Close(ctx))
}

// clean takes away what the probe wrote. What stays is small, and its name says what it is.
func (p *metaProbe) clean(ctx context.Context) {
	for _, sp := range p.trees() {
		for _, folder := range []string{"order", "order/a", "point", "index", "range", "session", "speed"} {
			_ = sp.tree.DeleteChildren(ctx, p.root+"/"+folder)
		}
	}
	names := p.client.Spaces().Naming
	left, _ := names.List(ctx, p.root, "", 1000)
	for _, rec := range left {
		_ = names.Delete(ctx, rec.Key, meta.Any())
	}
}

// points are the operations on one key, which both key orders have.
type points interface {
	Get(ctx context.Context, key string) (meta.Record, error)
	Put(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error)
	PutIndexed(ctx context.Context, key string, value []byte, expect meta.Expect, indexes []meta.Index) (meta.Version, error)
	Delete(ctx context.Context, key string, expect meta.Expect) error
	GetByIndex(ctx context.Context, index, secondary string) (meta.Record, error)
}

// tree is a hierarchical namespace, in the probe's locality.
type tree struct {
	name string
	tree meta.Metastore
}

func (p *metaProbe) trees() []tree {
	s := p.client.Spaces()
	return []tree{{Records, s.Records.Within(p.root)}, {Work, s.Work.Within(p.root)}, {Ephemeral, s.Ephemeral.Within(p.root)}}
}

// place is any namespace, fresh.
type place struct {
	name string
	points
}

func places(s meta.Spaces, locality string) []place {
	return []place{
		{Records, s.Records.Within(locality).Fresh()}, {Work, s.Work.Within(locality).Fresh()},
		{Ephemeral, s.Ephemeral.Within(locality).Fresh()}, {Naming, s.Naming.Fresh()},
	}
}

// each makes a check in every namespace; the first that goes wrong is told with the name of its namespace.
func (p *metaProbe) each(run func(at place) verdict, all string) verdict {
	for _, at := range places(p.client.Spaces(), p.root) {
		if v := run(at); v.result != Good {
			v.says = fmt.Sprintf("in the namespace of %s: %s", at.name, v.says)
			return v
		}
	}
	return good("%s", all)
}
