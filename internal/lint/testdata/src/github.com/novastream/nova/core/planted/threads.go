package planted

import (
	"context"
	"iter"
	_ "net"         // want `import: core may not import net: calls go through io/peer`
	_ "net/http"    // want `import: core may not import net/http`
	_ "os"          // want `import: core may not import os: files belong to realio and cmd`
	_ "runtime"     // want `import: core may not import runtime`
	_ "sync"        // want `import: core may not import sync: the baton is the lock`
	_ "sync/atomic" // want `import: core may not import sync/atomic`
	_ "testing"     // want `import: core may not import testing`
	"time"
	_ "unsafe" // want `import: core may not import unsafe`
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
