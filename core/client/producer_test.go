package client_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
)

func (s *script) producer(ctx context.Context, c *client.Client, opts client.ProducerOptions) *client.Producer {
	p, err := c.OpenProducer(ctx, stream, opts)
	if err != nil {
		s.Fatal(err)
	}
	return p
}

// TestAppendSendsAgainWhatIsDefinite: a batch that is known not to be in the stream, for a reason that ends by itself, is sent
// again; one whose outcome nobody knows is not, and one that breaks a rule is not either.
func TestAppendSendsAgainWhatIsDefinite(t *testing.T) {
	for _, k := range []struct {
		code peer.Code
		sent int
	}{{peer.NotAppended, 2}, {peer.Shed, 2}, {peer.Indeterminate, 1}, {peer.TooLarge, 1}, {peer.MatchFailed, 1}, {peer.Internal, 1}} {
		s, c := newScript(t, "a")
		f := s.session(peer.Opened{Mode: peer.ModeAny})
		f.took = func(peer.Batch) {
			if len(f.sent) == 1 {
				f.answer(peer.Ack{Err: refusal(k.code)})
			} else {
				f.answer(peer.Ack{First: 3, Next: 4})
			}
		}
		s.opens("a", f)
		s.play(func(ctx context.Context) {
			ack, err := s.producer(ctx, c, client.ProducerOptions{}).Append(ctx, batch(1))
			if len(f.sent) != k.sent || k.sent == 1 && !peer.Is(err, k.code) || k.sent == 2 && (err != nil || ack.First != 3) {
				t.Errorf("%s: sent %d times; %+v, %v", k.code, len(f.sent), ack, err)
			}
		})
	}
}

// TestAppendWhoseContextEnds: nobody knows what became of the batch. What its session says later is not taken for the next
// batch's outcome.
func TestAppendWhoseContextEnds(t *testing.T) {
	s, c := newScript(t, "a")
	first, second := s.session(peer.Opened{}), s.session(peer.Opened{Next: 2})
	second.took = func(peer.Batch) { second.answer(peer.Ack{First: 2, Next: 3}) }
	s.opens("a", first, second)
	s.play(func(ctx context.Context) {
		p := s.producer(ctx, c, client.ProducerOptions{})
		if _, err := p.Append(s.within(ctx, time.Second), batch(1)); !peer.Is(err, peer.Indeterminate) {
			t.Errorf("got %v", err)
		}
		first.answer(peer.Ack{First: 1, Next: 2})
		if ack, err := p.Append(ctx, batch(1)); err != nil || ack.First != 2 {
			t.Errorf("got %+v, %v", ack, err)
		}
	})
	if first.closed != 1 {
		t.Errorf("the session given up was closed %d times", first.closed)
	}
}

// TestOutcomeIsNotGuessedFromTheReopen: the session broke with a batch in it, and the stars then refuse every open, with a code
// that would be definite for what was not sent. The batch is indeterminate all the same.
func TestOutcomeIsNotGuessedFromTheReopen(t *testing.T) {
	for _, code := range []peer.Code{peer.Retry, peer.Unavailable, peer.NotFound, peer.Fenced} {
		s, c := newScript(t, "a")
		f := s.session(peer.Opened{Mode: peer.ModeFenced, Token: 1})
		f.took = func(peer.Batch) { f.breaks(peer.Indeterminate) }
		s.opens("a", f)
		s.play(func(ctx context.Context) {
			p := s.producer(ctx, c, client.ProducerOptions{ExactlyOnce: true})
			s.stars["a"].open = func(context.Context, peer.OpenRequest) (peer.Session, error) { return nil, refusal(code) }
			if _, err := p.Append(s.within(ctx, 5*time.Second), batch(1)); !peer.Is(err, peer.Indeterminate) {
				t.Errorf("%s: the batch that was sent ended with %v", code, err)
			}
			if _, err := p.Append(s.within(ctx, 5*time.Second), batch(1)); err == nil || peer.Is(err, peer.Indeterminate) {
				t.Errorf("%s: a batch that was never sent ended with %v", code, err)
			}
		})
	}
}

