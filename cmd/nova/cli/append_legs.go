package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/novastream/nova/io/peer"
)

const (
	maxUnderWay = 1024                   // batches sent and not acknowledged
	legPause    = 200 * time.Millisecond // before a session is opened again
)

// sentBatch is a batch with the number of its first line.
type sentBatch struct {
	line  int
	bytes uint64
	batch peer.Batch
}

// legs appends over as many sessions as it takes. A session that ends with a failure that is definite, for a reason that ends
// by itself, is followed by another, which begins with what the last one left. stop ends the taking of lines; what was sent
// is waited for even then.
func (a *app) legs(stop context.Context, fleet peer.Star, run *appending, lines <-chan line) error {
	calls := context.WithoutCancel(stop)
	progress := time.Now()
	for {
		acknowledged := run.records.Load()
		err := a.leg(stop, calls, fleet, run, lines)
		if err == nil || !resendable(err) {
			return err
		}
		if run.records.Load() > acknowledged {
			progress = time.Now()
		}
		if a.timeout > 0 && time.Since(progress) > a.timeout {
			return err
		}
		select {
		case <-time.After(legPause):
		case <-stop.Done():
			return err
		}
	}
}

// resendable says whether what failed so is not appended, and may be a moment later.
func resendable(err error) bool {
	switch peer.CodeOf(err) {
	case peer.NotOwner, peer.AtCapacity, peer.Shed, peer.Retry, peer.NotAppended, peer.Unavailable:
		return !isTimeout(err)
	default:
		return false
	}
}

// leg appends over one session.
func (a *app) leg(stop, calls context.Context, fleet peer.Star, run *appending, lines <-chan line) error {
	session, err := a.open(calls, fleet, run)
	if err != nil {
		return run.unopened(err)
	}
	defer a.giveBack(calls, session)
	if err := run.same(session.Opened()); err != nil {
		return err
	}
	if run.records.Load() == 0 {
		run.first = session.Opened().Next
		run.next.Store(run.first)
	}
	stop, cancel := context.WithCancel(stop)
	defer cancel()
	sent := make(chan struct{}, maxUnderWay)
	sending := make(chan error, 1)
	go func() {
		defer close(sent)
		sending <- run.send(stop, calls, session, lines, sent)
	}()
	if err := a.acknowledge(calls, run, session, sent, cancel); err != nil {
		cancel()
		for range sent { // the sender ends with its session, and must not wait for a receiver
		}
		return err
	}
	return <-sending
}

func (a *app) open(ctx context.Context, fleet peer.Star, run *appending) (peer.Session, error) {
	ctx, cancel := a.answer(ctx)
	defer cancel()
	return fleet.OpenSession(ctx, peer.OpenRequest{Stream: run.name, Create: true, Token: run.token})
}

// unopened is why no session could be opened. Where nothing was ever sent, a lost answer leaves no line in doubt.
func (run *appending) unopened(err error) error {
	if !peer.Is(err, peer.Indeterminate) || run.number > 1 {
		return err
	}
	return &peer.Error{
		Code: peer.Unavailable, What: "stream " + run.name.String(), Err: err,
		Reason: "the opening of a session was not answered; nothing was sent", Try: "the same command again",
	}
}

// same refuses to go on in another stream than the one that was opened first, or in one that knows no token with one.
func (run *appending) same(opened peer.Opened) error {
	if run.token != 0 && opened.Mode == peer.ModeAny {
		return usagef("the command without --token", "stream %s has the mode any, which knows no token", run.name)
	}
	if run.id != "" && run.id != opened.StreamID {
		return &peer.Error{
			Code: peer.NotFound, What: "stream " + run.name.String(),
			Reason: "it was deleted meanwhile, and what was appended to it went with it; another stream has its name now",
			Try:    "append the rest once more, if it belongs there",
		}
	}
	run.id = opened.StreamID
	return nil
}

