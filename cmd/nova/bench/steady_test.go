package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	dto "github.com/prometheus/client_model/go"

	"github.com/novastream/nova/cmd/nova/host"
	"github.com/novastream/nova/io/peer"
)

// Lengths of a steady load: until what the opens brought about is over, and while it is measured.
const (
	warmUp  = 3 * time.Second
	measure = 10 * time.Second
)

// steady is a load that appends at a rate, the streams taking turns, whatever is acknowledged when.
type steady struct {
	streams        int
	bytesPerSecond int
	perBatch       int // records
	recordBytes    int
}

// cost is what a load asked of metastore and store while it was measured.
type cost struct {
	seconds, records  float64
	metaCalls, writes float64
	puts, putSeconds  float64
	acks              []time.Duration // of a producer beside the load that waits for each of its records
}

// since is what was asked after an earlier moment.
func (c cost) since(o cost) cost {
	c.records, c.metaCalls, c.writes = c.records-o.records, c.metaCalls-o.metaCalls, c.writes-o.writes
	c.puts, c.putSeconds = c.puts-o.puts, c.putSeconds-o.putSeconds
	return c
}

// run applies the load to a star of its own, whose store is at a URL or in its data directory, and measures while it is steady.
func (l steady) run(b *testing.B, objects string) cost {
	b.Helper()
	monitor := host.NewMonitor()
	_, star := startAs(b, func(cfg *host.Config) {
		cfg.Monitor, cfg.Objects = monitor, objects
		cfg.Limits.Sessions = l.streams + 1
	})
	sessions := make([]peer.Session, l.streams+1)
	parallel(b, 64, func(worker int) (err error) {
		for i := worker; i < len(sessions) && err == nil; i += 64 {
			stream := peer.StreamName{Bucket: "bench", Key: fmt.Sprintf("steady/%d", i)}
			sessions[i], err = star.OpenSession(b.Context(), peer.OpenRequest{Stream: stream, Create: true})
		}
		return err
	})
	probe, sessions := sessions[0], sessions[1:]
	ctx, cancel := context.WithCancel(b.Context())
	var working sync.WaitGroup
	for _, s := range sessions {
		working.Go(func() { take(ctx, b, s) })
	}
	working.Go(func() { l.append(ctx, b, sessions) })
	<-time.After(warmUp)
	began, before := time.Now(), read(b, monitor)
	acks := probeFor(b, probe, measure)
	c := read(b, monitor).since(before)
	c.seconds, c.acks = time.Since(began).Seconds(), acks
	cancel()
	working.Wait()
	return c
}

// probeFor appends a record at a time for so long, and gives how long each took to be acknowledged.
func probeFor(b *testing.B, s peer.Session, length time.Duration) (acks []time.Duration) {
	batch := batchOf(1, 100)
	for began := time.Now(); time.Since(began) < length; <-time.After(10 * time.Millisecond) {
		sent := time.Now()
		if err := s.Send(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
		if ack, err := s.Recv(b.Context()); err != nil || ack.Err != nil {
			b.Fatal(ack.Err, err)
		}
		acks = append(acks, time.Since(sent))
	}
	return acks
}

// append sends batches by the clock, each to the next stream.
func (l steady) append(ctx context.Context, b *testing.B, sessions []peer.Session) {
	batch := batchOf(l.perBatch, l.recordBytes)
	began, sent := time.Now(), 0
	for ctx.Err() == nil {
		due := int(time.Since(began).Seconds() * float64(l.bytesPerSecond) / float64(l.perBatch*l.recordBytes))
		for ; sent < due && ctx.Err() == nil; sent++ {
			if err := sessions[sent%len(sessions)].Send(ctx, batch); err != nil && ctx.Err() == nil {
				b.Error(err)
				return
			}
		}
		<-time.After(time.Millisecond)
	}
}

// take receives what a session is told.
func take(ctx context.Context, b *testing.B, s peer.Session) {
	for ctx.Err() == nil {
		ack, err := s.Recv(ctx)
		if ack.Err != nil {
			err = ack.Err
		}
		if err != nil && !errors.Is(err, context.Canceled) && ctx.Err() == nil {
			b.Error(err)
			return
		}
	}
}

// read reads the totals of now.
func read(b *testing.B, monitor *host.Monitor) (c cost) {
	b.Helper()
	families, err := monitor.Metrics().Gather()
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			n, call := m.GetCounter().GetValue(), label(m, "call")
			switch f.GetName() {
			case "nova_star_append_records_total":
				c.records += n
			case "nova_meta_calls_total":
				c.metaCalls += n
				if label(m, "outcome") == "done" && (call == "put" || call == "put_indexed" || call == "put_ephemeral") {
					c.writes += n
				}
			case "nova_store_call_duration_seconds":
				if call == "put_if_absent" {
					c.puts += float64(m.GetHistogram().GetSampleCount())
					c.putSeconds += m.GetHistogram().GetSampleSum()
				}
			}
		}
	}
	return c
}

