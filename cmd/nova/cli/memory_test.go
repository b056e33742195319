package cli

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/novastream/nova/io/peer"
)

// memory is a star that keeps everything in memory, for tests of what commands do with its answers.
type memory struct {
	mu      sync.Mutex
	addr    string
	buckets map[string]peer.Bucket
	streams map[peer.StreamName]*memoryStream
	failing map[string]error // by method: answered instead

	refusals int // batches that are yet to be refused as not appended
}

type memoryStream struct {
	info    peer.Stream
	token   uint64
	records []peer.Record
}

var epoch = time.UnixMicro(1_700_000_000_000_000).UTC()

func newMemory() *memory {
	return &memory{buckets: map[string]peer.Bucket{}, streams: map[peer.StreamName]*memoryStream{}, failing: map[string]error{}}
}

// fail makes a method answer an error, or its own again.
func (m *memory) fail(method string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failing[method] = err
}

func notFound(what string) error { return &peer.Error{Code: peer.NotFound, What: what} }

func (m *memory) stream(name peer.StreamName) (*memoryStream, error) {
	s, ok := m.streams[name]
	if !ok {
		return nil, notFound("stream " + name.String())
	}
	return s, nil
}

func (m *memory) CreateBucket(_ context.Context, b peer.Bucket) (peer.Bucket, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if strings.ContainsAny(b.Name, "_ABC") {
		return b, &peer.Error{Code: peer.Invalid, What: "bucket name \"" + b.Name + "\"", Reason: "must be 1 to 63 characters of a-z, 0-9 and -"}
	}
	if _, ok := m.buckets[b.Name]; ok {
		return b, &peer.Error{Code: peer.AlreadyExists, What: "bucket " + b.Name}
	}
	b.Created = epoch
	m.buckets[b.Name] = b
	return b, nil
}

func (m *memory) DescribeBucket(_ context.Context, name string) (peer.Bucket, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b, ok := m.buckets[name]; ok {
		return b, nil
	}
	return peer.Bucket{}, notFound("bucket " + name)
}

// page cuts a sorted listing; two names a page make every test page.
func page[T any](all []T, p peer.Page, name func(T) string) []T {
	slices.SortFunc(all, func(a, b T) int { return strings.Compare(name(a), name(b)) })
	var out []T
	for _, v := range all {
		if n := name(v); strings.HasPrefix(n, p.Prefix) && n > p.After && len(out) < 2 {
			out = append(out, v)
		}
	}
	return out
}

func (m *memory) ListBuckets(_ context.Context, p peer.Page) ([]peer.Bucket, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []peer.Bucket
	for _, b := range m.buckets {
		all = append(all, b)
	}
	return page(all, p, func(b peer.Bucket) string { return b.Name }), nil
}

func (m *memory) CreateStream(_ context.Context, q peer.CreateStreamRequest) (peer.Stream, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.create(q)
}

func (m *memory) create(q peer.CreateStreamRequest) (peer.Stream, error) {
	b, ok := m.buckets[q.Stream.Bucket]
	if !ok {
		return peer.Stream{}, notFound("bucket " + q.Stream.Bucket)
	}
	if _, ok := m.streams[q.Stream]; ok {
		return peer.Stream{}, &peer.Error{Code: peer.AlreadyExists, What: "stream " + q.Stream.String()}
	}
	info := peer.Stream{Name: q.Stream, ID: "id-" + q.Stream.Key, Mode: q.Mode, Class: peer.ClassStandard, Created: epoch}
	if info.Mode == peer.ModeDefault {
		info.Mode = max(b.Mode, peer.ModeAny)
	}
	m.streams[q.Stream] = &memoryStream{info: info}
	return info, nil
}

func (m *memory) DescribeStream(_ context.Context, name peer.StreamName) (peer.StreamInfo, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.stream(name)
	if err != nil {
		return peer.StreamInfo{}, err
	}
	return peer.StreamInfo{Stream: s.info, Leader: "star-1", LeaderAddr: m.addr, Epoch: 3, RefsTail: uint64(len(s.records)), Rows: 1}, nil
}

func (m *memory) ListStreams(_ context.Context, bucket string, p peer.Page) ([]peer.Stream, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.buckets[bucket]; !ok {
		return nil, notFound("bucket " + bucket)
	}
	var all []peer.Stream
	for name, s := range m.streams {
		if name.Bucket == bucket {
			all = append(all, s.info)
		}
	}
	return page(all, p, func(s peer.Stream) string { return s.Name.Key }), nil
}

func (m *memory) DeleteStream(_ context.Context, name peer.StreamName) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.stream(name); err != nil {
		return err
	}
	delete(m.streams, name)
	return nil
}

