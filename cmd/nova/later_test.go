package main_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// faulty is what a star stands on, with a switch for a fault.
type faulty struct {
	t       *testing.T
	oxia    *oxiatest.Cluster
	s3      *httptest.Server
	flags   []string
	ca      string
	healed  chan struct{} // of the fault that is on
	mu      sync.Mutex
	answer  func(http.ResponseWriter, *http.Request) bool // of the S3 server
	expired bool                                          // both servers show a certificate of the past
}

func newFaulty(t *testing.T) *faulty {
	t.Helper()
	f := &faulty{t: t, healed: make(chan struct{})}
	valid, ca := certificate(t, time.Now().Add(time.Hour))
	past, _ := certificate(t, time.Now().Add(-time.Minute))
	for _, cfg := range []*tls.Config{valid, past} {
		cfg.NextProtos = []string{"h2", "http/1.1"}
	}
	show := &tls.Config{NextProtos: valid.NextProtos, GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.expired {
			return past, nil
		}
		return valid, nil
	}}
	cluster, flags := oxia(t, oxiatest.Config{TLS: show})
	backend := s3mem.New()
	if err := backend.CreateBucket("nova"); err != nil {
		t.Fatal(err)
	}
	behind := gofakes3.New(backend).Server()
	f.s3 = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		answer := f.answer
		f.mu.Unlock()
		if answer == nil || !answer(w, r) {
			behind.ServeHTTP(w, r)
		}
	}))
	f.s3.TLS = show.Clone()
	f.s3.StartTLS()
	t.Cleanup(f.s3.Close)
	f.oxia, f.ca = cluster, ca
	f.flags = with(flags, "--oxia-ca-file", ca, "--oxia-session-timeout", "2s", "--objects", "s3://nova?endpoint="+f.s3.URL)
	return f
}

// onOxia lets every call to Oxia, new and under way, end with this error.
func onOxia(err func(*faulty) error) func(*faulty) {
	return func(f *faulty) {
		f.oxia.OnCall(func(string) error { return err(f) })
		f.breakOxia()
	}
}

func (f *faulty) breakOxia() {
	if err := f.oxia.Break(); err != nil {
		f.t.Error(err)
	}
}

// onS3 lets every request to S3 be answered like this.
func onS3(answer func(http.ResponseWriter, *http.Request) bool) func(*faulty) {
	return func(f *faulty) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.answer = answer
	}
}

// heal ends the fault, whatever it is.
func (f *faulty) heal() {
	close(f.healed)
	f.mu.Lock()
	f.answer, f.expired = nil, false
	f.mu.Unlock()
	f.oxia.OnCall(nil)
	f.breakOxia()
	f.s3.CloseClientConnections()
}

// Whatever keeps a star from starting may also come over one that runs. It lives, and when the fault has gone it goes on.
func TestARunningStarSurvivesWhatKeepsOneFromStarting(t *testing.T) {
	s3(t)                         // credentials
	const lasts = 5 * time.Second // longer than the session
	refusal := func(code codes.Code, words string) func(*faulty) {
		return onOxia(func(*faulty) error { return status.Error(code, words) })
	}
	for name, fault := range map[string]func(*faulty){
		"Oxia is dead": func(f *faulty) {
			for i := range f.oxia.Addresses() {
				f.oxia.StopNode(i)
			}
		},
		"Oxia has lost its namespaces":    onOxia(func(f *faulty) error { return f.oxia.Fails("NAMESPACE_NOT_FOUND") }),
		"Oxia does not take the token":    refusal(codes.Unauthenticated, "token expired"),
		"Oxia speaks its old name":        refusal(codes.Unimplemented, "unknown service io.oxia.proto.v1.OxiaClient"),
		"a proxy stands before Oxia":      refusal(codes.Unavailable, "unexpected HTTP status code received from server: 502 (Bad Gateway)"),
		"a proxy spoils the calls":        refusal(codes.Internal, "stream terminated by RST_STREAM"),
		"Oxia does not go by its address": refusal(codes.PermissionDenied, "authority is not allowed"),
		"Oxia is silent":                  onOxia(func(f *faulty) error { <-f.healed; return status.Error(codes.Unavailable, "late") }),
		"the bucket is gone":              onS3(says(http.StatusNotFound, "NoSuchBucket")),
		"the bucket is read-only":         onS3(onWrites(says(http.StatusForbidden, "AccessDenied"))),
		"S3 does not take the key":        onS3(says(http.StatusForbidden, "InvalidAccessKeyId")),
		"S3 is overloaded":                onS3(says(http.StatusServiceUnavailable, "SlowDown")),
		"a proxy stands before S3": onS3(func(w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, "<html>bad gateway</html>", http.StatusBadGateway)
			return true
		}),
		"the certificates expire": func(f *faulty) {
			f.mu.Lock()
			f.expired = true
			f.mu.Unlock()
			f.breakOxia()
			f.s3.CloseClientConnections()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFaulty(t)
			s := newServer(t, f.flags...)
			s.env = []string{"AWS_CA_BUNDLE=" + f.ca}
			s.start()
			s.must("", "bucket", "create", "logs", "--create-on-open")
			s.must(lines(0, 100), "append", "logs/a")
			fault(f)
			began := time.Now()
			for n := 0; time.Since(began) < lasts; n++ {
				if r := s.nova("x\n", "append", "logs/during", "--timeout", "1s"); r.code == 2 || r.code == 3 {
					t.Errorf("append %d: exit %d: %s", n, r.code, r.stderr)
				}
				s.must("", "health")
			}
			f.heal()
			eventually(t, "the star does not take records again", func() bool {
				return s.nova("x\n", "append", "logs/after", "--timeout", "5s").code == 0
			})
			s.must(lines(100, 100), "append", "logs/a")
			if got := s.must("", "read", "logs/a"); got != lines(0, 200) {
				t.Errorf("read back %d bytes that differ", len(got))
			}
			if said := s.logged(); strings.Contains(said, "panic") {
				t.Error("it panicked")
			}
			if code := s.stop(); code != 0 {
				t.Errorf("SIGTERM: exit %d", code)
			}
		})
	}
}

// A token is read again from its file, so that it can be renewed under a star.
func TestATokenIsRenewedUnderAStar(t *testing.T) {
	cluster, flags := oxia(t, oxiatest.Config{Token: "first"})
	token := file(t, "token", "first\n")
	s := newServer(t, append(with(flags, "--oxia-token-file", token), "--objects", "file://"+t.TempDir())...)
	s.start()
	s.must("", "bucket", "create", "logs", "--create-on-open")
	s.must(lines(0, 100), "append", "logs/a")
	cluster.SetToken("second")
	if err := os.WriteFile(token, []byte("second\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := cluster.Break(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the star does not take records again", func() bool {
		return s.nova("x\n", "append", "logs/after", "--timeout", "5s").code == 0
	})
	if got := s.must("", "read", "logs/a"); got != lines(0, 100) {
		t.Errorf("read back %d bytes that differ", len(got))
	}
}
