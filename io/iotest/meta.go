package iotest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/novastream/nova/io/meta"
)

// maxValueBytes is the largest value that the contract allows.
const maxValueBytes = 1 << 20

// stampStep is longer than the step of any clock behind a stamp.
const stampStep = 20 * time.Millisecond

// MetaClient is one client of the metastore under test.
type MetaClient struct {
	meta.Spaces
	// Expire makes the service end the client's session, as if it had not been heard of for long, and returns when the
	// session's rows are gone. The client itself is not told.
	Expire func(ctx context.Context)
}

// MetaHarness is what a case of the metastore is given.
type MetaHarness struct {
	Harness
	// Client makes one more client, with a session of its own, of the case's one metastore, which is empty at first.
	Client func() MetaClient
}

// Meta is the suite of package meta: Metastore, Naming and Spaces.
func Meta() []Case[MetaHarness] {
	return slices.Concat(
		metaPointCases("records", func(s meta.Spaces) points { return metastorePoints{s.Records} }),
		metaPointCases("records within", func(s meta.Spaces) points { return metastorePoints{s.Records.Within("suite")} }),
		metaPointCases("naming", func(s meta.Spaces) points { return namingPoints{s.Naming} }),
		metaRangeCases(),
		metaLocalityCases(),
		metaIndexCases(),
		metaNamingCases(),
		metaSessionCases(),
		metaRaceCases(),
	)
}

// points are the operations that both keyspaces share.
type points interface {
	Get(ctx context.Context, key string) (meta.Record, error)
	Put(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error)
	PutIndexed(ctx context.Context, key string, value []byte, expect meta.Expect, indexes []meta.Index) (meta.Version, error)
	Delete(ctx context.Context, key string, expect meta.Expect) error
	GetByIndex(ctx context.Context, index, secondary string) (meta.Record, error)
	fresh() points
}

type metastorePoints struct{ meta.Metastore }

func (p metastorePoints) fresh() points { return metastorePoints{p.Fresh()} }

type namingPoints struct{ meta.Naming }

func (p namingPoints) fresh() points { return namingPoints{p.Fresh()} }

// put writes and must succeed.
func (h MetaHarness) put(p points, key, value string, expect meta.Expect) meta.Version {
	h.T.Helper()
	v, err := p.Put(h.Ctx, key, []byte(value), expect)
	h.must(err, "put %q", key)
	return v
}

// putRecords creates keys of a metastore, each with its key as value.
func (h MetaHarness) putRecords(m meta.Metastore, keys ...string) {
	h.T.Helper()
	for _, key := range keys {
		h.put(metastorePoints{m}, key, key, meta.Absent())
	}
}

// wantRecord reads freshly and compares.
func (h MetaHarness) wantRecord(p points, key, value string, version meta.Version) meta.Record {
	h.T.Helper()
	rec, err := p.fresh().Get(h.Ctx, key)
	h.must(err, "get %q", key)
	if rec.Key != key || string(rec.Value) != value || rec.Version != version {
		h.fatalf("get %q: got %q = %.40q at %d, want %.40q at %d", key, rec.Key, rec.Value, rec.Version, value, version)
	}
	return rec
}

// wantAbsent reads freshly and wants nothing.
func (h MetaHarness) wantAbsent(p points, key string) {
	h.T.Helper()
	rec, err := p.fresh().Get(h.Ctx, key)
	if !errors.Is(err, meta.ErrNotFound) {
		h.fatalf("get %q: got %q at %d and error %v, want %v", key, rec.Value, rec.Version, err, meta.ErrNotFound)
	}
}

// wantScan compares the children of a prefix with the names wanted.
func (h MetaHarness) wantScan(m meta.Metastore, prefix, after string, limit int, names ...string) {
	h.T.Helper()
	recs, err := m.Fresh().Scan(h.Ctx, prefix, after, limit)
	h.must(err, "scan %q after %q", prefix, after)
	want := make([]string, 0, len(names))
	for _, name := range names {
		want = append(want, prefix+"/"+name)
	}
	h.wantKeys(fmt.Sprintf("scan %q after %q limit %d", prefix, after, limit), recs, want)
}

func (h MetaHarness) wantKeys(what string, recs []meta.Record, want []string) {
	h.T.Helper()
	got := make([]string, 0, len(recs))
	for _, rec := range recs {
		got = append(got, rec.Key)
		if rec.Version == 0 && rec.Created.IsZero() {
			h.fatalf("%s: record %q has neither version nor stamps", what, rec.Key)
		}
	}
	if !slices.Equal(got, want) {
		h.fatalf("%s: got %q, want %q", what, got, want)
	}
}
