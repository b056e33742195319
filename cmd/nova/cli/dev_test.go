package cli

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDevRefusesPortsThatThereAreNotBeforeItWrites(t *testing.T) {
	b := newBench(t)
	dir := filepath.Join(t.TempDir(), "data")
	b.fails(exitUsage, "the last port is 65535", "--listen", "dev", "--listen", "127.0.0.1:65534", "--data-dir", dir)
	b.fails(exitUsage, "is no address", "--listen", "dev", "--listen", "nowhere", "--data-dir", dir)
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("it wrote to %s: %v", dir, err)
	}
}
