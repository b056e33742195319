package embeddedmeta

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/novastream/nova/io/meta"
)

// killEnv makes the test binary count up in the metastore of a directory, and print what it learns, until it is killed.
const killEnv = "NOVA_TEST_METASTORE_DIR"

const (
	killKeys    = 8
	killWriters = 8
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(killEnv); dir != "" {
		fmt.Println("error", runVictim(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func runVictim(dir string) error {
	s, err := Open(dir, nil)
	if err != nil {
		return err
	}
	spaces := s.Client().Spaces()
	lease, err := spaces.Ephemeral.PutEphemeral(context.Background(), "p/lease", nil, meta.Absent())
	if err != nil {
		return err
	}
	learnt := &ledger{counts: map[string]int{}, versions: map[string]meta.Version{}}
	learnt.learn("lease", 0, lease)
	var done sync.WaitGroup
	for w := range killWriters {
		done.Go(func() {
			if err := countUp(context.Background(), spaces.Records, learnt, killKeys, rand.New(rand.NewPCG(1, uint64(w)))); err != nil {
				fmt.Println("error", err)
			}
		})
	}
	for { // what is printed was learnt before
		known := learnt.copy()
		line := ""
		for i := range killKeys {
			key := fmt.Sprintf("p/%d", i)
			line += fmt.Sprintf(" %d %d", known.counts[key], known.versions[key])
		}
		fmt.Printf("known %d%s\n", lease, line)
	}
}

// The process is killed in the middle of its writes, several times: nothing it knew of is lost, its session's rows are
// gone, and versions go on above the old ones.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	known := &ledger{counts: map[string]int{}, versions: map[string]meta.Version{}}
	var lastLease meta.Version
	for round := range 4 {
		lease := runAndKill(t, dir, known, 200+100*round)
		if lease <= lastLease {
			t.Errorf("round %d: version %d of the lease is not above %d", round, lease, lastLease)
		}
		lastLease = lease
		s := openTest(t, dir)
		spaces := s.Client().Spaces()
		verify(t, spaces.Records, known, killKeys)
		if recs, err := spaces.Ephemeral.Scan(t.Context(), "p", "", 10); err != nil || len(recs) != 0 {
			t.Errorf("round %d: the ephemeral space holds %v, %v", round, recs, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if known.counts["p/0"] == 0 {
		t.Error("the victims did nothing")
	}
}

// runAndKill kills a victim after so many lines and learns all that it said. It gives the version of its lease.
func runAndKill(t *testing.T, dir string, known *ledger, lines int) (lease meta.Version) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), killEnv+"="+dir)
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
		if err != nil {
			t.Fatal(err)
		}
		numbers := said(t, line)
		lease = numbers[0]
		for i := range killKeys {
			known.learn(fmt.Sprintf("p/%d", i), int(numbers[1+2*i]), numbers[2+2*i])
		}
	}
	_ = child.Wait()
	return lease
}

// said takes a victim's line apart.
func said(t *testing.T, line string) (numbers [1 + 2*killKeys]meta.Version) {
	t.Helper()
	fields := strings.Fields(line)
	if len(fields) != 1+len(numbers) || fields[0] != "known" {
		t.Fatalf("victim says %q", line)
	}
	for i := range numbers {
		n, err := strconv.ParseInt(fields[1+i], 10, 64)
		if err != nil {
			t.Fatalf("victim says %q: %v", line, err)
		}
		numbers[i] = meta.Version(n)
	}
	return numbers
}
