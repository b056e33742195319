package iotest

import (
	"context"
	"reflect"
	"strings"
	"time"

	"github.com/novastream/nova/io/peer"
)

func peerCallCases() []Case[PeerHarness] {
	return []Case[PeerHarness]{
		{"call/carries every field", casePeerFields},
		{"call/many at once", casePeerAtOnce},
		{"call/large reply", casePeerLargeReply},
	}
}

// peerCall is one way to call a star, with arguments and a reply whose every field says something.
type peerCall struct {
	asked Asked
	reply any // nil for a call without one
	make  func(ctx context.Context, s peer.Star) (any, error)
}

// peerCalls are all unary calls.
func peerCalls() []peerCall {
	stamp := time.UnixMicro(1_700_000_000_000_001).UTC()
	bucket := peer.Bucket{Name: "logs", Mode: peer.ModeFenced, Class: peer.ClassExpress, CreateOnOpen: true, Created: stamp}
	stream := peer.Stream{Name: app(), ID: "abc", Mode: peer.ModeAny, Class: peer.ClassStandard, Created: stamp}
	info := peer.StreamInfo{Stream: stream, Leader: "star-1", LeaderAddr: "a:1", Epoch: 3, RefsTail: 1 << 40, Rows: 12}
	page := peer.Page{Prefix: "a/é", After: "a/b", Limit: 10}
	fetch := peer.FetchRequest{Stream: app(), From: 1 << 40, MaxCount: 7, MaxBytes: 9, Wait: time.Second, Linearizable: true}
	create := peer.CreateStreamRequest{Stream: app(), Mode: peer.ModeFenced, Class: peer.ClassExpress}
	certify := peer.CertifyRequest{StreamID: "abc", StreamEpoch: 4, ChainEpoch: 5}
	record := peer.Record{
		Seq: 8, Timestamp: stamp, Body: pattern(300, 7),
		Headers: []peer.Header{{Name: []byte("n\xff"), Value: []byte("v\x00")}, {Name: []byte("m"), Value: []byte("w")}},
	}
	fetched := peer.FetchReply{Records: []peer.Record{record, {Seq: 9, Body: []byte("x")}}, Next: 10, AtTail: true}
	health := peer.Health{
		Status: "draining", Star: "star-1", Location: "zone-a", Version: "v1", Leading: 3, Limbo: 1, Drained: true, Warnings: []string{"w"},
	}
	fleet := []peer.FleetStar{{Star: "star-1", Location: "z", Addr: "a:1", Draining: true, Saturated: true, Leading: 9}, {Star: "star-2"}}

	type ctx = context.Context
	return []peerCall{
		{Asked{"Fetch", fetch}, fetched, func(c ctx, s peer.Star) (any, error) { return s.Fetch(c, fetch) }},
		{Asked{"Tail", app()}, peer.TailReply{Next: 5, Last: stamp}, func(c ctx, s peer.Star) (any, error) { return s.Tail(c, app()) }},
		{Asked{"Tail", app()}, peer.TailReply{}, func(c ctx, s peer.Star) (any, error) { return s.Tail(c, app()) }},
		{Asked{"CreateBucket", bucket}, bucket, func(c ctx, s peer.Star) (any, error) { return s.CreateBucket(c, bucket) }},
		{Asked{"DescribeBucket", "logs"}, bucket, func(c ctx, s peer.Star) (any, error) { return s.DescribeBucket(c, "logs") }},
		{Asked{"ListBuckets", page}, []peer.Bucket{bucket, {Name: "plain"}},
			func(c ctx, s peer.Star) (any, error) { return s.ListBuckets(c, page) }},
		{Asked{"CreateStream", create}, stream, func(c ctx, s peer.Star) (any, error) { return s.CreateStream(c, create) }},
		{Asked{"DescribeStream", app()}, info, func(c ctx, s peer.Star) (any, error) { return s.DescribeStream(c, app()) }},
		{Asked{"ListStreams", []any{"logs", page}}, []peer.Stream{stream, {Name: app()}},
			func(c ctx, s peer.Star) (any, error) { return s.ListStreams(c, "logs", page) }},
		{Asked{"DeleteStream", app()}, nil, func(c ctx, s peer.Star) (any, error) { return nil, s.DeleteStream(c, app()) }},
		{Asked{"Certify", certify}, peer.CertifyReply{Verdict: peer.Departing},
			func(c ctx, s peer.Star) (any, error) { return s.Certify(c, certify) }},
		{Asked{"Health", nil}, health, func(c ctx, s peer.Star) (any, error) { return s.Health(c) }},
		{Asked{"Fleet", nil}, fleet, func(c ctx, s peer.Star) (any, error) { return s.Fleet(c) }},
	}
}

func casePeerFields(h PeerHarness) {
	star := h.listen()
	for _, c := range peerCalls() {
		star.Asked = nil
		star.Reply = func(context.Context, Asked) (any, error) { return c.reply, nil }
		got, err := c.make(h.Ctx, h.Remote)
		h.must(err, "%s", c.asked.Call)
		if !reflect.DeepEqual(star.Asked, []Asked{c.asked}) {
			h.fatalf("the star was asked %+v, want %+v", star.Asked, c.asked)
		}
		if !reflect.DeepEqual(got, c.reply) {
			h.fatalf("%s: got %+v, want %+v", c.asked.Call, got, c.reply)
		}
	}
	want := peer.OpenRequest{Stream: app(), Create: true, Token: 9}
	opened := peer.Opened{StreamID: "abc", Star: "star-1", Addr: "a:1", Epoch: 2, Token: 3, Mode: peer.ModeFenced, Next: 4}
	var asked peer.OpenRequest
	star.Open = func(_ context.Context, req peer.OpenRequest) (peer.Opened, error) {
		asked = req
		return opened, nil
	}
	session, err := h.Remote.OpenSession(h.Ctx, want)
	h.must(err, "open")
	if asked != want || session.Opened() != opened {
		h.fatalf("asked %+v and opened %+v, want %+v and %+v", asked, session.Opened(), want, opened)
	}
}

// Each reply goes to who asked, while all have asked and none has a reply.
func casePeerAtOnce(h PeerHarness) {
	const callers = 32
	star := h.listen()
	star.Reply = func(ctx context.Context, asked Asked) (any, error) {
		err := star.Until(ctx, func() bool { return len(star.Asked) == callers })
		return peer.TailReply{Next: uint64(len(asked.With.(peer.StreamName).Key))}, err
	}
	h.together(callers, func(ctx context.Context, i int) {
		reply, err := h.Remote.Tail(ctx, peer.StreamName{Bucket: "b", Key: strings.Repeat("k", i+1)})
		h.must(err, "tail")
		if reply.Next != uint64(i+1) {
			h.fatalf("caller %d got the reply of caller %d", i+1, reply.Next)
		}
	})
}

func casePeerLargeReply(h PeerHarness) {
	star := h.listen()
	want := peer.FetchReply{Records: []peer.Record{{Seq: 1, Body: pattern(1<<20, 1)}, {Seq: 2, Body: pattern(1<<20, 2)}}, Next: 3}
	star.Reply = func(context.Context, Asked) (any, error) { return want, nil }
	got, err := h.Remote.Fetch(h.Ctx, peer.FetchRequest{Stream: app()})
	h.must(err, "fetch")
	if !reflect.DeepEqual(got, want) {
		h.fatalf("a reply of 2 MiB came back wrong")
	}
}
