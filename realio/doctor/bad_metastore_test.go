package doctor_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/doctor"
)

// spoiled is a client whose records are seen through something that is not as it should be.
type spoiled struct {
	doctor.Client
	spoil func(meta.Spaces) meta.Spaces
}

func (s spoiled) Spaces() meta.Spaces { return s.spoil(s.Client.Spaces()) }

// spoil puts one fault into the records of a good metastore.
func spoil(t *testing.T, fault func(meta.Metastore) meta.Metastore) doctor.Subject {
	s := memory(t)
	good := s.Open
	s.Open = func(ctx context.Context) (doctor.Client, error) {
		c, err := good(ctx)
		return spoiled{c, func(s meta.Spaces) meta.Spaces {
			s.Records = fault(s.Records)
			return s
		}}, err
	}
	return s
}

// Views of a bad store are bad too. Each fault below is one method over these.
type deaf struct{ meta.Metastore } // to what writes expect

func (d deaf) Within(string) meta.Metastore { return d }
func (d deaf) Fresh() meta.Metastore        { return d }
func (d deaf) Put(ctx context.Context, key string, value []byte, _ meta.Expect) (meta.Version, error) {
	return d.Metastore.Put(ctx, key, value, meta.Any())
}

// loose refuses creates over a record, and nothing else.
type loose struct{ meta.Metastore }

func (l loose) Within(string) meta.Metastore { return l }
func (l loose) Fresh() meta.Metastore        { return l }
func (l loose) Put(ctx context.Context, key string, value []byte, e meta.Expect) (meta.Version, error) {
	if !e.IsAbsent() {
		e = meta.Any()
	}
	return l.Metastore.Put(ctx, key, value, e)
}

// forgetful counts the versions of a record from the start when it is created anew.
type forgetful struct {
	meta.Metastore
	first *versions
}

// versions are the first of each life of a record.
type versions struct {
	sync.Mutex
	of map[string]meta.Version
}

func (f forgetful) Within(string) meta.Metastore { return f }
func (f forgetful) Fresh() meta.Metastore        { return f }

func (f forgetful) Put(ctx context.Context, key string, value []byte, e meta.Expect) (meta.Version, error) {
	f.first.Lock()
	defer f.first.Unlock()
	if v, concrete := e.Version(); concrete {
		e = meta.At(v + f.first.of[key])
	}
	v, err := f.Metastore.Put(ctx, key, value, e)
	if err == nil && e.IsAbsent() {
		f.first.of[key] = v
	}
	return v - f.first.of[key], err
}

func (f forgetful) Get(ctx context.Context, key string) (meta.Record, error) {
	f.first.Lock()
	defer f.first.Unlock()
	rec, err := f.Metastore.Get(ctx, key)
	rec.Version -= f.first.of[key]
	return rec, err
}

func (f forgetful) Delete(ctx context.Context, key string, e meta.Expect) error {
	f.first.Lock()
	defer f.first.Unlock()
	if v, concrete := e.Version(); concrete {
		e = meta.At(v + f.first.of[key])
	}
	return f.Metastore.Delete(ctx, key, e)
}

// stale answers fresh reads with what was there before the last write.
type stale struct {
	meta.Metastore
	before *sync.Map
}

func (s stale) Within(string) meta.Metastore { return s }
func (s stale) Fresh() meta.Metastore        { return s }

func (s stale) Put(ctx context.Context, key string, value []byte, e meta.Expect) (meta.Version, error) {
	if strings.HasSuffix(key, "/fresh") {
		if rec, err := s.Metastore.Get(ctx, key); err == nil {
			s.before.Store(key, rec)
		}
	}
	return s.Metastore.Put(ctx, key, value, e)
}

func (s stale) Get(ctx context.Context, key string) (meta.Record, error) {
	if rec, ok := s.before.Load(key); ok {
		return rec.(meta.Record), nil
	}
	return s.Metastore.Get(ctx, key)
}

// flat sorts keys bytewise: a scan of a folder shows what lies in the folders of it.
type flat struct{ meta.Metastore }

func (f flat) Within(string) meta.Metastore { return f }
func (f flat) Fresh() meta.Metastore        { return f }

func (f flat) Scan(ctx context.Context, prefix, after string, limit int) ([]meta.Record, error) {
	recs, err := f.Metastore.Scan(ctx, prefix, after, limit)
	for _, rec := range slices.Clone(recs) {
		below, err := f.Metastore.Scan(ctx, rec.Key, "", limit)
		if err != nil {
			return nil, err
		}
		recs = append(recs, below...)
	}
	return recs, err
}

// unindexed loses secondary keys.
type unindexed struct{ meta.Metastore }

func (u unindexed) Within(string) meta.Metastore { return u }
func (u unindexed) Fresh() meta.Metastore        { return u }
func (u unindexed) PutIndexed(ctx context.Context, key string, value []byte, e meta.Expect, _ []meta.Index) (meta.Version, error) {
	return u.Put(ctx, key, value, e)
}

// greedy deletes a folder where a part of it is meant.
type greedy struct{ meta.Metastore }

