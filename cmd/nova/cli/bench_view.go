package cli

import (
	"math/bits"
	"sync"
	"time"
)

// benchView is what a bench prints. Latencies are in milliseconds.
type benchView struct {
	Producers        int     `json:"producers"`
	Streams          int     `json:"streams"`
	RecordSize       int     `json:"record_size"`
	Seconds          float64 `json:"seconds"`
	Records          uint64  `json:"records"` // acknowledged
	RecordsPerSecond float64 `json:"records_per_second"`
	MiBPerSecond     float64 `json:"mib_per_second"`
	Failed           uint64  `json:"failed"`  // batches that are not in their stream
	Unknown          uint64  `json:"unknown"` // batches of which nobody knows
	Reopens          uint64  `json:"reopens"` // of producers
	P50              float64 `json:"p50_ms"`
	P90              float64 `json:"p90_ms"`
	P99              float64 `json:"p99_ms"`
	P999             float64 `json:"p999_ms"`
	Max              float64 `json:"max_ms"`
	Reads            uint64  `json:"reads"` // records
	ReadP50          float64 `json:"read_p50_ms"`
	ReadP99          float64 `json:"read_p99_ms"`
}

func (l *load) view() benchView {
	seconds := l.ended.Sub(l.began).Seconds()
	records := l.records.Load()
	perSecond := float64(records) / seconds
	v := benchView{
		Producers: l.producers, Streams: len(l.streams), RecordSize: l.size, Seconds: round(seconds), Records: records,
		RecordsPerSecond: round(perSecond), MiBPerSecond: round(perSecond * float64(l.size) / (1 << 20)),
		Failed: l.failed.Load(), Unknown: l.unknown.Load(), Reopens: l.reopens.Load(), Reads: l.reads.Load(),
	}
	v.P50, v.P90, v.P99, v.P999 = l.appends.at(500), l.appends.at(900), l.appends.at(990), l.appends.at(999)
	v.Max, v.ReadP50, v.ReadP99 = l.appends.at(1000), l.fetches.at(500), l.fetches.at(990)
	return v
}

// round keeps three decimals.
func round(f float64) float64 { return float64(int64(f*1000+0.5)) / 1000 }

// latencies count times in buckets of which each is 1/64 wider than the one before it.
type latencies struct {
	mu     sync.Mutex
	counts [64 * 64]uint64
	all    uint64
	most   time.Duration
}

// bucketBits are the bits behind the first that a bucket keeps.
const bucketBits = 6

func bucketOf(d time.Duration) int {
	n := uint64(max(d, 1))
	octave := bits.Len64(n) - 1
	if octave < bucketBits {
		return int(n)
	}
	return (octave-bucketBits+1)<<bucketBits + int(n>>(octave-bucketBits))&(1<<bucketBits-1)
}

// topOf is the longest time in a bucket.
func topOf(bucket int) time.Duration {
	octave, rest := bucket>>bucketBits, bucket&(1<<bucketBits-1)
	if octave == 0 {
		return time.Duration(rest)
	}
	return time.Duration((uint64(1<<bucketBits+rest)+1)<<(octave-1) - 1)
}

func (l *latencies) add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[bucketOf(d)]++
	l.all++
	l.most = max(l.most, d)
}

// at is the time in milliseconds within which so many of a thousand were.
func (l *latencies) at(perMille uint64) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == 0 {
		return 0
	}
	wanted, seen := (l.all*perMille+999)/1000, uint64(0)
	for i, n := range l.counts {
		if seen += n; n > 0 && seen >= wanted {
			return round(float64(min(topOf(i), l.most)) / float64(time.Millisecond))
		}
	}
	return round(float64(l.most) / float64(time.Millisecond))
}
