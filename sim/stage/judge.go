package stage

import (
	"fmt"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/sim/checks"
	"github.com/novastream/nova/sim/simmeta"
)

const (
	news     = 12 * time.Second // until a star that was cut off has registered again and found out what it lost
	absorbed = 3 * time.Second  // the last flights, and the checkpoint behind them
	quiet    = 15 * time.Second // that a fleet at rest is watched
)

// Judge has a healed fleet serve again, come to rest and give back what it acknowledged, and has the history of all scribes
// checked. The error is a *VerdictError, or says that the run itself failed.
func (s *Stage) Judge() error {
	for _, c := range s.scribes {
		c.Kill()
	}
	if err := s.World.RunUntil(Patience, s.Serves); err != nil {
		return err
	}
	asker := checks.NewAsker(s.Observer, s.journal, s.streams)
	steps := []func() error{
		asker.Live,
		func() error { return s.Pass(news) },
		asker.Converge,
		func() error { return asker.Contents(both{s.log, s.Observer}) },
		func() error { return s.Pass(absorbed) },
		func() error { return asker.Quiet(quiet) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	asker.Rest()
	log := s.remembered()
	if log.Len() == 0 {
		return s.verdict(history.Result{})
	}
	verdict, err := history.Check(log, history.DefaultConfig())
	if err != nil {
		return fmt.Errorf("the recorded history is none: %w", err)
	}
	return s.verdict(verdict)
}

// verdict collects what was found.
func (s *Stage) verdict(of history.Result) error {
	e := &VerdictError{}
	for _, v := range s.Observer.Violations() {
		e.Sentences = append(e.Sentences, v.Check+": "+v.Sentence)
	}
	for _, v := range of.Violations {
		e.Sentences = append(e.Sentences, "history: "+v.Text)
	}
	for _, u := range of.Undecided {
		e.Sentences = append(e.Sentences, "undecided: "+u.Text)
	}
	for _, held := range s.Meta.All(simmeta.Ephemeral, "streams/") {
		e.Sentences = append(e.Sentences, "lease: "+held.Key+" stands, and nobody leads")
	}
	if len(e.Sentences) == 0 {
		return nil
	}
	return e
}

// remembered is the history without the streams that are left out.
func (s *Stage) remembered() *history.Log {
	type operation struct {
		client history.Client
		op     history.OpID
	}
	left, out := &history.Log{}, map[operation]bool{}
	for e, err := range s.log.Events() {
		if err != nil {
			return s.log // its check tells
		}
		switch e := e.(type) {
		case history.Invoke:
			if out[operation{e.Client, e.Op}] = s.forgotten[e.Stream]; !s.forgotten[e.Stream] {
				left.Invoke(e)
			}
		case history.Complete:
			if !out[operation{e.Client, e.Op}] {
				left.Complete(e)
			}
		case history.Final:
			if !s.forgotten[e.Stream] {
				left.Final(e)
			}
		}
	}
	return left
}
