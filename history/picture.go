package history

import (
	"bytes"
	"fmt"
	"math"

	"github.com/anishathalye/porcupine"
)

// maxPictured bounds the operations of a picture: more nobody can look at, and its size grows with their square.
const maxPictured = 400

// Picture is porcupine's own page of one stream: its operations, and the longest order that was found for them. It is nil where
// the stream is not there, or has too many operations to be looked at.
func Picture(source Source, stream string, cfg Config) ([]byte, error) {
	cfg.MaxOps = max(cfg.MaxOps, 1)
	_, linear, err := gather(source, cfg, whole)
	if err != nil {
		return nil, err
	}
	s := linear.byName[stream]
	if s == nil || len(s.ops) == 0 || len(s.ops) > maxPictured {
		return nil, nil
	}
	if w := linear.witness.byName[stream]; w.readBack && !s.cut {
		s.ops = append(s.ops, &linearOp{step: readAll(w.final), call: linear.clock + 1, end: linear.clock + 2})
	}
	s.disbelieve()
	m := newModel(s.ops, maxExplainSteps)
	for _, o := range s.ops {
		o.from, o.to = o.call, min(o.end, linear.clock+3)
	}
	model := m.porcupine()
	named := map[*step]*linearOp{}
	for _, o := range s.ops {
		named[&o.step] = o
	}
	model.DescribeOperation = func(in, _ any) string { return named[in.(*step)].in(cfg.Names) }
	model.DescribeState = func(st any) string {
		return fmt.Sprintf("tail %d, token %d", st.(state).tail, st.(state).token)
	}
	_, info := porcupine.CheckOperationsVerbose(model, m.history(s.ops), cfg.Timeout)
	m.max = math.MaxInt // the search is over, and what it found is gone through once more
	var page bytes.Buffer
	if err := porcupine.Visualize(model, info, &page); err != nil {
		return nil, fmt.Errorf("picture of stream %s: %w", stream, err)
	}
	return page.Bytes(), nil
}
