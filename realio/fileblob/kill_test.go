package fileblob

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/novastream/nova/io/blob"
)

// killEnv makes the test binary create objects in the store of a directory, and print each that was created, until it is
// killed.
const killEnv = "NOVA_TEST_STORE_DIR"

func TestMain(m *testing.M) {
	if root := os.Getenv(killEnv); root != "" {
		fmt.Println("error", runVictim(root))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// content is what a victim writes under a key: long enough to be torn, and different for every key.
func content(key string) []byte { return bytes.Repeat([]byte(key+"\n"), 3000) }

func runVictim(root string) error {
	s, err := Open(root)
	if err != nil {
		return err
	}
	var done sync.WaitGroup
	var out sync.Mutex
	for w := range 8 {
		done.Go(func() {
			for i := 0; ; i++ {
				key := fmt.Sprintf("%d/w%d/%06d", os.Getpid(), w, i)
				outcome, err := blob.Created, error(nil)
				if w%2 == 0 {
					outcome, err = s.PutIfAbsent(context.Background(), key, content(key))
				} else {
					err = s.Put(context.Background(), key, content(key))
				}
				out.Lock()
				if outcome == blob.Created && err == nil {
					fmt.Println("created", key)
				} else {
					fmt.Println("error", key, outcome, err)
				}
				out.Unlock()
			}
		})
	}
	done.Wait()
	return nil
}

// The process is killed in the middle of its writes, several times: all that it was answered is there, and no object is
// torn.
func TestKill(t *testing.T) {
	root := t.TempDir()
	created := map[string]bool{}
	for round := range 4 {
		runAndKill(t, root, 30+40*round, created)
		s := openTest(t, root, newOSFiles())
		for key := range created {
			if data, err := s.Get(t.Context(), key, blob.All()); err != nil || !bytes.Equal(data, content(key)) {
				t.Errorf("%s, which was created, has %d bytes, %v", key, len(data), err)
			}
		}
		infos, err := s.List(t.Context(), "", "", 100_000)
		if err != nil || len(infos) < len(created) {
			t.Errorf("%d objects are listed of %d or more, %v", len(infos), len(created), err)
		}
		for _, info := range infos {
			if data, err := s.Get(t.Context(), info.Key, blob.All()); err != nil || !bytes.Equal(data, content(info.Key)) {
				t.Errorf("%s is torn: %d bytes, %v", info.Key, len(data), err)
			}
		}
		if left := names(t, filepath.Join(root, tmpDir)); len(left) != 1 {
			t.Errorf("%q is left after the sweep", left)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// runAndKill kills a victim after so many lines, and notes all that it said.
func runAndKill(t *testing.T, root string, lines int, created map[string]bool) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), killEnv+"="+root)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(out)
	for n := 0; ; n++ {
		if n == lines {
			_ = child.Process.Kill()
		}
		line, err := in.ReadString('\n')
		if err == io.EOF { // a line cut short was not said
			break
		}
		key, ok := strings.CutPrefix(strings.TrimSpace(line), "created ")
		if err != nil || !ok {
			t.Fatalf("victim says %q, %v", line, err)
		}
		created[key] = true
	}
	_ = child.Wait()
}
