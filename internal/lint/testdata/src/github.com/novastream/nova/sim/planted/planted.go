package planted

import (
	"context"
	"iter"
	_ "os" // want `import: sim may not import os`
	"time"
)

// A simulator makes coroutines and the root context, and nothing else that the core may not.
func world(seq iter.Seq[int]) {
	_, _ = iter.Pull(seq)
	_ = context.Background()
	_ = time.Now()                                  // want `clock: time.Now`
	_, _ = context.WithCancel(context.Background()) // want `context: context.WithCancel`
	go world(nil)                                   // want `go: go statement`
}

type simulated struct {
	done chan struct{} //nova:allow chan context.Context has a Done channel
}

//nova:allow chan context.Context has a Done channel
func (s simulated) Done() <-chan struct{} { return s.done }

//nova:allow chan // want `allow: say why "chan" does not hold here`

//nova:allow clock nothing here looks at a clock // want `allow: nothing on this line or the next breaks "clock"`

func (s simulated) end() {
	close(s.done) //nova:allow clock the wrong rule // want `chan: close of a channel` `allow: nothing on this line or the next breaks "clock"`
}
