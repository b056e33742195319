package s3blob

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// fault is what happens to one request in the place of its answer. The zero value cuts the connection.
type fault struct {
	status   int           // answered; 0: the connection is cut
	code     string        // S3's word beside the status
	executed bool          // the request is carried out before
	then     func()        // is called when it was
	hang     chan struct{} // the answer waits for it
}

// server is an S3 server in this process, behind a layer of faults.
type server struct {
	*httptest.Server
	next http.Handler

	mu       sync.Mutex
	requests []string                             // method and path, in order of arrival
	fault    func(r *http.Request) *fault         // nil passes
	header   func(r *http.Request, h http.Header) // of answers of faults
}

// newServer starts a server with a bucket named nova.
func newServer(t testing.TB) *server {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("nova"); err != nil {
		t.Fatal(err)
	}
	s := &server{next: gofakes3.New(backend).Server()}
	s.Server = httptest.NewUnstartedServer(s)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r.Method+" "+r.URL.Path)
	var f *fault
	if s.fault != nil {
		f = s.fault(r)
	}
	s.mu.Unlock()
	if f == nil {
		s.next.ServeHTTP(w, r)
		return
	}
	if f.executed {
		s.next.ServeHTTP(httptest.NewRecorder(), r)
	}
	if f.then != nil {
		f.then()
	}
	if f.hang != nil {
		<-f.hang
	}
	if f.status == 0 {
		panic(http.ErrAbortHandler) // this is how net/http is told to cut a connection
	}
	_, _ = io.Copy(io.Discard, r.Body)
	if f.code == "" {
		http.Error(w, "<html>what a proxy says</html>", f.status)
		return
	}
	w.Header().Set("Content-Type", "application/xml")
	if s.header != nil {
		s.header(r, w.Header())
	}
	w.WriteHeader(f.status)
	_, _ = fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?><Error><Code>%s</Code><Message>said so</Message></Error>`, f.code)
}

// on makes the next n requests of a method fail; of all methods where it is empty.
func (s *server) on(method string, n int, f fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
	s.fault = func(r *http.Request) *fault {
		if n == 0 || method != "" && r.Method != method {
			return nil
		}
		n--
		return &f
	}
}

// asked is how many requests of a method came since the last on.
func (s *server) asked(method string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if strings.HasPrefix(r, method+" ") {
			n++
		}
	}
	return n
}

func (s *server) config() Config {
	return Config{Bucket: "nova", Endpoint: s.URL, PathStyle: true}
}

// quick are limits for tests: nobody is left alone between tries.
func quick() limits {
	return limits{open: time.Minute, credentials: time.Minute, try: time.Minute, dial: time.Minute, tries: 3}
}

// environment is one in which the SDK finds these credentials and nothing else.
func environment(t testing.TB, key, secret string) {
	t.Helper()
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret, "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "", "AWS_REGION": "",
		"AWS_DEFAULT_REGION": "", "AWS_ENDPOINT_URL": "", "AWS_ENDPOINT_URL_S3": "", "AWS_CA_BUNDLE": "", "AWS_CONFIG_FILE": "/dev/null",
		"AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_EC2_METADATA_DISABLED": "true", "AWS_WEB_IDENTITY_TOKEN_FILE": "",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "", "AWS_CONTAINER_CREDENTIALS_FULL_URI": "",
	} {
		t.Setenv(name, value)
	}
}

func openTest(t testing.TB, cfg Config) *Store {
	t.Helper()
	s, err := open(t.Context(), cfg, quick())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// newStore is a store on a server of its own.
func newStore(t testing.TB) (*server, *Store) {
	t.Helper()
	environment(t, "key", "secret")
	server := newServer(t)
	server.Start()
	return server, openTest(t, server.config())
}

// createBucket makes a bucket with the client that the store itself would have.
func createBucket(t testing.TB, cfg Config) {
	t.Helper()
	s, err := connect(t.Context(), cfg, quick())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &cfg.Bucket}); err != nil {
		t.Fatal(err)
	}
}

// ended is a context that has ended.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