// giveBack closes a session. Whatever it had to say has been heard: how it goes changes nothing.
func (a *app) giveBack(ctx context.Context, session peer.Session) {
	ctx, cancel := a.answer(ctx)
	defer cancel()
	_ = session.Close(ctx)
}

// send sends what is pending, then lines, until they end or stop does.
func (run *appending) send(stop, calls context.Context, session peer.Session, lines <-chan line, sent chan<- struct{}) error {
	run.mu.Lock()
	again := slices.Clone(run.pending)
	run.mu.Unlock()
	for _, b := range again {
		if stop.Err() != nil {
			return stop.Err()
		}
		if err := hand(calls, session, b, sent); err != nil {
			return err
		}
	}
	for run.ended == nil {
		batch, size, err := gather(stop, calls, lines)
		if stopped := errors.Is(err, context.Canceled); !stopped {
			run.ended = err // lines tell it once, and the next leg asks again
		}
		if len(batch.Records) > 0 {
			if failed := hand(calls, session, run.take(batch, size), sent); failed != nil {
				return failed
			}
		}
		if err != nil && run.ended == nil {
			return err
		}
	}
	if errors.Is(run.ended, io.EOF) {
		return nil
	}
	return usagef("shorter lines, or a text file", "line %d cannot be read: %v", run.number, run.ended)
}

// take makes new lines pending: from here on they are appended, or reported.
func (run *appending) take(batch peer.Batch, size uint64) sentBatch {
	b := sentBatch{line: run.number, bytes: size, batch: batch}
	if run.match != nil {
		expect := *run.match + uint64(run.number-1)
		b.batch.MatchSeq = &expect
	}
	run.number += len(batch.Records)
	run.mu.Lock()
	defer run.mu.Unlock()
	run.pending = append(run.pending, b)
	return b
}

// hand hands one batch to the session and announces it.
func hand(ctx context.Context, session peer.Session, b sentBatch, sent chan<- struct{}) error {
	if err := session.Send(ctx, b.batch); err != nil {
		return atLine(b.line, err)
	}
	select {
	case sent <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// acknowledge takes the answers to what was sent. After a batch that failed it ends the sending, and wants all behind it to have
// failed as well: an acknowledged one would stand where the failed one belongs.
func (a *app) acknowledge(
	ctx context.Context, run *appending, session peer.Session, sent <-chan struct{}, stopSending func(),
) (failed error) {
	behind := 0
	for range sent {
		line := run.oldest(behind).line
		ack, err := a.answered(ctx, session)
		switch {
		case err != nil && failed == nil:
			return atLine(line, err)
		case err != nil && resendable(err):
			return failed
		case err != nil:
			return atLine(line, err)
		case ack.Err == nil && failed != nil:
			return atLine(line, fmt.Errorf("it was appended, at seq %d, although lines before it were not: %s", ack.First, failed.Error()))
		case ack.Err == nil:
			run.acknowledged(ack)
		case failed == nil:
			failed, behind = atLine(line, ack.Err), behind+1
			stopSending()
		default:
			behind++
			if !resendable(ack.Err) && resendable(failed) {
				failed = atLine(line, ack.Err)
			}
		}
	}
	return failed
}

func (a *app) answered(ctx context.Context, session peer.Session) (peer.Ack, error) {
	ctx, cancel := a.answer(ctx)
	defer cancel()
	return session.Recv(ctx)
}

func (run *appending) oldest(skip int) sentBatch {
	run.mu.Lock()
	defer run.mu.Unlock()
	return run.pending[skip]
}

func (run *appending) acknowledged(ack peer.Ack) {
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.records.Load() == 0 {
		run.first = ack.First
	}
	run.records.Add(uint64(len(run.pending[0].batch.Records)))
	run.bytes.Add(run.pending[0].bytes)
	run.next.Store(ack.Next)
	run.pending = run.pending[1:]
}

// atLine says which line a batch began with.
func atLine(number int, err error) error {
	return &taskError{doing: fmt.Sprintf("line %d", number), err: err}
}
