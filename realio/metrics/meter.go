package metrics

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/novastream/nova/realio/oxiameta"
	"github.com/novastream/nova/realio/s3blob"
)

// Meter keeps the metrics of one process.
type Meter struct {
	*prometheus.Registry
	meta   *calls
	stores *calls
	bytes  *prometheus.CounterVec

	mu      sync.Mutex
	oxia    func() oxiameta.Stats // nil: the metastore is not on Oxia
	buckets []bucket
}

// bucket is a store on S3, by the labels of its calls.
type bucket struct {
	class, zone string
	stats       func() s3blob.Stats
}

// New makes a meter that has counted nothing.
func New() *Meter {
	m := &Meter{
		Registry: prometheus.NewRegistry(),
		meta:     newCalls("nova_meta", "the metastore", "space"),
		stores:   newCalls("nova_store", "a store", "class", "zone"),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "nova_store_bytes_total", Help: "Bytes of objects that calls to a store wrote or read.",
		}, []string{"class", "zone", "call"}),
	}
	m.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.MustRegister(m.meta, m.stores, m.bytes, oxiaCollector{m}, bucketCollector{m})
	return m
}
