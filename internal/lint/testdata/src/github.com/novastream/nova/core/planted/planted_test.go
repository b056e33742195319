package planted

import (
	"os"
	"sync"
	"testing"
	"time"
)

func TestSleeps(t *testing.T) {
	var wait sync.WaitGroup
	go wait.Wait()
	time.Sleep(time.Second) // want `sleep: a test that waits on the real clock`
	_ = os.Getpid()
}
