package bench

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/fileblob"
)

const (
	mib       = 1 << 20
	totalMiB  = 512
	objectMiB = 8
	producers = 64
	perBatch  = 64 // records of 1 KiB
	inFlight  = 16 // batches of a producer
)

// BenchmarkThroughput appends 512 MiB from 64 producers, and compares with the raw store writing as much in objects of
// 8 MiB, one after the other: producers in the star's own process, and producers over gRPC, who share its processors. Beside
// them stands what the raw store does with as many objects at once as the chain writes slots.
func BenchmarkThroughput(b *testing.B) {
	for b.Loop() {
		raw := rawThroughput(b, 1)
		local, remote := appendThroughput(b, true), appendThroughput(b, false)
		b.ReportMetric(raw, "raw-MiB/s")
		b.ReportMetric(rawThroughput(b, 8), "raw-8-at-once-MiB/s")
		b.ReportMetric(local, "append-MiB/s")
		b.ReportMetric(remote, "grpc-MiB/s")
		b.ReportMetric(local/raw, "ratio(goal>=0.5)")
		b.ReportMetric(remote/raw, "grpc-ratio")
	}
}

func rawThroughput(b *testing.B, workers int) float64 {
	store, err := fileblob.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	object := noise(objectMiB * mib)
	began := time.Now()
	parallel(b, workers, func(worker int) error {
		for i := range totalMiB / objectMiB / workers {
			key := fmt.Sprintf("raw/%d-%d", worker, i)
			if outcome, err := store.PutIfAbsent(b.Context(), key, object); outcome != blob.Created {
				return fmt.Errorf("%s: %v: %w", key, outcome, err)
			}
		}
		return nil
	})
	return totalMiB / time.Since(began).Seconds()
}

func appendThroughput(b *testing.B, inProcess bool) float64 {
	star, local := start(b)
	if inProcess {
		star = local
	}
	batch := batchOf(perBatch, 1024)
	began := time.Now()
	parallel(b, producers, func(worker int) error {
		return produce(b, star, fmt.Sprintf("throughput/%d", worker), batch, totalMiB*mib/producers/(perBatch*1024))
	})
	return totalMiB / time.Since(began).Seconds()
}

// produce appends the batch a number of times, a few in flight.
func produce(b *testing.B, star peer.Star, key string, batch peer.Batch, times int) error {
	s, err := star.OpenSession(b.Context(), peer.OpenRequest{Stream: peer.StreamName{Bucket: "bench", Key: key}, Create: true})
	if err != nil {
		return err
	}
	for sent, acked := 0, 0; acked < times; {
		if sent < times && sent-acked < inFlight {
			if err := s.Send(b.Context(), batch); err != nil {
				return err
			}
			sent++
			continue
		}
		ack, err := s.Recv(b.Context())
		if err != nil {
			return fmt.Errorf("batch %d: %w", acked, err)
		}
		if ack.Err != nil {
			return fmt.Errorf("batch %d: %w", acked, ack.Err)
		}
		acked++
	}
	return s.Close(b.Context())
}

// BenchmarkLoneProducer is the time from append to acknowledgement of a producer that waits for each of its records,
// against a raw durable put of the same size.
func BenchmarkLoneProducer(b *testing.B) {
	const rounds = 1000
	for b.Loop() {
		raw, ours := loneProducer(b, rounds)
		b.ReportMetric(float64(raw.Microseconds()), "raw-p50-us")
		b.ReportMetric(float64(ours.Microseconds()), "ack-p50-us")
		b.ReportMetric(float64(ours)/float64(raw), "ratio(goal<=2)")
	}
}

// loneProducer takes turns between the two, so that both meet the same disk.
func loneProducer(b *testing.B, rounds int) (raw, ours time.Duration) {
	store, err := fileblob.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	star, _ := start(b)
	batch := batchOf(1, 1024)
	s, err := star.OpenSession(b.Context(), peer.OpenRequest{Stream: peer.StreamName{Bucket: "bench", Key: "lone"}, Create: true})
	if err != nil {
		b.Fatal(err)
	}
	puts, acks := make([]time.Duration, rounds), make([]time.Duration, rounds)
	for i := range rounds {
		began := time.Now()
		if outcome, err := store.PutIfAbsent(b.Context(), fmt.Sprintf("raw/%d", i), batch.Records[0].Body); outcome != blob.Created {
			b.Fatal(outcome, err)
		}
		puts[i] = time.Since(began)
		began = time.Now()
		if err := s.Send(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
		if ack, err := s.Recv(b.Context()); err != nil || ack.Err != nil {
			b.Fatal(ack.Err, err)
		}
		acks[i] = time.Since(began)
	}
	return median(puts), median(acks)
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// parallel runs n workers and reports the first error of each.
func parallel(b *testing.B, n int, work func(worker int) error) {
	b.Helper()
	var all sync.WaitGroup
	for worker := range n {
		all.Go(func() {
			if err := work(worker); err != nil {
				b.Error(err)
			}
		})
	}
	all.Wait()
}
