package metrics

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"

	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/embeddedmeta"
	"github.com/novastream/nova/realio/fileblob"
	"github.com/novastream/nova/realio/oxiameta"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// find is the metric of a name with these labels, given as name, value, name, value.
func find(t *testing.T, m *Meter, name string, labels ...string) *dto.Metric {
	t.Helper()
	families, err := m.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, metric := range f.GetMetric() {
			if f.GetName() == name && fits(metric, labels) {
				return metric
			}
		}
	}
	t.Fatalf("there is no %s%q", name, labels)
	return nil
}

func fits(metric *dto.Metric, labels []string) bool {
	have := map[string]string{}
	for _, l := range metric.GetLabel() {
		have[l.GetName()] = l.GetValue()
	}
	for i := 0; i < len(labels); i += 2 {
		if value, ok := have[labels[i]]; !ok || value != labels[i+1] {
			return false
		}
	}
	return true
}

// want demands the value of a counter or gauge, or the count of a histogram.
func want(t *testing.T, m *Meter, value float64, name string, labels ...string) {
	t.Helper()
	metric := find(t, m, name, labels...)
	got := metric.GetCounter().GetValue() + metric.GetGauge().GetValue() + float64(metric.GetHistogram().GetSampleCount())
	if got != value {
		t.Errorf("%s%q is %v, want %v", name, labels, got, value)
	}
}

// Calls to the metastore are told apart by namespace, call and outcome; views count where they come from, and fresh reads are
// calls of their own.
func TestMetaCalls(t *testing.T) {
	s, err := embeddedmeta.OpenMemory(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	m := New()
	spaces := m.Spaces(s.Client().Spaces())
	records, ctx := spaces.Records.Within("streams/a"), t.Context()
	for range 3 {
		_, _ = records.Put(ctx, "streams/a/x", nil, meta.Absent())
	}
	_, _ = records.Fresh().Get(ctx, "streams/a/x")
	_, _ = records.Get(ctx, "streams/a/y")
	_, _ = records.Get(ctx, "/")
	_, _ = spaces.Naming.Fresh().List(ctx, "a", "", 1)
	_, _ = spaces.Ephemeral.PutEphemeral(ctx, "stars/a", nil, meta.Any())
	for _, c := range []struct {
		space, call, outcome string
		n                    float64
	}{
		{"records", "put", "done", 1},
		{"records", "put", "conflict", 2},
		{"records", "fresh_get", "done", 1},
		{"records", "get", "not_found", 1},
		{"records", "get", "invalid", 1},
		{"naming", "fresh_list", "done", 1},
		{"ephemeral", "put_ephemeral", "done", 1},
	} {
		want(t, m, c.n, "nova_meta_calls_total", "space", c.space, "call", c.call, "outcome", c.outcome)
	}
	want(t, m, 3, "nova_meta_call_duration_seconds", "space", "records", "call", "put")
	want(t, m, 0, "nova_meta_calls_under_way", "space", "records")
}

// Calls to a store are told apart by class, zone, call and outcome, and bytes count where they moved.
func TestStoreCalls(t *testing.T) {
	s, err := fileblob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	m := New()
	store, ctx := m.Store("express", "a", s), t.Context()
	for range 2 {
		_, _ = store.PutIfAbsent(ctx, "k", []byte("12345"))
	}
	_, _ = store.Get(ctx, "k", blob.Suffix(2))
	_, _ = store.Get(ctx, "none", blob.All())
	_, _ = store.Get(ctx, "k", blob.Span(9, 1))
	at := []string{"class", "express", "zone", "a", "call"}
	for _, c := range []struct {
		call, outcome string
		n             float64
	}{
		{"put_if_absent", "created", 1}, {"put_if_absent", "exists", 1}, {"get", "done", 1}, {"get", "not_found", 1}, {"get", "invalid", 1},
	} {
		want(t, m, c.n, "nova_store_calls_total", append(at, c.call, "outcome", c.outcome)...)
	}
	want(t, m, 5, "nova_store_bytes_total", append(at, "put_if_absent")...)
	want(t, m, 2, "nova_store_bytes_total", append(at, "get")...)
}

// stuck is a store whose calls wait until they are let go.
type stuck struct {
	blob.Store
	arrived, leave chan struct{}
}

func (s stuck) Head(context.Context, string) (blob.Info, error) {
	close(s.arrived)
	<-s.leave
	return blob.Info{}, blob.ErrUnavailable
}

func TestCallsUnderWay(t *testing.T) {
	m := New()
	s := stuck{arrived: make(chan struct{}), leave: make(chan struct{})}
	store, done := m.Store("standard", "", s), make(chan struct{})
	go func() {
		defer close(done)
		_, _ = store.Head(t.Context(), "k")
	}()
	<-s.arrived
	want(t, m, 1, "nova_store_calls_under_way", "class", "standard")
	close(s.leave)
	<-done
	want(t, m, 0, "nova_store_calls_under_way", "class", "standard")
	want(t, m, 1, "nova_store_calls_total", "call", "head", "outcome", "unavailable")
}

// An outcome is named by the sentinel of the contract, whatever a binding wraps around it.
func TestOutcomes(t *testing.T) {
	wrapped := func(errs ...error) error { return fmt.Errorf("op: %w", errors.Join(errs...)) }
	for want, err := range map[string]error{
		"session_expired": wrapped(meta.ErrSessionExpired), "unknown": wrapped(meta.ErrUnknown, context.Canceled),
		"unavailable": wrapped(meta.ErrUnavailable), "given_up": wrapped(context.DeadlineExceeded), "failed": errors.New("?"),
	} {
		if got := metaOutcome(err); got != want {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
	}
	for want, err := range map[string]error{
		"unknown": wrapped(blob.ErrUnknown), "unavailable": wrapped(blob.ErrUnavailable), "given_up": wrapped(context.Canceled),
	} {
		if got := blobOutcome(err); got != want {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
	}
}

// What the Oxia client counts of each shard is there under the service, the namespace and the shard.
func TestOxia(t *testing.T) {
	cluster, err := oxiatest.Start(oxiatest.Config{Namespaces: []oxiatest.Namespace{{Name: "default"}, {Name: "naming", Natural: true}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	service := oxiameta.Service{Addresses: cluster.Addresses()}
	client, err := oxiameta.Open(t.Context(), oxiameta.Config{
		Hierarchical: service, Natural: service, Naming: "naming", WriteWindow: 7, OpenTimeout: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close(context.Background()) })
	m := New()
	m.Oxia(client)
	shard := []string{"service", "hierarchical", "namespace", "default", "shard", "0"}
	before := find(t, m, "nova_oxia_window_use", shard...).GetHistogram().GetSampleCount()
	for i := range 5 {
		if _, err := client.Spaces().Records.Put(t.Context(), fmt.Sprintf("k/%d", i), nil, meta.Any()); err != nil {
			t.Fatal(err)
		}
	}
	want(t, m, 7, "nova_oxia_write_window")
	want(t, m, 0, "nova_oxia_sessions_lost_total")
	use := find(t, m, "nova_oxia_window_use", shard...).GetHistogram()
	if n := use.GetSampleCount() - before; n != 5 || use.GetBucket()[0].GetCumulativeCount() < 5 {
		t.Errorf("5 puts in a row were sent as %v", use)
	}
	find(t, m, "nova_oxia_writes_total", shard...)
	find(t, m, "nova_oxia_retries_total", "service", "natural", "namespace", "naming")
}
