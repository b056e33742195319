package metrics

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/novastream/nova/realio/oxiameta"
)

// Oxia tells the meter of the client that the metastore's calls go through.
func (m *Meter) Oxia(c *oxiameta.Client) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.oxia = c.Stats
}

// oxiaMetric is a number of a shard.
type oxiaMetric struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	read func(oxiameta.ShardStats) float64
}

// perShard are the numbers of each shard.
func perShard() []oxiaMetric {
	metric := func(name, help string, kind prometheus.ValueType, read func(oxiameta.ShardStats) float64) oxiaMetric {
		return oxiaMetric{shardDesc(name, help), kind, read}
	}
	const counter, gauge = prometheus.CounterValue, prometheus.GaugeValue
	return []oxiaMetric{
		metric("nova_oxia_retries_total", "Tries at a server of Oxia that failed and were made again.", counter,
			func(s oxiameta.ShardStats) float64 { return float64(s.Retries) }),
		metric("nova_oxia_writes_total", "Writes sent to Oxia.", counter,
			func(s oxiameta.ShardStats) float64 { return float64(s.Writes) }),
		metric("nova_oxia_batch_bytes_total", "Bytes of the batches of writes sent to Oxia.", counter,
			func(s oxiameta.ShardStats) float64 { return float64(s.BatchBytes) }),
		metric("nova_oxia_window_full_seconds_total", "Time for which writes waited because the window of batches was full.", counter,
			func(s oxiameta.ShardStats) float64 { return s.Full.Seconds() }),
		metric("nova_oxia_queued_writes", "Writes that wait to be sent to Oxia.", gauge,
			func(s oxiameta.ShardStats) float64 { return float64(s.Queued) }),
		metric("nova_oxia_unanswered_batches", "Batches of writes that Oxia has not answered.", gauge,
			func(s oxiameta.ShardStats) float64 { return float64(s.Unanswered) }),
	}
}

func shardDesc(name, help string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, []string{"service", "namespace", "shard"}, nil)
}

func windowUseDesc() *prometheus.Desc {
	return shardDesc("nova_oxia_window_use", "Batches under way for a shard when one more was sent, that one counted.")
}

func windowDesc() *prometheus.Desc {
	return prometheus.NewDesc("nova_oxia_write_window", "Batches that may be under way for a shard: --oxia-write-window.", nil, nil)
}

func lostDesc() *prometheus.Desc {
	return prometheus.NewDesc("nova_oxia_sessions_lost_total", "Sessions that Oxia ended before this star did.", nil, nil)
}

// oxiaCollector reads the client's counts.
type oxiaCollector struct{ *Meter }

func (o oxiaCollector) Describe(to chan<- *prometheus.Desc) {
	for _, m := range perShard() {
		to <- m.desc
	}
	to <- windowUseDesc()
	to <- windowDesc()
	to <- lostDesc()
}

func (o oxiaCollector) Collect(to chan<- prometheus.Metric) {
	o.mu.Lock()
	read := o.oxia
	o.mu.Unlock()
	if read == nil {
		return
	}
	stats := read()
	to <- prometheus.MustNewConstMetric(windowDesc(), prometheus.GaugeValue, float64(stats.Window))
	to <- prometheus.MustNewConstMetric(lostDesc(), prometheus.CounterValue, float64(stats.SessionsLost))
	metrics, use := perShard(), windowUseDesc()
	for _, s := range stats.Shards {
		labels := []string{s.Service, s.Namespace, strconv.FormatInt(s.Shard, 10)}
		for _, m := range metrics {
			to <- prometheus.MustNewConstMetric(m.desc, m.kind, m.read(s), labels...)
		}
		to <- prometheus.MustNewConstHistogram(use, s.Batches, float64(s.UseSum), usedUpTo(s), labels...)
	}
}

// usedUpTo are the batches that were sent with at most so many under way.
func usedUpTo(s oxiameta.ShardStats) map[float64]uint64 {
	upTo, sum := map[float64]uint64{}, uint64(0)
	for i, n := range s.Use {
		sum += n
		upTo[float64(uint(1)<<i)] = sum
	}
	return upTo
}
