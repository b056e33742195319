package host

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/novastream/nova/core/star"
	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/metrics"
	"github.com/novastream/nova/realio/oxiameta"
)

// patience is how long a star may take to say how it does.
const patience = 2 * time.Second

// Monitor tells those who watch a process how its star does: numbers at /metrics, whether the process answers at /livez, and
// whether the star is registered and serves at /readyz. It answers before the star is there, and while it stops.
type Monitor struct {
	meter  *metrics.Meter
	asking chan struct{} // full while a question to the star is under way

	mu   sync.Mutex
	star *Star // nil until it serves
}

// NewMonitor makes a monitor of a star that is yet to start.
func NewMonitor() *Monitor {
	m := &Monitor{meter: metrics.New(), asking: make(chan struct{}, 1)}
	m.meter.MustRegister(starCollector{m})
	return m
}

// Handler answers /metrics, /livez and /readyz.
func (m *Monitor) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.meter, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if err := m.ready(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return mux
}

// Metrics are all that /metrics may show.
func (m *Monitor) Metrics() *prometheus.Registry { return m.meter.Registry }

var (
	errStarting     = errors.New("the star is starting")
	errStopping     = errors.New("the star is stopping")
	errStopped      = errors.New("the star has stopped")
	errUnregistered = errors.New("the star is not registered: the metastore is out of reach, or its session has ended")
	errSilent       = fmt.Errorf("the star did not say within %v how it does", patience)
)

// ready says why the star is not ready.
func (m *Monitor) ready(ctx context.Context) error {
	r, err := m.readings(ctx)
	switch {
	case err != nil:
		return err
	case r.Stopping:
		return errStopping
	case !r.Registered:
		return errUnregistered
	default:
		return nil
	}
}

// readings asks the star, which answers at once unless a task of it computes for long, or for ever. One question is under way
// at a time, so that those of a star that never answers do not pile up.
func (m *Monitor) readings(ctx context.Context) (star.Readings, error) {
	m.mu.Lock()
	s := m.star
	m.mu.Unlock()
	if s == nil {
		return star.Readings{}, errStarting
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case m.asking <- struct{}{}:
	case <-ctx.Done():
		return star.Readings{}, errSilent
	}
	answer := make(chan star.Readings, 1)
	go func() {
		defer func() { <-m.asking }()
		defer close(answer)
		_ = s.run.Do(context.WithoutCancel(ctx), "readings", func(context.Context) { answer <- s.core.Readings() }) // a closed channel tells
	}()
	select {
	case r, ok := <-answer:
		if !ok {
			return r, errStopped
		}
		return r, nil
	case <-ctx.Done():
		return star.Readings{}, errSilent
	}
}

// waited is for how long tasks of the star have waited for each other.
func (m *Monitor) waited() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.star.run.Waited()
}

// follow makes a star that serves the one that the monitor tells of.
func (m *Monitor) follow(s *Star) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.star = s
}

// spaces are the namespaces of a client, with their calls measured.
func (m *Monitor) spaces(c metaClient) meta.Spaces {
	if m == nil {
		return c.Spaces()
	}
	if client, ok := c.(*oxiameta.Client); ok {
		m.meter.Oxia(client)
	}
	return m.meter.Spaces(c.Spaces())
}

// store is a store with its calls measured.
func (m *Monitor) store(class peer.Class, zone string, s blob.Store) blob.Store {
	if m == nil {
		return s
	}
	return m.meter.Store(class.String(), zone, s)
}