func (m *memory) Fetch(ctx context.Context, q peer.FetchRequest) (peer.FetchReply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.failing["fetch"]; err != nil {
		return peer.FetchReply{}, err
	}
	s, err := m.stream(q.Stream)
	if err != nil {
		return peer.FetchReply{}, err
	}
	reply := peer.FetchReply{Next: q.From}
	for reply.Next < uint64(len(s.records)) && len(reply.Records) < min(2, max(q.MaxCount, 1)) {
		reply.Records = append(reply.Records, s.records[reply.Next])
		reply.Next++
	}
	reply.AtTail = reply.Next >= uint64(len(s.records))
	return reply, ctx.Err()
}

func (m *memory) Tail(_ context.Context, name peer.StreamName) (peer.TailReply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.stream(name)
	if err != nil {
		return peer.TailReply{}, err
	}
	reply := peer.TailReply{Next: uint64(len(s.records))}
	if n := len(s.records); n > 0 {
		reply.Last = s.records[n-1].Timestamp
	}
	return reply, nil
}

func (m *memory) Certify(context.Context, peer.CertifyRequest) (peer.CertifyReply, error) {
	return peer.CertifyReply{}, nil
}

func (m *memory) Health(ctx context.Context) (peer.Health, error) {
	m.mu.Lock()
	err, wait := m.failing["health"], m.failing["health-waits"]
	m.mu.Unlock()
	if wait != nil {
		<-ctx.Done()
		return peer.Health{}, ctx.Err()
	}
	return peer.Health{Status: "serving", Star: "star-1", Location: "zone-a", Version: "v1", Leading: 2, Drained: false}, err
}

func (m *memory) Fleet(context.Context) ([]peer.FleetStar, error) {
	return []peer.FleetStar{{Star: "star-1", Location: "zone-a", Addr: m.addr, Leading: 2}, {Star: "star-2", Addr: "b:1", Draining: true}}, nil
}

func (m *memory) OpenSession(_ context.Context, q peer.OpenRequest) (peer.Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.stream(q.Stream)
	if err != nil && q.Create && m.buckets[q.Stream.Bucket].CreateOnOpen {
		if _, err = m.create(peer.CreateStreamRequest{Stream: q.Stream}); err == nil {
			s = m.streams[q.Stream]
		}
	}
	if err != nil {
		return nil, err
	}
	if q.Token != 0 && q.Token < s.token {
		return nil, &peer.Error{Code: peer.Fenced, What: "stream " + q.Stream.String(), Token: s.token}
	}
	s.token = max(q.Token, s.token)
	return &memorySession{m: m, s: s, acks: make(chan peer.Ack, 1<<16), opened: peer.Opened{
		StreamID: s.info.ID, Star: "star-1", Addr: m.addr, Mode: s.info.Mode, Token: s.token, Next: uint64(len(s.records)),
	}}, nil
}

type memorySession struct {
	m      *memory
	s      *memoryStream
	acks   chan peer.Ack
	opened peer.Opened
}

func (s *memorySession) Opened() peer.Opened { return s.opened }

func (s *memorySession) Send(_ context.Context, b peer.Batch) error {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	if ack := s.sequence(b); string(b.Records[len(b.Records)-1].Body) != "mute" { // what ends so is appended, and not answered
		s.acks <- ack
	}
	return nil
}

func (s *memorySession) sequence(b peer.Batch) peer.Ack {
	tail := uint64(len(s.s.records))
	if b.MatchSeq != nil && *b.MatchSeq != tail {
		return peer.Ack{Err: &peer.Error{Code: peer.MatchFailed, What: "stream " + s.s.info.Name.String(), Tail: tail}}
	}
	if s.m.refusals > 0 {
		s.m.refusals--
		return peer.Ack{Err: &peer.Error{Code: peer.NotAppended, What: "stream " + s.s.info.Name.String(), Reason: "the leadership ended"}}
	}
	for _, r := range b.Records {
		if string(r.Body) == "poison" {
			return peer.Ack{Err: &peer.Error{Code: peer.TooLarge, What: "stream " + s.s.info.Name.String(), Reason: "it is too much"}}
		}
	}
	for _, r := range b.Records {
		r.Seq, r.Timestamp = uint64(len(s.s.records)), epoch.Add(time.Duration(len(s.s.records))*time.Second)
		s.s.records = append(s.s.records, r)
	}
	return peer.Ack{First: tail, Next: uint64(len(s.s.records))}
}

func (s *memorySession) Recv(ctx context.Context) (peer.Ack, error) {
	select {
	case a := <-s.acks:
		return a, nil
	case <-ctx.Done():
		return peer.Ack{}, ctx.Err()
	}
}

func (s *memorySession) Close(context.Context) error { return nil }
