package workload

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
)

// oddities asks for what has one right answer: names that do not exist, batches that break a limit, listings.
type oddities struct {
	life  *life
	rests *rand.Rand
	rng   *rand.Rand // of what it asks now
}

func newOddities(l *life) *oddities {
	return &oddities{life: l, rests: l.seat.work.chance(fmt.Sprintf("oddities/%d", l.seat.lives))}
}

func (o *oddities) loop(ctx context.Context) {
	asks := []func(context.Context){o.unknownStream, o.badName, o.badBatch, o.taken, o.list, o.nodes, o.shortLife, o.shortLife}
	for o.life.pause(ctx, between(o.rests, 5*time.Second, 15*time.Second)) {
		cue := o.life.seat.asks.Next()
		if !cue.On() || !o.life.pause(ctx, cue.Wait()) {
			continue
		}
		o.rng = cue.Rand()
		limited, cancel := o.life.run.WithTimeout(ctx, 40*time.Second)
		one(o.rng, asks)(limited)
		cancel()
	}
}

// expect complains of an answer with another code than those that fit. What could not be asked proves nothing.
func (o *oddities) expect(what string, err error, codes ...peer.Code) {
	e, ok := refusal(err)
	if err != nil && !ok || ok && (e.Code == peer.Unavailable || e.Code == peer.Retry || e.Code == peer.Indeterminate || e.Code == peer.NotOwner) {
		return
	}
	if err == nil || !slices.Contains(codes, e.Code) {
		answer := "success"
		if err != nil {
			answer = fmt.Sprintf("%q", err)
		}
		o.life.seat.work.complain("%s was answered with %s; the right answer is %v", what, answer, codes)
	}
}

func (o *oddities) unknownStream(ctx context.Context) {
	name := peer.StreamName{Bucket: bucketOfAll, Key: "never/created"}
	_, err := o.life.client.OpenProducer(ctx, name, client.ProducerOptions{Create: true}) // its bucket does not create on open
	o.expect("opening stream all/never/created, which does not exist,", err, peer.NotFound)
	_, err = o.life.client.Tail(ctx, name)
	o.expect("the tail of stream all/never/created, which does not exist,", err, peer.NotFound)
	_, err = o.life.client.Fetch(ctx, peer.FetchRequest{Stream: name})
	o.expect("reading stream all/never/created, which does not exist,", err, peer.NotFound)
	if err := o.life.client.DeleteStream(ctx, name); err != nil { // nil: an answer was lost, and it is not there
		o.expect("deleting stream all/never/created, which does not exist,", err, peer.NotFound)
	}
	_, err = o.life.client.DescribeBucket(ctx, "nobodys")
	o.expect("describing a bucket that does not exist", err, peer.NotFound)
}

func (o *oddities) badName(ctx context.Context) {
	_, err := o.life.client.CreateBucket(ctx, peer.Bucket{Name: one(o.rng, []string{"", "UPPER", "a/b"})})
	o.expect("creating a bucket with a bad name", err, peer.Invalid)
	_, err = o.life.client.CreateStream(ctx, peer.CreateStreamRequest{
		Stream: peer.StreamName{Bucket: bucketOfAll, Key: one(o.rng, []string{"", "a\x00b", "\xff"})},
	})
	o.expect("creating a stream with a bad name", err, peer.Invalid)
}

func (o *oddities) badBatch(ctx context.Context) {
	s := o.life.seat.work.streams[0]
	p, err := o.life.client.OpenProducer(ctx, s.Name, client.ProducerOptions{})
	if err != nil {
		return
	}
	_, err = p.Append(ctx, peer.Batch{})
	o.expect("a batch without records", err, peer.Invalid)
	_, err = p.Append(ctx, peer.Batch{Records: []peer.Record{{Body: make([]byte, maxRecord+1)}}})
	o.expect("a record over the limit", err, peer.TooLarge)
	_ = p.Close(ctx)
}

func (o *oddities) taken(ctx context.Context) {
	s := o.life.seat.work.streams[0]
	_, err := o.life.client.CreateStream(ctx, peer.CreateStreamRequest{Stream: s.Name})
	o.expect("creating a stream whose name is taken", err, peer.AlreadyExists)
	_, err = o.life.client.CreateBucket(ctx, peer.Bucket{Name: bucketOfAll})
	o.expect("creating a bucket whose name is taken", err, peer.AlreadyExists)
}

func (o *oddities) list(ctx context.Context) {
	w := o.life.seat.work
	found, err := o.life.client.ListStreams(ctx, bucketOfAll, peer.Page{Limit: 1 + o.rng.IntN(20)})
	if err == nil && len(found) == 0 {
		w.complain("listing the streams of bucket %s found none", bucketOfAll)
	}
	info, err := o.life.client.DescribeStream(ctx, w.streams[0].Name)
	if err == nil && (info.Mode != w.streams[0].Mode || info.Class != w.streams[0].Class) {
		w.complain("stream %s is described as %s and %s; it was created as %s and %s",
			w.streams[0].Name, info.Mode, info.Class, w.streams[0].Mode, w.streams[0].Class)
	}
}

func (o *oddities) nodes(ctx context.Context) {
	if stars, err := o.life.client.Fleet(ctx); err == nil && len(stars) > 0 {
		_, _ = o.life.client.Health(ctx, one(o.rng, stars).Addr) // it may be down
	}
}
