package history

import (
	"fmt"
	"hash/fnv"
	"time"
)

// Config bounds the porcupine check. The witness check needs no bounds.
type Config struct {
	// MaxOps is how many operations of one stream are given to porcupine, from the start of the history on; 0 leaves
	// the porcupine check out.
	MaxOps int
	// MaxSteps is how many steps of the model one stream may take, before it is undecided. The same history takes the same
	// steps everywhere.
	MaxSteps int
	// Timeout is how long one stream may take on the wall clock, before it is undecided; 0 is no limit of that kind.
	Timeout time.Duration
	// Parts is into how many parts the streams are divided; 0 is 1. One is checked after the other, so that of many streams
	// not all take memory at once. Each part goes through the whole history.
	Parts int
	// Names are for the sentences.
	Names Names
}

// DefaultConfig checks the first 2,000 operations of each stream within a million steps: seconds at the worst, and
// less than half a GiB.
func DefaultConfig() Config { return Config{MaxOps: 2000, MaxSteps: 1_000_000} }

// Validate says what is wrong with the bounds.
func (c Config) Validate() error {
	if c.MaxOps < 0 || c.Timeout < 0 {
		return fmt.Errorf("history: MaxOps %d and Timeout %s must not be negative", c.MaxOps, c.Timeout)
	}
	if c.Parts < 0 {
		return fmt.Errorf("history: Parts %d must not be negative", c.Parts)
	}
	if c.MaxOps > 0 && c.MaxSteps < 1 {
		return fmt.Errorf("history: MaxSteps %d must be at least 1", c.MaxSteps)
	}
	return nil
}

// op is an operation as the checks follow it, with what the witness check notes when it is invoked.
type op struct {
	Invoke
	floor       floor      // the tail known to be reached by then
	tokenFloor  tokenFloor // the token known to be in force by then
	readerFloor floor      // the end that this reader had been shown by then
}

// Check goes through the history twice, and once more where it must find out whose a wrong record is; all that for each
// part. The error is that of the source, or a wrong Config; what the checks find is in the Result.
func Check(source Source, cfg Config) (Result, error) {
	if err := cfg.Validate(); err != nil {
		return Result{}, err
	}
	var result Result
	for i := range max(cfg.Parts, 1) {
		if err := checkPart(source, cfg, part{i, max(cfg.Parts, 1)}, &result); err != nil {
			return Result{}, err
		}
	}
	if result.Witness.Ops() == 0 {
		result.Undecided = append(result.Undecided, Undecided{Text: "the witness check had no operation to check"})
	}
	if cfg.MaxOps > 0 && result.Porcupine.Ops() == 0 {
		result.Undecided = append(result.Undecided, Undecided{Text: "the porcupine check had no operation to check"})
	}
	return result, nil
}

// part is one of so many parts of the streams.
type part struct{ index, of int }

// whole is the part that has all streams.
var whole = part{0, 1} //nolint:gochecknoglobals // a constant that Go cannot spell

// has says whether a stream belongs to the part.
func (p part) has(stream string) bool {
	if p.of == 1 {
		return true
	}
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(stream)) // never fails
	return int(sum.Sum32()%uint32(p.of)) == p.index
}

func checkPart(source Source, cfg Config, part part, result *Result) error {
	witness, linear, err := gather(source, cfg, part)
	if err != nil {
		return err
	}
	if err := witness.finish(source, result); err != nil {
		return err
	}
	linear.finish(result)
	return nil
}

// gather goes through the history for both checks.
func gather(source Source, cfg Config, part part) (*witness, *linear, error) {
	witness, err := newWitness(source, cfg.Names, part)
	if err != nil {
		return nil, nil, err
	}
	linear := newLinear(cfg, witness)
	open := map[opKey]*op{}
	for e, err := range source.Events() {
		if err != nil {
			return nil, nil, err
		}
		switch e := e.(type) {
		case Invoke:
			if !part.has(e.Stream) {
				continue
			}
			o := &op{Invoke: e}
			open[opKey{e.Client, e.Op}] = o
			witness.invoke(o)
			linear.invoke(o)
		case Complete:
			o, mine := open[opKey{e.Client, e.Op}]
			if !mine {
				continue
			}
			delete(open, opKey{e.Client, e.Op})
			witness.complete(o, e)
			linear.complete(o, e)
		}
	}
	for _, o := range inOrder(open) {
		never := Complete{Client: o.Client, Op: o.Op, Kind: o.Kind, Outcome: Unknown}
		witness.complete(o, never)
		linear.complete(o, never)
	}
	return witness, linear, nil
}