func label(m *dto.Metric, name string) string {
	for _, l := range m.GetLabel() {
		if l.GetName() == name {
			return l.GetValue()
		}
	}
	return ""
}

// BenchmarkMetastoreCalls is what a star that takes 25 and 50 MB/s asks of the metastore: once a second for each stream that
// was appended to, however much, so that twice the rate is half as much a record.
func BenchmarkMetastoreCalls(b *testing.B) {
	for _, streams := range []int{1, 8, 64} {
		for _, rate := range []int{25, 50} {
			b.Run(fmt.Sprintf("streams=%d/MB/s=%d", streams, rate), func(b *testing.B) {
				for b.Loop() {
					c := steady{streams: streams, bytesPerSecond: rate * 1e6, perBatch: 64, recordBytes: 1024}.run(b, "")
					b.ReportMetric(c.records*1024/1e6/c.seconds, "MB/s")
					b.ReportMetric(c.metaCalls/c.records*1000, "calls/1000-records(goal<1)")
					b.ReportMetric(c.writes/c.records*1000, "writes/1000-records")
					b.ReportMetric(c.metaCalls/c.seconds, "calls/s")
				}
			})
		}
	}
}

// BenchmarkStorePuts is how many objects a star writes while it takes 4 MB/s in records of 8 KiB, spread over few streams or many: streams share
// flights, so that it is as many. The store answers a put after putLatency, as S3 does: a store on a local disk answers so soon
// that flights hardly wait for each other.
func BenchmarkStorePuts(b *testing.B) {
	for _, streams := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprintf("streams=%d", streams), func(b *testing.B) {
			for b.Loop() {
				c := steady{streams: streams, bytesPerSecond: 4e6, perBatch: 1, recordBytes: 8 << 10}.run(b, slowS3(b))
				b.ReportMetric(c.records*8192/1e6/c.seconds, "MB/s")
				b.ReportMetric(c.puts/c.seconds, "puts/s(goal:unchanged)")
				b.ReportMetric(c.putSeconds/c.puts*1000, "put-ms")
				b.ReportMetric(float64(median(c.acks).Milliseconds()), "ack-p50-ms")
				b.ReportMetric(c.metaCalls/c.seconds, "meta-calls/s")
			}
		})
	}
}

const putLatency = 40 * time.Millisecond

// slowS3 is the URL of an S3 server in this process that answers a put after putLatency.
func slowS3(b *testing.B) (url string) {
	backend := s3mem.New()
	if err := backend.CreateBucket("nova"); err != nil {
		b.Fatal(err)
	}
	next := gofakes3.New(backend).Server()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answered := time.Now().Add(putLatency)
		if next.ServeHTTP(w, r); r.Method == http.MethodPut {
			<-time.After(time.Until(answered))
		}
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of puts that the end of the star cuts
	server.Start()
	b.Cleanup(server.Close)
	b.Setenv("AWS_ACCESS_KEY_ID", "key")
	b.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	return "s3://nova?endpoint=" + server.URL
}
