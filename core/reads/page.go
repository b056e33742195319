package reads

import (
	"slices"
	"time"

	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/io/peer"
)

// defaultPageBytes is how much one fetch answers where the request says nothing; maxPageBytes is the most.
const (
	defaultPageBytes = 1 << 20
	maxPageBytes     = 8 << 20
	maxPageRecords   = 65536
)

// page collects the records of one answer.
type page struct {
	next              uint64
	records           []peer.Record
	bytes             int
	mostCount, mostBy int
	scan              format.Scan
}

func newPage(req peer.FetchRequest) *page {
	p := &page{next: req.From, mostCount: req.MaxCount, mostBy: req.MaxBytes}
	if p.mostCount <= 0 || p.mostCount > maxPageRecords {
		p.mostCount = maxPageRecords
	}
	if p.mostBy <= 0 {
		p.mostBy = defaultPageBytes
	}
	p.mostBy = min(p.mostBy, maxPageBytes)
	return p
}

func (p *page) full() bool { return len(p.records) >= p.mostCount || p.bytes >= p.mostBy }

// add takes the records from p.next on out of a window that begins at first.
func (p *page) add(key string, first keys.Seq, raw []byte) error {
	seq := uint64(first)
	seq += p.scan.Start(key, raw, p.next-min(p.next, seq))
	for batch, ok := p.scan.Next(); ok; batch, ok = p.scan.Next() {
		p.records = slices.Grow(p.records, min(len(batch.Records), p.mostCount-len(p.records)))
		for _, rec := range batch.Records {
			if seq == p.next {
				if p.full() {
					return nil
				}
				p.take(seq, rec)
			}
			seq++
		}
	}
	return p.scan.Err()
}

func (p *page) take(seq uint64, rec format.Record) {
	out := peer.Record{Seq: seq, Timestamp: time.UnixMicro(rec.StampMicros).UTC(), Body: rec.Body}
	p.bytes += len(rec.Body)
	if len(rec.Headers) > 0 {
		out.Headers = make([]peer.Header, 0, len(rec.Headers))
	}
	for _, h := range rec.Headers {
		out.Headers = append(out.Headers, peer.Header{Name: h.Name, Value: h.Value})
		p.bytes += len(h.Name) + len(h.Value)
	}
	p.records = append(p.records, out)
	p.next = seq + 1
}

func (p *page) reply() peer.FetchReply { return peer.FetchReply{Records: p.records, Next: p.next} }
