package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// calls are the metrics of the calls of one contract. Labels say where a call went, and which one it was.
type calls struct {
	seconds  *prometheus.HistogramVec
	total    *prometheus.CounterVec
	underWay *prometheus.GaugeVec
}

var _ prometheus.Collector = (*calls)(nil)

func newCalls(prefix, to string, where ...string) *calls {
	one := append(where[:len(where):len(where)], "call")
	ended := append(one[:len(one):len(one)], "outcome")
	return &calls{
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: prefix + "_call_duration_seconds", Help: "How long calls to " + to + " took, retries included.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 2, 16), // to 16 s
		}, one),
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: prefix + "_calls_total", Help: "Calls to " + to + " that ended, by what became of them.",
		}, ended),
		underWay: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: prefix + "_calls_under_way", Help: "Calls to " + to + " that have not ended.",
		}, where),
	}
}

// Describe gives the metrics.
func (c *calls) Describe(to chan<- *prometheus.Desc) {
	c.seconds.Describe(to)
	c.total.Describe(to)
	c.underWay.Describe(to)
}

// Collect gives their values.
func (c *calls) Collect(to chan<- prometheus.Metric) {
	c.seconds.Collect(to)
	c.total.Collect(to)
	c.underWay.Collect(to)
}

// at are the metrics of calls that go to one place.
func (c *calls) at(where prometheus.Labels) *place {
	return &place{c.seconds.MustCurryWith(where), c.total.MustCurryWith(where), c.underWay.With(where)}
}

type place struct {
	seconds  prometheus.ObserverVec
	total    *prometheus.CounterVec
	underWay prometheus.Gauge
}

// begin measures a call until ended is called.
func (p *place) begin(call string) (ended func(outcome string)) {
	p.underWay.Inc()
	began := time.Now()
	return func(outcome string) {
		p.seconds.WithLabelValues(call).Observe(time.Since(began).Seconds())
		p.total.WithLabelValues(call, outcome).Inc()
		p.underWay.Dec()
	}
}
