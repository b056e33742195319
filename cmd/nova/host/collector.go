package host

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/novastream/nova/core/star"
)

// starCollector tells the numbers of the star that a monitor follows: none before it serves and after it stopped.
type starCollector struct{ *Monitor }

var _ prometheus.Collector = starCollector{}

// starMetric is a number of a star.
type starMetric struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	read func(star.Readings) float64
}

// lineMetric is a number of one class of a star.
type lineMetric struct {
	desc *prometheus.Desc
	read func(star.LineReadings) float64
}

func starMetrics() []starMetric {
	metric := func(name, help string, kind prometheus.ValueType, read func(star.Readings) float64) starMetric {
		return starMetric{prometheus.NewDesc(name, help, nil, nil), kind, read}
	}
	const counter, gauge = prometheus.CounterValue, prometheus.GaugeValue
	return []starMetric{
		metric("nova_star_ready", "1 where the star is registered and serves, and /readyz says so.", gauge,
			func(r star.Readings) float64 { return number(r.Registered && !r.Stopping) }),
		metric("nova_star_streams_led", "Streams that the star leads.", gauge,
			func(r star.Readings) float64 { return float64(r.Leading) }),
		metric("nova_star_streams_limbo", "Of those, streams whose departure cannot land yet.", gauge,
			func(r star.Readings) float64 { return float64(r.Limbo) }),
		metric("nova_star_producer_sessions", "Sessions of producers.", gauge,
			func(r star.Readings) float64 { return float64(r.Sessions) }),
		metric("nova_star_retained_bytes", "Bytes that were admitted and that refs do not cover yet.", gauge,
			func(r star.Readings) float64 { return float64(r.RetainedBytes) }),
		metric("nova_star_warnings", "Warnings of nova health.", gauge,
			func(r star.Readings) float64 { return float64(r.Warnings) }),
		metric("nova_star_append_records_total", "Records of appends that were given their seqs.", counter,
			func(r star.Readings) float64 { return float64(r.Records) }),
		metric("nova_star_append_bytes_total", "Bytes of those records.", counter,
			func(r star.Readings) float64 { return float64(r.Bytes) }),
		metric("nova_star_hot_read_bytes_total", "Bytes that were read from the memory of leaderships.", counter,
			func(r star.Readings) float64 { return float64(r.HotReadBytes) }),
		metric("nova_star_heals_total", "Orphaned leases that were healed.", counter,
			func(r star.Readings) float64 { return float64(r.Heals) }),
	}
}

func lineMetrics() []lineMetric {
	metric := func(name, help string, read func(star.LineReadings) float64) lineMetric {
		return lineMetric{prometheus.NewDesc(name, help, []string{"class"}, nil), read}
	}
	return []lineMetric{
		metric("nova_star_chain_active", "1 where a chain epoch of the class is active: without one nothing is acknowledged.",
			func(l star.LineReadings) float64 { return number(l.Writing) }),
		metric("nova_star_admitted_bytes", "Bytes of batches that the stores have not decided yet.",
			func(l star.LineReadings) float64 { return float64(l.AdmittedBytes) }),
		metric("nova_star_backlog_age_seconds", "Age of the oldest flight that is not absorbed, or 0.",
			func(l star.LineReadings) float64 { return l.Backlog.Seconds() }),
	}
}

func infoDesc() *prometheus.Desc {
	return prometheus.NewDesc("nova_star_info", "1, with who the star is.", []string{"star", "boot", "location", "version"}, nil)
}

func batonDesc() *prometheus.Desc {
	return prometheus.NewDesc("nova_star_baton_wait_seconds_total", "Time for which tasks that could run waited for other tasks of the star.", nil, nil)
}

// Describe gives the metrics.
func (c starCollector) Describe(to chan<- *prometheus.Desc) {
	to <- infoDesc()
	to <- batonDesc()
	for _, m := range starMetrics() {
		to <- m.desc
	}
	for _, m := range lineMetrics() {
		to <- m.desc
	}
}

// Collect asks the star.
func (c starCollector) Collect(to chan<- prometheus.Metric) {
	r, err := c.readings(context.Background())
	if err != nil {
		return
	}
	to <- prometheus.MustNewConstMetric(infoDesc(), prometheus.GaugeValue, 1, string(r.Star), string(r.Boot), r.Location, r.Version)
	to <- prometheus.MustNewConstMetric(batonDesc(), prometheus.CounterValue, c.waited().Seconds())
	for _, m := range starMetrics() {
		to <- prometheus.MustNewConstMetric(m.desc, m.kind, m.read(r))
	}
	for _, line := range r.Lines {
		for _, m := range lineMetrics() {
			to <- prometheus.MustNewConstMetric(m.desc, prometheus.GaugeValue, m.read(line), line.Class.Word())
		}
	}
}

func number(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
