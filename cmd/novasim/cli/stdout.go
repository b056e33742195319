package cli

import (
	"fmt"
	"io"
	"sync"
)

// keeper passes on what is written, and keeps the first error: from then on it writes nothing, so that no output has a hole.
type keeper struct {
	out  io.Writer
	lock sync.Mutex
	err  error
}

// Write writes, unless something was lost before.
func (k *keeper) Write(p []byte) (int, error) {
	k.lock.Lock()
	defer k.lock.Unlock()
	if k.err != nil {
		return 0, k.err
	}
	n, err := k.out.Write(p)
	if err != nil {
		k.err = fmt.Errorf("the output was lost: %w", err)
	}
	return n, k.err
}

// lost is the first error.
func (k *keeper) lost() error {
	k.lock.Lock()
	defer k.lock.Unlock()
	return k.err
}