func (g greedy) Within(string) meta.Metastore { return g }
func (g greedy) Fresh() meta.Metastore        { return g }
func (g greedy) DeleteRange(ctx context.Context, prefix, _, _ string) error {
	return g.DeleteChildren(ctx, prefix)
}

// slow takes its time for every write.
type slow struct{ meta.Metastore }

func (s slow) Within(string) meta.Metastore { return s }
func (s slow) Fresh() meta.Metastore        { return s }
func (s slow) Put(ctx context.Context, key string, value []byte, e meta.Expect) (meta.Version, error) {
	if strings.Contains(key, "/speed/") {
		timer := time.NewTimer(120 * time.Millisecond)
		defer timer.Stop()
		<-timer.C
	}
	return s.Metastore.Put(ctx, key, value, e)
}

// fast has a clock that is ahead.
type fast struct{ meta.Metastore }

func (f fast) Within(string) meta.Metastore { return f }
func (f fast) Fresh() meta.Metastore        { return f }
func (f fast) Get(ctx context.Context, key string) (meta.Record, error) {
	rec, err := f.Metastore.Get(ctx, key)
	rec.Modified = rec.Modified.Add(time.Hour)
	return rec, err
}

func TestBadMetastores(t *testing.T) {
	for _, c := range []struct {
		name    string
		fault   func(meta.Metastore) meta.Metastore
		finds   map[string]doctor.Result
		says    string
		verdict string
	}{
		{
			"conditions are not looked at", func(m meta.Metastore) meta.Metastore { return deaf{m} },
			map[string]doctor.Result{"conditional puts": doctor.Bad, "racing changes": doctor.Bad, "versions never repeat": doctor.Bad},
			"in the namespace of records: ", "not for records",
		},
		{
			"versions are not compared", func(m meta.Metastore) meta.Metastore { return loose{m} },
			map[string]doctor.Result{"conditional puts": doctor.Bad, "racing changes": doctor.Bad, "versions never repeat": doctor.Bad},
			"a change at an earlier version is not refused", "not for records",
		},
		{
			"versions repeat", func(m meta.Metastore) meta.Metastore { return forgetful{m, firsts} },
			map[string]doctor.Result{"versions never repeat": doctor.Bad}, "over a delete and a create", "versions never repeat",
		},
		{
			"fresh reads are stale", func(m meta.Metastore) meta.Metastore { return stale{m, earlier} },
			map[string]doctor.Result{"fresh reads": doctor.Bad}, "another client does not see", "fresh reads",
		},
		{
			"folders are not scanned as such", func(m meta.Metastore) meta.Metastore { return flat{m} },
			map[string]doctor.Result{"key order": doctor.Bad}, "a scan of a folder gives", "key order",
		},
		{
			"secondary keys are lost", func(m meta.Metastore) meta.Metastore { return unindexed{m} },
			map[string]doctor.Result{"secondary indexes": doctor.Bad}, "is not found by its secondary key", "fit for ephemeral",
		},
		{
			"ranges reach too far", func(m meta.Metastore) meta.Metastore { return greedy{m} },
			map[string]doctor.Result{"deletes of ranges": doctor.Bad}, "after the delete of b to d", "deletes of ranges",
		},
		{
			"slow", func(m meta.Metastore) meta.Metastore { return slow{m} },
			map[string]doctor.Result{"speed of writes": doctor.Warning}, "opening a stream takes several", "fit for records",
		},
		{
			"another time", func(m meta.Metastore) meta.Metastore { return fast{m} },
			map[string]doctor.Result{"clock": doctor.Warning}, "1h0m0s apart", "fit for records",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := doctor.Metastore(t.Context(), spoil(t, c.fault), tell(t))
			if err != nil {
				t.Fatal(err)
			}
			c.finds["shard split"] = doctor.Skipped
			wantAll(t, r, doctor.Good, c.finds)
			if !slices.ContainsFunc(r.Findings, func(f doctor.Finding) bool { return strings.Contains(f.Says, c.says) }) {
				t.Errorf("nothing says %q", c.says)
			}
			if !strings.Contains(r.Verdict(), c.verdict) {
				t.Errorf("the verdict is %q, without %q", r.Verdict(), c.verdict)
			}
		})
	}
}

var (
	firsts  = &versions{of: map[string]meta.Version{}}
	earlier = &sync.Map{}
)

// Sessions that end too late, too early or never.
func TestBadSessions(t *testing.T) {
	for name, c := range map[string]struct {
		outlives time.Duration
		says     string
	}{
		"too late":  {5 * sessionTimeout, "is still there"},
		"too early": {time.Millisecond, "went"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := memory(t)
			good := s.Open
			s.Open = func(ctx context.Context) (doctor.Client, error) {
				client, err := good(ctx)
				m := client.(mortal)
				m.timeout = c.outlives
				return m, err
			}
			r, err := doctor.Metastore(t.Context(), s, tell(t))
			if err != nil {
				t.Fatal(err)
			}
			wantAll(t, r, doctor.Good, map[string]doctor.Result{"sessions": doctor.Bad, "shard split": doctor.Skipped})
			if r.Fit(doctor.Ephemeral) || !r.Fit(doctor.Records) {
				t.Errorf("verdict %q", r.Verdict())
			}
		})
	}
}
