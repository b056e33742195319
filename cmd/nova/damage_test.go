package main_test

import (
	"bufio"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/novastream/nova/client"
	"github.com/novastream/nova/io/peer"
)

// slots are the slot objects in the server's store.
func (s *server) slots() (paths []string) {
	s.t.Helper()
	err := filepath.WalkDir(filepath.Join(s.dir, "objects"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.Contains(path, "/chains/") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) == 0 {
		s.t.Fatalf("no slot objects: %v", err)
	}
	return paths
}

// A slot object whose bytes changed, or that lost its end, is told as such, by name; the streams beside it go on.
func TestADamagedSlotObjectIsNamed(t *testing.T) {
	for name, damage := range map[string]func(data []byte) []byte{
		"a flipped bit": func(data []byte) []byte { data[len(data)/2] ^= 1; return data },
		"a lost end":    func(data []byte) []byte { return data[:len(data)*2/3] },
		"nothing left":  func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			s.start()
			s.must("", "bucket", "create", "logs", "--create-on-open")
			s.must(lines(0, 1000), "append", "logs/a")
			if code := s.stop(); code != 0 {
				t.Fatalf("exit %d", code)
			}
			damaged := s.slots()
			for _, path := range damaged {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, damage(data), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			s.start()
			r := s.nova("", "read", "logs/a", "--timeout", "5s")
			sound := strings.HasPrefix(lines(0, 1000), r.stdout) // a small flight may be hit beside its records
			if r.code != 1 || !sound || !strings.Contains(r.stderr, "cannot be read") || !strings.Contains(r.stderr, "chains/star-") {
				t.Errorf("exit %d, printed %q, said %q", r.code, r.stdout, r.stderr)
			}
			if !strings.Contains(s.logged(), `"level":"ERROR","msg":"record lost"`) || strings.Contains(s.logged(), "no ref row") {
				t.Errorf("the star does not say so: %s", s.logged())
			}
			s.must("good\n", "append", "logs/b")
			if got := s.must("", "read", "logs/b"); got != "good\n" {
				t.Errorf("the stream beside it reads %q", got)
			}
		})
	}
}

// A damaged file of the data directory stops the star with what to do about it. Without its identity it is a new star.
func TestADamagedDataDirectorySaysWhatToRestore(t *testing.T) {
	s := newServer(t)
	s.start()
	s.must("", "bucket", "create", "logs", "--create-on-open")
	s.must(lines(0, 10), "append", "logs/a")
	if code := s.stop(); code != 0 {
		t.Fatalf("exit %d", code)
	}
	identity := filepath.Join(s.dir, "stars", "1", "identity", "identity")
	for path, try := range map[string]string{
		identity: "or remove that file",
		filepath.Join(s.dir, "meta", "nova.format"):       "meta from a backup, and no other",
		filepath.Join(s.dir, "stars", "1", "nova.format"): "stars/1 from a backup, and no other",
	} {
		sound, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, sound[:1], 0o644); err != nil {
			t.Fatal(err)
		}
		if err := s.launch(nil); err != nil {
			t.Fatal(err)
		}
		if code := s.wait(); code != 1 || !strings.Contains(s.logged(), "damaged") ||
			!strings.Contains(s.logged(), try) {
			t.Errorf("%s: exit %d, said %s", path, code, s.logged())
		}
		if err := os.WriteFile(path, sound, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(identity); err != nil {
		t.Fatal(err)
	}
	s.start()
	if got := s.must("", "read", "logs/a"); got != lines(0, 10) {
		t.Errorf("it reads %q", got)
	}
}

// On a full disk nothing is acknowledged that is not there afterwards, and the failure is told. The limit on the size of a
// file stands for the disk: a write beyond it fails like one to a full disk.
func TestAFullDiskLosesNothingAcknowledged(t *testing.T) {
	s := newServer(t)
	s.wrap = `ulimit -f 256; exec "$@"` // blocks of 512 bytes: 128 KiB
	s.start()
	s.must("", "bucket", "create", "logs", "--create-on-open")
	s.must(lines(0, 1000), "append", "logs/a")
	big := filepath.Join(t.TempDir(), "big")
	incompressible(t, big, 2<<20)
	r := s.nova("", "append", "logs/a", "--file", big, "--timeout", "5s")
	if r.code == 0 || r.stdout != "" || !strings.Contains(r.stderr, "error: could not append to logs/a") {
		t.Errorf("exit %d, printed %q, said %q", r.code, r.stdout, r.stderr)
	}
	if health := s.nova("", "health", "-o", "json"); !strings.Contains(health.stdout, "file too large") {
		t.Errorf("health does not name the cause: %s", health.stdout)
	}
	if !strings.Contains(s.logged(), "store takes no flights") {
		t.Errorf("the star does not say so: %s", s.logged())
	}
	s.kill()
	s.wrap = ""
	s.start()
	got := s.must("", "read", "logs/a")
	if !strings.HasPrefix(got, lines(0, 1000)) {
		t.Errorf("acknowledged lines are gone: %d bytes are left", len(got))
	}
	s.must("after\n", "append", "logs/a")
	if got := s.must("", "read", "logs/a"); !strings.HasSuffix(got, "after\n") {
		t.Error("the stream does not go on")
	}
}

// incompressible writes lines that compression makes no smaller.
func incompressible(t *testing.T, path string, size int) {
	t.Helper()
	var b strings.Builder
	state := uint64(1)
	for b.Len() < size {
		for range 200 {
			state = state*6364136223846793005 + 1442695040888963407
			b.WriteByte('!' + byte(state>>33%90))
		}
		b.WriteByte('\n')
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A client that is killed in the middle of an append gives its stream back: the next producer has it at once, and what was
// acknowledged to the first is there.
func TestAClientThatVanishesGivesItsStreamBack(t *testing.T) {
	s := newServer(t)
	s.start()
	s.must("", "bucket", "create", "ledgers", "--create-on-open", "--mode", "fenced")
	producer := exec.Command(program, "append", "ledgers/main", "--addr", s.addr)
	stdin, err := producer.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := producer.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(stdin)
	if _, err := out.WriteString(lines(0, 500)); err != nil {
		t.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	fleet, err := client.Connect(client.Config{Addrs: []string{s.addr}})
	if err != nil {
		t.Fatal(err)
	}
	defer fleet.Close()
	name := peer.StreamName{Bucket: "ledgers", Key: "main"}
	eventually(t, "the first client's lines do not arrive", func() bool {
		tail, err := fleet.Tail(t.Context(), name)
		return err == nil && tail.Next == 500
	})
	if err := producer.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = producer.Wait() // it was killed
	eventually(t, "the dead client still holds its stream", func() bool {
		health, err := fleet.Health(t.Context())
		return err == nil && health.Leading == 0
	})
	s.must(lines(500, 1), "append", "ledgers/main", "--match-seq", "500")
	if got := s.must("", "read", "ledgers/main"); got != lines(0, 501) {
		t.Errorf("it reads %d bytes", len(got))
	}
}
