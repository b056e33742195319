package doctor_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/doctor"
	"github.com/novastream/nova/realio/embeddedmeta"
	"github.com/novastream/nova/realio/oxiameta"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// wantAll sees that every check has this result, but for those named.
func wantAll(t *testing.T, r doctor.Report, want doctor.Result, but map[string]doctor.Result) {
	t.Helper()
	for _, f := range r.Findings {
		result, named := but[f.Check]
		if !named {
			result = want
		}
		if f.Result != result {
			t.Errorf("%s: %s, want %s: %s", f.Check, f.Result, result, f.Says)
		}
		if f.Says == "" || f.Result != doctor.Good && f.Try == "" {
			t.Errorf("%s: it says %q and advises %q", f.Check, f.Says, f.Try)
		}
	}
}

// tell shows findings as they come.
func tell(t *testing.T) func(doctor.Finding) {
	return func(f doctor.Finding) { t.Logf("%s: %s: %s", f.Check, f.Result, f.Says) }
}

// sessionTimeout of the fakes.
const sessionTimeout = time.Second

// mortal is a client of a metastore in memory whose session outlives it, where it is closed with a context that has ended.
type mortal struct {
	*embeddedmeta.Client
	timeout time.Duration
}

func (m mortal) Close(ctx context.Context) error {
	if ctx.Err() == nil {
		return m.Client.Close(ctx)
	}
	time.AfterFunc(m.timeout, func() { _ = m.Client.Close(context.Background()) })
	return ctx.Err()
}

// memory is a good metastore.
func memory(t *testing.T) doctor.Subject {
	t.Helper()
	store, err := embeddedmeta.OpenMemory(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return doctor.Subject{SessionTimeout: sessionTimeout, Open: func(context.Context) (doctor.Client, error) {
		return mortal{store.Client(), sessionTimeout}, nil
	}}
}

func TestAGoodMetastore(t *testing.T) {
	r, err := doctor.Metastore(t.Context(), memory(t), tell(t))
	if err != nil {
		t.Fatal(err)
	}
	wantAll(t, r, doctor.Good, map[string]doctor.Result{"shard split": doctor.Skipped})
	if want := "fit for records, work, ephemeral and naming; not for shard splits (shard split)"; r.Verdict() != want || r.Failed() {
		t.Errorf("verdict %q, want %q", r.Verdict(), want)
	}
}

// The doctor leaves nothing behind.
func TestNothingIsLeft(t *testing.T) {
	s := memory(t)
	if _, err := doctor.Metastore(t.Context(), s, tell(t)); err != nil {
		t.Fatal(err)
	}
	c, err := s.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	left, err := c.Spaces().Naming.List(t.Context(), "", "", 10)
	if err != nil || len(left) != 0 {
		t.Errorf("names are left: %v, %v", left, err)
	}
}

func TestAMetastoreThatCannotBeReached(t *testing.T) {
	gone := errors.New("nobody there")
	_, err := doctor.Metastore(t.Context(), doctor.Subject{Open: func(context.Context) (doctor.Client, error) { return nil, gone }}, tell(t))
	if !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
}

// scratch splits a namespace of a cluster of the tests.
type scratch struct{ *oxiameta.Scratch }

func (s scratch) Open(ctx context.Context) (doctor.Client, error) { return s.Scratch.Open(ctx) }

// onOxia is a cluster with a namespace to split.
func onOxia(t *testing.T, cfg oxiatest.Config) doctor.Subject {
	t.Helper()
	cfg.Nodes = 2
	cfg.Namespaces = []oxiatest.Namespace{{Name: "tree", Shards: 3}, {Name: "names", Shards: 2, Natural: true}}
	cluster, err := oxiatest.Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	coordinator, stop, err := cluster.StartCoordinator()
	if err != nil {
		t.Fatal(err)
	}
	service := oxiameta.Service{Addresses: cluster.Addresses()}
	client := oxiameta.Config{
		Hierarchical: service, Natural: service, Records: "tree", Work: "tree", Ephemeral: "tree", Naming: "names",
		SessionTimeout: 2 * time.Second,
	}
	split, err := oxiameta.MakeScratch(t.Context(), coordinator, "scratch", client)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := split.Drop(context.Background())
		stop()
		cluster.Close()
		if err := errors.Join(err, cluster.Harm()); err != nil {
			t.Error(err)
		}
	})
	return doctor.Subject{
		SessionTimeout: client.SessionTimeout, Split: scratch{split},
		Open: func(ctx context.Context) (doctor.Client, error) { return oxiameta.Open(ctx, client) },
	}
}

func TestAGoodOxia(t *testing.T) {
	r, err := doctor.Metastore(t.Context(), onOxia(t, oxiatest.Config{}), tell(t))
	if err != nil {
		t.Fatal(err)
	}
	wantAll(t, r, doctor.Good, nil)
	if !r.Fit(doctor.Splits) {
		t.Errorf("verdict %q", r.Verdict())
	}
}

func TestASplitThatLosesChanges(t *testing.T) {
	r, err := doctor.Metastore(t.Context(), onOxia(t, oxiatest.Config{LossySplits: true}), tell(t))
	if err != nil {
		t.Fatal(err)
	}
	wantAll(t, r, doctor.Good, map[string]doctor.Result{"shard split": doctor.Bad})
	if r.Fit(doctor.Splits) || !r.Fit(doctor.Records) {
		t.Errorf("verdict %q", r.Verdict())
	}
}

var _ meta.Metastore = stale{}
