package host

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/io/peer"
)

// watched is a site whose one star, not started yet, is watched, and what answers those who watch.
func watched(t *testing.T) (*Site, watcher) {
	t.Helper()
	monitor := NewMonitor()
	site, err := Open(t.Context(), Config{
		DataDir: t.TempDir(), Location: "here", Version: "v1", SessionTimeout: 15 * time.Second, AbsorbFanout: 16,
		Limits: leadership.DefaultLimits(), Log: slog.New(slog.DiscardHandler), Monitor: monitor,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := site.Close(); err != nil {
			t.Error(err)
		}
	})
	return site, watcher{t, monitor.Handler()}
}

func startStar(t *testing.T, site *Site) *Star {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	star, err := site.Start(t.Context(), "1", listener, "")
	if err != nil {
		t.Fatal(err)
	}
	return star
}

type watcher struct {
	*testing.T
	http.Handler
}

// asks demands a status and words.
func (w watcher) asks(path string, status int, words string) (text string) {
	w.Helper()
	r := httptest.NewRecorder()
	w.ServeHTTP(r, httptest.NewRequest(http.MethodGet, path, nil))
	if text = r.Body.String(); r.Code != status || !strings.Contains(text, words) {
		w.Errorf("%s: %d %q, want %d with %q", path, r.Code, text, status, words)
	}
	return text
}

// scrapes gives the values of all series by name and labels.
func (w watcher) scrapes() map[string]float64 {
	w.Helper()
	series := map[string]float64{}
	for line := range strings.Lines(w.asks("/metrics", http.StatusOK, "")) {
		at := strings.LastIndexByte(line, ' ')
		if strings.HasPrefix(line, "#") || at < 0 {
			continue
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(line[at:]), 64)
		if err != nil {
			w.Fatalf("%q: %v", line, err)
		}
		series[line[:at]] = value
	}
	return series
}

// A star is ready from when it serves until it stops; the process lives all the time.
func TestReadiness(t *testing.T) {
	site, w := watched(t)
	w.asks("/readyz", http.StatusServiceUnavailable, "starting")
	w.asks("/livez", http.StatusOK, "ok")
	star := startStar(t, site)
	w.asks("/readyz", http.StatusOK, "ok")
	if err := star.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	w.asks("/readyz", http.StatusServiceUnavailable, "stopped")
	w.asks("/livez", http.StatusOK, "ok")
	w.asks("/metrics", http.StatusOK, "nova_store_calls_total")
	w.asks("/none", http.StatusNotFound, "")
}

// A star of which a task never ends, so that no other comes to run, is not ready, and is asked once.
func TestASilentStarIsNotReady(t *testing.T) {
	site, w := watched(t)
	star := startStar(t, site)
	held, let := make(chan struct{}), make(chan struct{})
	go func() {
		_ = star.run.Do(context.Background(), "endless", func(context.Context) {
			close(held)
			<-let
		})
	}()
	<-held
	for range 2 {
		w.asks("/readyz", http.StatusServiceUnavailable, "did not say")
	}
	close(let)
	w.asks("/readyz", http.StatusOK, "ok")
	if err := star.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// The numbers after appends of 3 times 10 records of 100 bytes to each of two streams.
func TestMetrics(t *testing.T) {
	site, w := watched(t)
	star := startStar(t, site)
	serving, ctx := star.Local(), t.Context()
	if _, err := serving.CreateBucket(ctx, peer.Bucket{Name: "logs", CreateOnOpen: true}); err != nil {
		t.Fatal(err)
	}
	batch := peer.Batch{Records: make([]peer.Record, 10)}
	for i := range batch.Records {
		batch.Records[i].Body = make([]byte, 100)
	}
	for _, key := range []string{"a", "b"} {
		session, err := serving.OpenSession(ctx, peer.OpenRequest{Stream: peer.StreamName{Bucket: "logs", Key: key}, Create: true})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := session.Send(ctx, batch); err != nil {
				t.Fatal(err)
			}
			if ack, err := session.Recv(ctx); err != nil || ack.Err != nil {
				t.Fatal(ack, err)
			}
		}
	}
	series := w.scrapes()
	for name, want := range map[string]float64{
		"nova_star_ready":                                      1,
		"nova_star_streams_led":                                2,
		"nova_star_streams_limbo":                              0,
		"nova_star_producer_sessions":                          2,
		"nova_star_append_records_total":                       60,
		"nova_star_heals_total":                                0,
		"nova_star_warnings":                                   0,
		`nova_star_chain_active{class="standard"}`:             1,
		`nova_star_admitted_bytes{class="standard"}`:           0,
		`nova_store_calls_under_way{class="standard",zone=""}`: 0,
		`nova_meta_call_duration_seconds_count{call="put_indexed",space="naming"}`:            2,
		`nova_meta_calls_total{call="put_indexed",outcome="done",space="naming"}`:             2,
		`nova_store_calls_total{call="get",class="standard",outcome="not_found",zone=""}`:     1, // the store is new
		`nova_meta_call_duration_seconds_bucket{call="put_indexed",space="naming",le="+Inf"}`: 2,
	} {
		if got, ok := series[name]; !ok || got != want {
			t.Errorf("%s is %v (there: %v), want %v", name, got, ok, want)
		}
	}
	for _, name := range []string{
		"nova_star_append_bytes_total", `nova_store_bytes_total{call="put_if_absent",class="standard",zone=""}`, "go_goroutines",
		`nova_store_calls_total{call="put_if_absent",class="standard",outcome="created",zone=""}`, "process_open_fds",
		`nova_meta_calls_total{call="put_ephemeral",outcome="done",space="ephemeral"}`,
	} {
		if series[name] <= 0 {
			t.Errorf("%s is %v", name, series[name])
		}
	}
	if err := star.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, there := w.scrapes()["nova_star_ready"]; there {
		t.Error("a star that has stopped has numbers still")
	}
}
