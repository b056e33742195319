package iotest

import (
	"context"

	"github.com/novastream/nova/io/peer"
)

// ScriptedSession is a session of a ScriptedStar. It sequences batches from 0 unless the star's script decides otherwise.
type ScriptedSession struct {
	Taken  []peer.Batch
	Closes int // how often the handle was given back

	star     *ScriptedStar
	take     func(ctx context.Context, n int) error
	decide   func(ctx context.Context, n int) (peer.Ack, error)
	opened   peer.Opened
	answered int
	tail     uint64
}

var _ peer.Session = (*ScriptedSession)(nil)

// Opened is what the script said.
func (s *ScriptedSession) Opened() peer.Opened { return s.opened }

// Send takes a batch once the script lets it.
func (s *ScriptedSession) Send(ctx context.Context, batch peer.Batch) error {
	if s.take != nil {
		if err := s.take(ctx, len(s.Taken)); err != nil {
			return err
		}
	}
	s.Taken = append(s.Taken, batch)
	s.star.Changed()
	return nil
}

// Recv answers the oldest unanswered batch once the script lets it.
func (s *ScriptedSession) Recv(ctx context.Context) (peer.Ack, error) {
	if err := s.star.Until(ctx, func() bool { return s.answered < len(s.Taken) }); err != nil {
		return peer.Ack{}, err
	}
	n := s.answered
	if s.decide != nil {
		ack, err := s.decide(ctx, n)
		if err != nil {
			return peer.Ack{}, err
		}
		s.answered++
		return ack, nil
	}
	s.answered++
	return s.sequence(s.Taken[n]), nil
}

func (s *ScriptedSession) sequence(batch peer.Batch) peer.Ack {
	if batch.MatchSeq != nil && *batch.MatchSeq != s.tail {
		return peer.Ack{Err: &peer.Error{Code: peer.MatchFailed, What: "stream logs/app", Reason: "the tail moved", Tail: s.tail}}
	}
	first := s.tail
	s.tail += uint64(len(batch.Records))
	return peer.Ack{First: first, Next: s.tail}
}

// Close counts.
func (s *ScriptedSession) Close(context.Context) error {
	s.Closes++
	s.star.Changed()
	return nil
}
