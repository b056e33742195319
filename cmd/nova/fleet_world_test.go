package main_test

import (
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/novastream/nova/cmd/nova/rig"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// The environment of fleets on real servers. The namespaces on Oxia are emptied.
const (
	envOxia       = "NOVA_TEST_OXIA"            // host:port,... of data servers; without it an Oxia of the tests
	envNaming     = "NOVA_TEST_OXIA_NAMING"     // host:port,... of those with natural order
	envNamespaces = "NOVA_TEST_OXIA_NAMESPACES" // records,work,ephemeral,naming, where not all are called "default"
	envDisturb    = "NOVA_TEST_OXIA_DISTURB"    // a program that disturbs the servers, as by the death of one, and mends them
	envVersitygw  = "NOVA_VERSITYGW"            // a versitygw; without it an S3 server of the tests
)

// The buckets of a fleet: the region's, and the zones'.
var zones = []string{"zone-a", "zone-b", "zone-c"}

// world is what the stars of a fleet share: the servers of an Oxia, and an S3 server.
type world struct {
	records, naming []string // addresses of data servers
	namespaces      []string // records, work, ephemeral, naming
	cluster         *oxiatest.Cluster
	s3              string   // host:port
	env             []string // of the stars: credentials
}

// besides lets a test run beside others, unless it has to have the servers to itself.
func besides(t *testing.T) {
	if os.Getenv(envOxia) == "" {
		t.Parallel()
	}
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{}
	if program := os.Getenv(envVersitygw); program != "" {
		w.s3, w.env = newGateway(t, program), s3Environment("nova", "nova-secret")
	} else {
		w.s3, w.env = newS3(t), s3Environment("key", "secret")
	}
	if os.Getenv(envOxia) != "" {
		w.onRealOxia(t)
		return w
	}
	cluster := startOxia(t, oxiatest.Config{
		Nodes: 3, Namespaces: []oxiatest.Namespace{{Name: "default", Shards: 4}, {Name: "naming", Shards: 2, Natural: true}},
	})
	w.cluster, w.records, w.naming = cluster, cluster.Addresses(), cluster.Addresses()
	w.namespaces = []string{"default", "default", "default", "naming"}
	return w
}

// onRealOxia takes the servers of the environment and empties their namespaces.
func (w *world) onRealOxia(t *testing.T) {
	t.Helper()
	w.records = strings.Split(os.Getenv(envOxia), ",")
	w.naming = w.records
	if naming := os.Getenv(envNaming); naming != "" {
		w.naming = strings.Split(naming, ",")
	}
	w.namespaces = []string{"default", "default", "default", "default"}
	if names := strings.Split(os.Getenv(envNamespaces), ","); len(names) == len(w.namespaces) {
		w.namespaces = names
	}
	for i, name := range w.namespaces {
		natural := i == 3
		server := w.records[0]
		if natural {
			server = w.naming[0]
		}
		if slices.Contains(w.namespaces[:i], name) && !natural {
			continue
		}
		if err := rig.Wipe(t.Context(), server, name, natural); err != nil {
			t.Fatal(err)
		}
	}
}

// newS3 is an S3 server in this process, with the buckets of a fleet.
func newS3(t *testing.T) (addr string) {
	t.Helper()
	backend := s3mem.New()
	for _, name := range append([]string{"nova"}, zones...) {
		if err := backend.CreateBucket(name); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// newGateway is a versitygw over a new directory, with the buckets of a fleet.
func newGateway(t *testing.T, program string) (addr string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range append([]string{"nova"}, zones...) {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	addr = freeAddr(t)
	command := exec.Command(program, "--access", "nova", "--secret", "nova-secret", "--port", addr, "--keep-alive", "--quiet", "posix", dir)
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	eventually(t, program+" does not listen on "+addr, func() bool {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
	return addr
}

// ways are links of one star to one kind of server.
type ways struct {
	t     *testing.T
	mu    sync.Mutex
	fault rig.Fault
	links []*rig.Link
}

// to opens one more way.
func (w *ways) to(addr string) (string, error) {
	link, err := rig.NewLink(addr)
	if err != nil {
		return "", err
	}
	w.t.Cleanup(func() { _ = link.Close() }) // its listener may be gone
	w.mu.Lock()
	defer w.mu.Unlock()
	link.Set(w.fault)
	w.links = append(w.links, link)
	return link.Addr(), nil
}

// set puts a fault on all of them, and on those to come.
func (w *ways) set(f rig.Fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault = f
	for _, link := range w.links {
		link.Set(f)
	}
}

// must opens a way, or ends the test.
func (w *ways) must(addr string) string {
	w.t.Helper()
	public, err := w.to(addr)
	if err != nil {
		w.t.Fatal(err)
	}
	return public
}
