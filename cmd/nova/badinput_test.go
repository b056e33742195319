package main_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// sayWithin is how long a star may take to say that it cannot start.
const sayWithin = 15 * time.Second

// certificate is one for loopback that is valid until then, and the PEM file of its authority.
func certificate(t *testing.T, until time.Time) (server *tls.Config, ca string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: until.Add(-time.Hour), NotAfter: until, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, file(t, "ca.pem", string(block))
}

// file is one with this text.
func file(t *testing.T, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// with is flags with other values for some, or with more of them.
func with(flags []string, more ...string) []string {
	all := slices.Clone(flags)
	for i := 0; i < len(more); i += 2 {
		if at := slices.Index(all, more[i]); at >= 0 {
			all[at+1] = more[i+1]
		} else {
			all = append(all, more[i], more[i+1])
		}
	}
	return all
}

// refuses sees that a star says within the time what is wrong, and ends with the code.
func refuses(t *testing.T, code int, words, try string, flags ...string) {
	t.Helper()
	s := newServer(t, flags...)
	began := time.Now()
	if err := s.launch(nil); err != nil {
		t.Fatal(err)
	}
	got := s.wait()
	if took := time.Since(began); took > sayWithin {
		t.Errorf("it took %v to say so", took)
	}
	said := s.logged()
	lines := strings.Split(strings.TrimSpace(said), "\n")
	last := lines[len(lines)-1]
	if got != code || !strings.Contains(said, words) || !strings.HasPrefix(last, "try: ") || !strings.Contains(last, try) {
		t.Errorf("exit %d, want %d\nit said %s\nwant %q, try %q", got, code, said, words, try)
	}
}

// What a star says of an Oxia that it cannot use.
func TestAnOxiaThatCannotBeUsedIsNamed(t *testing.T) {
	_, open := oxia(t, oxiatest.Config{})
	_, guarded := oxia(t, oxiatest.Config{Token: "secret"})
	_, old := oxia(t, oxiatest.Config{OldName: true})
	expired, expiredCA := certificate(t, time.Now().Add(-time.Minute))
	_, late := oxia(t, oxiatest.Config{TLS: expired})
	valid, validCA := certificate(t, time.Now().Add(time.Hour))
	_, secure := oxia(t, oxiatest.Config{TLS: valid})
	gone := httptest.NewServer(nil)
	gone.Close()
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mute.Close() })
	proxy := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(proxy.Close)
	alias := strings.ReplaceAll(open[1], "127.0.0.1", "localhost")
	for _, c := range []struct {
		name       string
		code       int
		words, try string
		flags      []string
	}{
		{"dead address", 5, "no server answers: dial tcp", "the address", with(open, "--oxia", gone.Listener.Addr().String())},
		{"dead naming", 5, gone.Listener.Addr().String(), "the address", with(open, "--oxia-naming", gone.Listener.Addr().String())},
		{"name that nobody has", 5, "no server answers", "the address", with(open, "--oxia", "oxia.invalid:6648")},
		{"silence", 5, "it takes calls and does not answer them", "whether the servers are well", with(open, "--oxia", mute.Addr().String())},
		{"no such records", 3, `namespace "nowhere": there is no such namespace`, "--oxia-records-namespace", with(open, "--oxia-records-namespace", "nowhere")},
		{"no such work", 3, `namespace "nowhere"`, "namespaces that exist", with(open, "--oxia-work-namespace", "nowhere")},
		{"no such ephemeral", 3, `namespace "nowhere"`, "namespaces that exist", with(open, "--oxia-ephemeral-namespace", "nowhere")},
		{"no such naming", 3, `namespace "nowhere"`, "namespaces that exist", with(open, "--oxia-naming-namespace", "nowhere")},
		{"records in natural order", 2, "it is natural", "--oxia with the service", with(open, "--oxia-records-namespace", "naming", "--oxia-naming", open[1])},
		{"naming in hierarchical order", 2, "it is hierarchical", "--oxia-naming", with(open, "--oxia-naming-namespace", "work", "--oxia-naming", open[1])},
		{"one namespace for all", 2, "naming needs a namespace in natural order", "--oxia-naming", with(open, "--oxia-naming-namespace", "work")},
		{"no token", 1, "it refuses the credentials", "--oxia-token-file", guarded},
		{"wrong token", 1, "it refuses the credentials", "--oxia-token-file", with(guarded, "--oxia-token-file", file(t, "token", "guess"))},
		{"no token file", 2, "--oxia-token-file: open", "--oxia-token-file", with(open, "--oxia-token-file", "/nonexistent")},
		{"expired certificate", 1, "certificate has expired", "a certificate that is valid", with(late, "--oxia-ca-file", expiredCA)},
		{"another authority", 1, "certificate signed by unknown authority", "--oxia-ca-file", append(slices.Clone(secure), "--oxia-tls")},
		{"no TLS", 1, "does not speak Oxia's protocol", "TLS", secure},
		{"TLS to a server without", 1, "does not look like a TLS handshake", "--oxia-tls only where", with(open, "--oxia-ca-file", validCA)},
		{"old name only", 1, "only the old protocol", "0.15 or newer", old},
		{"web server", 1, "a web server, or a proxy", "nothing in between", with(open, "--oxia", proxy.Listener.Addr().String())},
		{"alias", 2, "it does not go by this address", "public address", with(open, "--oxia", alias)},
		{"no address", 2, `--oxia "oxia" is not HOST:PORT`, "HOST:PORT", with(open, "--oxia", "oxia")},
		{"short session", 2, "Oxia takes 2s to 5m0s", "--oxia-session-timeout 15s", with(open, "--oxia-session-timeout", "1s")},
		{"window", 2, "may be 1 to 256", "--oxia-write-window 4", with(open, "--oxia-write-window", "0")},
		{"batch", 2, "may be 1 to 4096", "--oxia-max-batch-kib 128", with(open, "--oxia-max-batch-kib", "99999")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			refuses(t, c.code, c.words, c.try, append(c.flags, "--objects", "file://"+t.TempDir())...)
		})
	}
	t.Run("no shared store", func(t *testing.T) {
		t.Parallel()
		refuses(t, 2, "--oxia without --objects", "--objects s3://", open...)
	})
}

