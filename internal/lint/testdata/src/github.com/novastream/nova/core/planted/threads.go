package planted

import (
	"context"
	"iter"
	_ "sync" // want `import: core may not import sync: the baton is the lock`
	"time"
)

var stamp time.Time

func threads(ctx context.Context, in <-chan int) { // want `chan: channel type`
	go threads(ctx, nil)  // want `go: go statement; start a task with run.Runtime.Go`
	out := make(chan int) // want `chan: channel type`
	out <- 1              // want `chan: send on a channel`
	<-in                  // want `chan: receive from a channel`
	for range in {        // want `chan: range over a channel`
	}
	select {}    // want `chan: select`
	close(out)   // want `chan: close of a channel`
	<-ctx.Done() // want `chan: receive from a channel`
}

func coroutines(seq iter.Seq[int], pairs iter.Seq2[int, int]) {
	_, _ = iter.Pull(seq)    // want `coroutine: iter.Pull; start tasks with run.Runtime.Go`
	_, _ = iter.Pull2(pairs) // want `coroutine: iter.Pull2`
}
