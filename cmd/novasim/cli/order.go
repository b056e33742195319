package cli

import (
	"context"
	"sync/atomic"
)

// inOrder runs a job for each of a range of seeds, so many at a time, and hands what comes of them to take in the order of
// the seeds, until it wants no more. The error is the first of a job, or errInterrupted.
func inOrder[T any](
	ctx context.Context, seeds seedRange, jobs int, run func(seed uint64) (T, error), take func(T) (more bool),
) error {
	type result struct {
		index  uint64
		report T
		err    error
	}
	count := seeds.count()
	jobs = int(min(uint64(jobs), count))
	results := make(chan result, jobs) // a worker that nobody waits for can leave its last result and end
	var next atomic.Uint64
	var enough atomic.Bool
	defer enough.Store(true)
	for range jobs {
		go func() {
			for !enough.Load() {
				index := next.Add(1) - 1
				if index >= count {
					return
				}
				report, err := run(seeds.from + index)
				results <- result{index, report, err}
			}
		}()
	}
	waiting := map[uint64]result{}
	for index := uint64(0); index < count; index++ {
		for {
			if _, there := waiting[index]; there {
				break
			}
			select {
			case r := <-results:
				waiting[r.index] = r
			case <-ctx.Done():
				return errInterrupted
			}
		}
		r := waiting[index]
		delete(waiting, index)
		if r.err != nil {
			return r.err
		}
		if !take(r.report) {
			return nil
		}
	}
	return nil
}
