// Package fine is a binding: the real world is its business.
package fine

import (
	"os"
	"sync"
	"time"
)

func real(m map[string]int) time.Time {
	var lock sync.Mutex
	go lock.Lock()
	for range m {
		_ = os.Getpid()
	}
	return time.Now()
}
