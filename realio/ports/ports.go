// Package ports gives tests addresses that a process can leave and come back to.
//
// The system hands out ports of its own range to whoever dials or listens without naming one: a port of that range may be
// somebody else's by the time a server starts again. These lie below it.
package ports

import (
	"fmt"
	"math/rand/v2"
	"net"
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