// TestABatchUnderWayCountsAsSent: the session fails while the Send of a second batch waits, and the stars then refuse every
// open. That batch may have left, as the first one has.
func TestABatchUnderWayCountsAsSent(t *testing.T) {
	s, c := newScript(t, "a")
	f := s.session(peer.Opened{Mode: peer.ModeFenced, Token: 1})
	s.opens("a", f)
	s.play(func(ctx context.Context) {
		p := s.producer(ctx, c, client.ProducerOptions{ExactlyOnce: true})
		if err := p.Send(ctx, batch(1)); err != nil {
			t.Error(err)
		}
		f.took = func(peer.Batch) { _ = s.process.Sleep(ctx, 2*time.Second) }
		s.process.Go("send", func(ctx context.Context) { _ = p.Send(ctx, batch(1)) })
		_ = s.process.Sleep(ctx, time.Second)
		s.stars["a"].open = func(context.Context, peer.OpenRequest) (peer.Session, error) { return nil, refusal(peer.Fenced) }
		f.breaks(peer.Indeterminate)
		for i := range 2 {
			if ack, err := p.Recv(ctx); err != nil || ack.Err == nil || ack.Err.Code != peer.Indeterminate {
				t.Errorf("batch %d ended with %+v, %v", i, ack.Err, err)
			}
		}
	})
}

// pipelined sends batches of these sizes through a Fenced exactly-once producer whose tail is 10, breaks the session, and gives
// the outcomes that it finds out from the tail of the next one, whose batches are all appended.
func pipelined(t *testing.T, mode peer.Mode, tail uint64, batches ...peer.Batch) (acks []peer.Ack, again []peer.Batch) {
	s, c := newScript(t, "a")
	first, second := s.session(peer.Opened{Mode: mode, Token: 1, Next: 10}), s.session(peer.Opened{Mode: mode, Token: 1, Next: tail})
	next := tail
	second.took = func(b peer.Batch) {
		if *b.MatchSeq != next {
			second.answer(peer.Ack{Err: &peer.Error{Code: peer.MatchFailed, Tail: next}})
			return
		}
		next += uint64(len(b.Records))
		second.answer(peer.Ack{First: *b.MatchSeq, Next: next})
	}
	s.opens("a", first, second)
	s.play(func(ctx context.Context) {
		p := s.producer(ctx, c, client.ProducerOptions{ExactlyOnce: true})
		for _, b := range batches {
			if err := p.Send(ctx, b); err != nil {
				t.Error(err)
			}
		}
		first.breaks(peer.Indeterminate)
		for range batches {
			ack, err := p.Recv(ctx)
			if err != nil {
				t.Error(err)
			}
			acks = append(acks, ack)
		}
	})
	return acks, second.sent
}

// TestExactlyOnceByPosition: on a Fenced stream the confirmed tail tells which of the open batches are appended; the others are
// sent again, at the same seqs.
func TestExactlyOnceByPosition(t *testing.T) {
	for tail, again := range map[uint64]int{10: 3, 12: 2, 15: 1, 16: 0} {
		acks, sent := pipelined(t, peer.ModeFenced, tail, batch(2), batch(3), batch(1))
		for i, first := range []uint64{10, 12, 15} {
			if acks[i].Err != nil || acks[i].First != first {
				t.Errorf("tail %d: batch %d ended with %+v", tail, i, acks[i])
			}
		}
		if len(sent) != again {
			t.Errorf("tail %d: %d batches were sent again, want %d", tail, len(sent), again)
		}
	}
}