// A star that waits for an Oxia can be stopped.
func TestASignalEndsAStartThatWaits(t *testing.T) {
	_, flags := oxia(t, oxiatest.Config{})
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mute.Close() })
	s := newServer(t, append(with(flags, "--oxia", mute.Addr().String()), "--objects", "file://"+t.TempDir())...)
	if err := s.launch(nil); err != nil {
		t.Fatal(err)
	}
	waiting, err := mute.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer waiting.Close()
	began := time.Now()
	if code := s.stop(); code != 1 || !strings.Contains(s.logged(), "interrupted") {
		t.Errorf("exit %d, said %q", code, s.logged())
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

// s3Fault is an S3 server with something before it that answers some requests itself.
type s3Fault struct {
	answer func(w http.ResponseWriter, r *http.Request) (done bool)
	tls    *tls.Config
}

func (f s3Fault) start(t *testing.T) (at string) {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("nova"); err != nil {
		t.Fatal(err)
	}
	behind := gofakes3.New(backend).Server()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f.answer == nil || !f.answer(w, r) {
			behind.ServeHTTP(w, r)
		}
	}))
	if f.tls != nil {
		server.TLS = f.tls
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return "?endpoint=" + server.URL
}

// says answers as S3 does.
func says(status int, code string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		_, _ = w.Write([]byte("<Error><Code>" + code + "</Code><Message>" + code + "</Message></Error>"))
		return true
	}
}

// onWrites answers writes, and lets reads pass.
func onWrites(answer func(http.ResponseWriter, *http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool { return r.Method == http.MethodPut && answer(w, r) }
}

// What a star says of a store on S3 that it cannot use. See TestAStoreOnS3ThatCannotBeUsedIsNamed for URLs.
func TestAnS3ThatCannotBeUsedIsNamed(t *testing.T) {
	s3(t) // credentials
	_, open := oxia(t, oxiatest.Config{})
	expired, expiredCA := certificate(t, time.Now().Add(-time.Minute))
	t.Setenv("AWS_CA_BUNDLE", expiredCA)
	for _, c := range []struct {
		name       string
		code       int
		words, try string
		url        string
	}{
		{"no such bucket", 3, "there is no such bucket", "a bucket that exists", "s3://other" + s3Fault{}.start(t)},
		{"read-only bucket", 1, "it can be read and not be written", "s3:PutObject", "s3://nova" +
			s3Fault{answer: onWrites(says(http.StatusForbidden, "AccessDenied"))}.start(t)},
		{"wrong credentials", 1, "it does not take the credentials", "AWS_ACCESS_KEY_ID", "s3://nova" +
			s3Fault{answer: says(http.StatusForbidden, "InvalidAccessKeyId")}.start(t)},
		{"expired certificate", 1, "certificate has expired", "AWS_CA_BUNDLE", "s3://nova" + s3Fault{tls: expired}.start(t)},
		{"overloaded", 5, "503", "once the store is well", "s3://nova" +
			s3Fault{answer: says(http.StatusServiceUnavailable, "SlowDown")}.start(t)},
		{"proxy", 1, "is not S3", "the endpoint of an S3 service", "s3://nova" +
			s3Fault{answer: func(w http.ResponseWriter, _ *http.Request) bool {
				http.Error(w, "<html>no such page</html>", http.StatusNotFound)
				return true
			}}.start(t)},
		{"no conditional puts", 1, "does not honour If-None-Match", "If-None-Match", "s3://nova" +
			s3Fault{answer: func(_ http.ResponseWriter, r *http.Request) bool { r.Header.Del("If-None-Match"); return false }}.start(t)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			refuses(t, c.code, c.words, c.try, append(open, "--objects", c.url)...)
		})
	}
}
