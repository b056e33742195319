// Package ports gives tests addresses that a process can leave and come back to.
//
// The system hands out ports of its own range to whoever dials or listens without naming one: a port of that range may be
// somebody else's by the time a server starts again. These lie below it.
package ports

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"syscall"
	"time"
)

const (
	lowest = 10_000
	above  = 30_000 // the range of the system begins at 32768 on Linux, and higher elsewhere
	tries  = 100
)

// Listen listens on the loopback interface, on a port that the system gives to nobody by itself.
func Listen() (net.Listener, error) {
	var err error
	for range tries {
		var l net.Listener
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", lowest+rand.IntN(above-lowest))); err == nil {
			return l, nil
		}
	}
	return nil, fmt.Errorf("find a free port from %d to %d: %w", lowest, above-1, err)
}

// patience is how long Again tries.
const patience = 5 * time.Second

// Again listens where a listener was closed a moment ago. A process that is being started elsewhere in the program holds a copy of
// every listener until it runs its own program, so that the address may still be in use.
func Again(addr string) (net.Listener, error) {
	for began := time.Now(); ; {
		l, err := net.Listen("tcp", addr)
		if !errors.Is(err, syscall.EADDRINUSE) || time.Since(began) > patience {
			return l, err
		}
		<-time.After(10 * time.Millisecond)
	}
}