// TestExactlyOnceAtAnImpossibleTail: a tail inside a batch, or beyond all, was made by somebody else: nothing is told.
func TestExactlyOnceAtAnImpossibleTail(t *testing.T) {
	for _, tail := range []uint64{9, 11, 14} {
		acks, sent := pipelined(t, peer.ModeFenced, tail, batch(2), batch(3), batch(1))
		last := acks[2].Err
		if last == nil || last.Code != peer.Indeterminate || len(sent) > 0 {
			t.Errorf("tail %d: the last batch ended with %v, %d sent again", tail, last, len(sent))
		}
	}
}

// TestExactlyOnceWithAMatchOfTheCaller: the caller asks for a seq that is long taken. The session breaks before it is refused; the
// tail lies beyond, and that is no proof that the batch is there.
func TestExactlyOnceWithAMatchOfTheCaller(t *testing.T) {
	wrong := uint64(3)
	b := batch(1)
	b.MatchSeq = &wrong
	acks, _ := pipelined(t, peer.ModeFenced, 10, b)
	if acks[0].Err == nil {
		t.Errorf("a batch that expected seq 3 at tail 10 was told to be appended: %+v", acks[0])
	}
}

// TestExactlyOnceOnAny: where others write too, a tail that has not moved tells that nothing is appended yet; but what was sent
// may still arrive, so a failed match of the second sending proves nothing.
func TestExactlyOnceOnAny(t *testing.T) {
	acks, sent := pipelined(t, peer.ModeAny, 10, batch(2), batch(1))
	if len(sent) != 2 || acks[0].Err != nil || acks[1].Err != nil {
		t.Errorf("%d sent again; %+v", len(sent), acks)
	}
	acks, sent = pipelined(t, peer.ModeAny, 12, batch(2), batch(1))
	if len(sent) != 0 || acks[0].Err == nil || acks[0].Err.Code != peer.Indeterminate {
		t.Errorf("%d sent again; %+v", len(sent), acks)
	}

	s, c := newScript(t, "a")
	first, second := s.session(peer.Opened{Mode: peer.ModeAny, Next: 10}), s.session(peer.Opened{Mode: peer.ModeAny, Next: 10})
	first.took = func(peer.Batch) { first.breaks(peer.Indeterminate) }
	second.took = func(peer.Batch) { second.answer(peer.Ack{Err: &peer.Error{Code: peer.MatchFailed, Tail: 11}}) } // the first sending arrived
	s.opens("a", first, second)
	s.play(func(ctx context.Context) {
		_, err := s.producer(ctx, c, client.ProducerOptions{ExactlyOnce: true}).Append(ctx, batch(1))
		if !peer.Is(err, peer.Indeterminate) {
			t.Errorf("a batch that its own first sending kept out ended with %v", err)
		}
	})
}

// TestExactlyOnceAfterARefusal: a batch that breaks a limit leaves no gap in what the producer expects.
func TestExactlyOnceAfterARefusal(t *testing.T) {
	s, c := newScript(t, "a")
	f := s.session(peer.Opened{Mode: peer.ModeFenced, Token: 1, Next: 10})
	f.took = func(b peer.Batch) {
		switch {
		case len(b.Records) > 5:
			f.answer(peer.Ack{Err: refusal(peer.TooLarge)})
		case *b.MatchSeq != 10:
			f.answer(peer.Ack{Err: &peer.Error{Code: peer.MatchFailed, Tail: 10}})
		default:
			f.answer(peer.Ack{First: 10, Next: 10 + uint64(len(b.Records))})
		}
	}
	s.opens("a", f)
	s.play(func(ctx context.Context) {
		p := s.producer(ctx, c, client.ProducerOptions{ExactlyOnce: true})
		for _, b := range []peer.Batch{batch(6), batch(1)} { // pipelined: the second is refused for the first
			if err := p.Send(ctx, b); err != nil {
				t.Error(err)
			}
		}
		for _, code := range []peer.Code{peer.TooLarge, peer.NotAppended} {
			if ack, err := p.Recv(ctx); err != nil || ack.Err == nil || ack.Err.Code != code {
				t.Errorf("want %s, got %+v, %v", code, ack, err)
			}
		}
		if ack, err := p.Append(ctx, batch(2)); err != nil || ack.First != 10 {
			t.Errorf("got %+v, %v", ack, err)
		}
	})
}

