// Package backoff spaces the tries of a call that did not succeed: each wait is twice the one before, up to a limit, and
// a random half of it is left out, so that stars that failed together do not come back together.
//
// It decides nothing about whether a call is tried again; callers do.
package backoff

import (
	"context"
	"time"

	"github.com/novastream/nova/io/run"
)

// Policy is how the waits of one kind of call grow.
type Policy uint8

// The policies of the core.
const (
	Rows    Policy = iota // calls to the metastore
	Objects               // calls to object stores
	Duties                // background work that failed as a whole
)

// bounds are the first wait and the longest.
func (p Policy) bounds() (first, most time.Duration) {
	switch p {
	case Rows:
		return 20 * time.Millisecond, 2 * time.Second
	case Objects:
		return 10 * time.Millisecond, 2 * time.Second
	default:
		return time.Second, time.Minute
	}
}

// Backoff is one series of tries. New makes one.
type Backoff struct {
	run        run.Runtime
	next, most time.Duration
}

// New begins a series of tries.
func New(r run.Runtime, p Policy) *Backoff {
	first, most := p.bounds()
	return &Backoff{run: r, next: first, most: most}
}

// Wait sleeps before the next try. It returns ctx's error once ctx has ended.
func (b *Backoff) Wait(ctx context.Context) error {
	wait := b.next
	b.next = min(2*b.next, b.most)
	return b.run.Sleep(ctx, wait/2+time.Duration(b.run.Rand().Int64N(int64(wait/2)+1)))
}

// Until calls try until it says that it is done, with a wait before each further try. The error is ctx's.
func Until(ctx context.Context, r run.Runtime, p Policy, try func() (done bool)) error {
	for b := New(r, p); !try(); {
		if err := b.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Within calls try until it succeeds, with a wait before each further try, for about as long as patience. The error is
// the last of try, or ctx's.
func Within(ctx context.Context, r run.Runtime, p Policy, patience time.Duration, try func() error) error {
	deadline := r.Elapsed() + patience
	for b := New(r, p); ; {
		err := try()
		if err == nil || r.Elapsed() >= deadline {
			return err
		}
		if err := b.Wait(ctx); err != nil {
			return err
		}
	}
}
