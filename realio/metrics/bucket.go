package metrics

import "github.com/prometheus/client_golang/prometheus"

func requestsDesc() *prometheus.Desc {
	return prometheus.NewDesc("nova_store_requests_total", "Requests sent to an S3 server.", []string{"class", "zone"}, nil)
}

func retriesDesc() *prometheus.Desc {
	return prometheus.NewDesc("nova_store_retries_total", "Requests to an S3 server that asked again after a failure.", []string{"class", "zone"}, nil)
}

// bucketCollector reads the counts of the stores on S3.
type bucketCollector struct{ *Meter }

func (b bucketCollector) Describe(to chan<- *prometheus.Desc) {
	to <- requestsDesc()
	to <- retriesDesc()
}

func (b bucketCollector) Collect(to chan<- prometheus.Metric) {
	b.mu.Lock()
	buckets := b.buckets
	b.mu.Unlock()
	for _, s := range buckets {
		stats := s.stats()
		to <- prometheus.MustNewConstMetric(requestsDesc(), prometheus.CounterValue, float64(stats.Requests), s.class, s.zone)
		to <- prometheus.MustNewConstMetric(retriesDesc(), prometheus.CounterValue, float64(stats.Retries), s.class, s.zone)
	}
}