// TestCloseWhileThingsArePending: outcomes that were not received are lost, a Recv that waits fails, nothing is opened behind
// the caller's back, and the next Append opens anew.
func TestCloseWhileThingsArePending(t *testing.T) {
	for _, exactly := range []bool{false, true} {
		s, c := newScript(t, "a")
		first, second := s.session(peer.Opened{Mode: peer.ModeFenced}), s.session(peer.Opened{Mode: peer.ModeFenced, Next: 1})
		second.took = func(peer.Batch) { second.answer(peer.Ack{First: 1, Next: 2}) }
		s.opens("a", first, second)
		s.play(func(ctx context.Context) {
			p := s.producer(ctx, c, client.ProducerOptions{ExactlyOnce: exactly})
			if err := p.Send(ctx, batch(1)); err != nil {
				t.Error(err)
			}
			var received error
			s.process.Go("receive", func(ctx context.Context) { _, received = p.Recv(ctx) })
			_ = s.process.Sleep(ctx, time.Second)
			if err := p.Close(ctx); err != nil {
				t.Error(err)
			}
			first.breaks(peer.NotAppended) // as a session does that is closed
			_ = s.process.Sleep(ctx, time.Second)
			if received == nil || len(s.calls) != 1 {
				t.Errorf("Recv ended with %v, %d opens", received, len(s.calls))
			}
			if ack, err := p.Append(ctx, batch(1)); err != nil || ack.First != 1 {
				t.Errorf("after the close: %+v, %v", ack, err)
			}
		})
	}
}

// TestCloseWhileOpening: the session that comes when nobody wants it any more is given back.
func TestCloseWhileOpening(t *testing.T) {
	s, c := newScript(t, "a")
	first, second := s.session(peer.Opened{}), s.session(peer.Opened{})
	s.opens("a", first)
	s.play(func(ctx context.Context) {
		p := s.producer(ctx, c, client.ProducerOptions{})
		first.took = func(peer.Batch) { first.breaks(peer.Retry) }
		_, _ = p.Append(s.within(ctx, time.Millisecond), batch(1))
		s.stars["a"].open = func(ctx context.Context, _ peer.OpenRequest) (peer.Session, error) {
			return second, s.process.Sleep(ctx, 2*time.Second)
		}
		var sent error
		s.process.Go("send", func(ctx context.Context) { sent = p.Send(ctx, batch(1)) })
		_ = s.process.Sleep(ctx, time.Second)
		_ = p.Close(ctx)
		_ = s.process.Sleep(ctx, 2*time.Second)
		if sent == nil || second.closed != 1 || len(second.sent) != 0 {
			t.Errorf("Send ended with %v; the session was closed %d times and given %d batches", sent, second.closed, len(second.sent))
		}
	})
}

// TestSendWhoseContextEnds: a batch that waits for another Send is not taken.
func TestSendWhoseContextEnds(t *testing.T) {
	s, c := newScript(t, "a")
	first := s.session(peer.Opened{})
	s.opens("a", first)
	s.play(func(ctx context.Context) {
		p := s.producer(ctx, c, client.ProducerOptions{})
		first.breaks(peer.Unavailable)
		_, _ = p.Append(s.within(ctx, time.Millisecond), batch(1))
		err := p.Send(s.within(ctx, time.Second), batch(1))
		var unfinished *client.UnfinishedError
		if !errors.As(err, &unfinished) {
			t.Errorf("got %v", err)
		}
		if _, err := p.Recv(s.within(ctx, time.Second)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("there is an outcome for a batch that was not taken: %v", err)
		}
	})
}
