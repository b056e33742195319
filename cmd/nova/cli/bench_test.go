package cli

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/client"
	"github.com/novastream/nova/io/peer"
)

// TestBench puts a load on a star in memory, and finds the history of it linearizable.
func TestBench(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "load")
	file := filepath.Join(t.TempDir(), "history.jsonl")
	out := b.must("", "bench", "load", "--producers", "3", "--streams", "2", "--readers", "1", "--duration", "3s",
		"--record-size", "64", "--in-flight", "4", "--record", file, "-o", "json")
	var v benchView
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatal(err)
	}
	if v.Records == 0 || v.RecordsPerSecond == 0 || v.P50 == 0 || v.P50 > v.P99 || v.P99 > v.Max || v.Reads == 0 || v.Failed+v.Unknown > 0 {
		t.Errorf("%+v", v)
	}
	if r := judged(t, file); !r.OK() || uint64(r.Witness.Records) != v.Records {
		t.Errorf("%s, %d records", r, v.Records)
	}
	if got := b.must("", "stream", "ls", "load"); strings.Contains(got, "bench") {
		t.Errorf("streams were left behind: %s", got)
	}
}

// TestBenchRefuses what cannot be measured.
func TestBenchRefuses(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "load")
	b.fails(exitUsage, "at least one producer", "--help", "bench", "load", "--producers", "0")
	b.fails(exitUsage, "must be from 16", "--record-size 1024", "bench", "load", "--record-size", "3")
	b.fails(exitUsage, "would take them over", "--streams 8", "bench", "load", "--mode", "fenced")
	b.fails(exitUsage, "at most 16,384 records", "--batch 16384", "bench", "load", "--batch", "100000", "--record-size", "16")
	b.fails(exitUsage, "at most 4.0 MiB", "--batch 4096", "bench", "load", "--batch", "5000")
	b.fails(exitUsage, "is no bucket", "nova bench BUCKET", "bench", "load/x")
	b.fails(exitNotFound, "does not exist", "nova bucket create none", "bench", "none")
	b.fails(exitUsage, "--record - is not stdout", "--record /dev/stdout", "bench", "load", "--record", "-")
	b.fails(exitUsage, "cannot write --record", "--record", "bench", "load", "--record", filepath.Join(t.TempDir(), "no/such/folder"))
}

// crowded is a star that takes nothing.
type crowded struct{ peer.Star }

func (crowded) CreateStream(context.Context, peer.CreateStreamRequest) (peer.Stream, error) {
	return peer.Stream{}, &peer.Error{Code: peer.Invalid, What: "stream load/x", Reason: "this star has no stores of class express", Try: "another class"}
}

func (crowded) OpenSession(context.Context, peer.OpenRequest) (peer.Session, error) {
	return nil, &peer.Error{Code: peer.Shed, What: "stream load/x", Reason: "4096 producer sessions are open", Try: "fewer producers"}
}

// TestBenchSaysWhyNothingWasAcknowledged, with what the star said and the star's own advice.
func TestBenchSaysWhyNothingWasAcknowledged(t *testing.T) {
	a, b := &app{}, &benching{bucket: "load", streams: 1, duration: time.Second}
	_, err := a.benchStreams(t.Context(), &client.Fleet{Star: crowded{}}, b)
	if text, try := a.words(err); !strings.Contains(text, "no stores of class express") || try != "another class" {
		t.Errorf("%s, try %s", text, try)
	}
	l := &load{benching: b}
	if text, try := a.words(l.nothing()); !strings.Contains(text, "is busy for a moment: no record was acknowledged in 1s") || !strings.Contains(try, "--duration") {
		t.Errorf("%s, try %s", text, try)
	}
	working, cancel := context.WithTimeout(t.Context(), reopenPause/2)
	defer cancel()
	l.produce(working, t.Context(), crowded{}, peer.StreamName{Bucket: "load", Key: "x"})
	err = l.nothing()
	if text, try := a.words(err); !strings.Contains(text, "4096 producer sessions are open") || try != "fewer producers" || exitCode(err) != exitLater {
		t.Errorf("%s, try %s", text, try)
	}
}

// TestLatencies keeps percentiles within 1/64.
func TestLatencies(t *testing.T) {
	var l latencies
	for i := range 10_000 {
		l.add(time.Duration(i+1) * 100 * time.Microsecond)
	}
	for perMille, want := range map[uint64]float64{500: 500, 900: 900, 990: 990, 999: 999, 1000: 1000} {
		if got := l.at(perMille); got < want*0.999 || got > want*(1+1.0/64) {
			t.Errorf("%d of 1000: %v ms, want %v", perMille, got, want)
		}
	}
	for d := time.Duration(1); d < time.Hour; d += d/3 + 1 {
		if top := topOf(bucketOf(d)); top < d || top > d+d/64+1 {
			t.Errorf("%v is in a bucket up to %v", d, top)
		}
	}
}
