package s3blob

import (
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/io/blob"
)

// wantRefused compares the error of an open with what it should say.
func wantRefused(t *testing.T, err error, kind Kind, reason, try string) {
	t.Helper()
	var refused *OpenError
	if !errors.As(err, &refused) {
		t.Fatalf("open: %v", err)
	}
	if refused.Kind != kind || !strings.Contains(refused.Error(), reason) || !strings.Contains(refused.Try, try) {
		t.Errorf("kind %d, %v, try: %s; want kind %d, %s, try: %s", refused.Kind, refused, refused.Try, kind, reason, try)
	}
	if !strings.Contains(refused.Error(), "s3://") {
		t.Errorf("the error does not name the store: %v", refused)
	}
}

// A store that answers one kind of request as it should not is refused for a reason that says so.
func TestUnfitStores(t *testing.T) {
	deny := fault{status: 403, code: "AccessDenied"}
	for name, c := range map[string]struct {
		faults map[string]fault // by method, and "list" and "create" and "again"
		kind   Kind
		reason string
		try    string
	}{
		"no such bucket":        {map[string]fault{"": {status: 404, code: "NoSuchBucket"}}, NoBucket, "there is no such bucket", "create this one"},
		"unknown key":           {map[string]fault{"": {status: 403, code: "InvalidAccessKeyId"}}, NoCredentials, "InvalidAccessKeyId", "AWS_ACCESS_KEY_ID"},
		"wrong secret":          {map[string]fault{"": {status: 403, code: "SignatureDoesNotMatch"}}, NoCredentials, "SignatureDoesNotMatch", "AWS_ACCESS_KEY_ID"},
		"expired session":       {map[string]fault{"": {status: 400, code: "ExpiredToken"}}, NoCredentials, "ExpiredToken", "AWS_"},
		"nothing is allowed":    {map[string]fault{"": deny}, Denied, "may not create", "s3:PutObject"},
		"read-only":             {map[string]fault{"PUT": deny}, ReadOnly, "can be read and not be written", "s3:PutObject"},
		"write-only":            {map[string]fault{"GET": deny}, Denied, "may not read", "s3:GetObject"},
		"no listing":            {map[string]fault{"list": deny}, Denied, "may not list", "s3:ListBucket"},
		"no deletion":           {map[string]fault{"POST": deny}, Denied, "may not delete", "s3:DeleteObject"},
		"read-only by its kind": {map[string]fault{"PUT": {status: 405, code: "MethodNotAllowed"}}, ReadOnly, "cannot be written", "can be written"},
		"another region":        {map[string]fault{"": {status: 301, code: "PermanentRedirect"}}, Misconfigured, "another region", "region=eu-central-9"},
		"clock":                 {map[string]fault{"": {status: 403, code: "RequestTimeTooSkewed"}}, Misconfigured, "clocks differ", "NTP"},
		"a web server":          {map[string]fault{"": {status: 404}}, NotS3, "404", "endpoint"},
		"a web server's login":  {map[string]fault{"": {status: 302}}, NotS3, "302", "endpoint"},
		"down":                  {map[string]fault{"": {status: 503, code: "SlowDown"}}, Unreachable, "503 SlowDown", "once the store is well"},
		"cuts connections":      {map[string]fault{"": {}}, Unreachable, ": EOF", "whether the store runs"},
		"no conditional puts":   {map[string]fault{"PUT": {status: 501, code: "NotImplemented"}}, Unfit, "does not know conditional puts", "If-None-Match"},
		"everything exists":     {map[string]fault{"PUT": {status: 412, code: "PreconditionFailed"}}, Unfit, "which nobody created", "If-None-Match"},
		"full":                  {map[string]fault{"PUT": {status: 400, code: "QuotaExceeded"}}, Unfit, "QuotaExceeded", "what the answer says"},
		"loses what it created": {map[string]fault{"GET": {status: 404, code: "NoSuchKey"}}, Unfit, "does not read", "another store"},
	} {
		t.Run(name, func(t *testing.T) {
			environment(t, "key", "secret")
			server := newServer(t)
			server.Start()
			server.header = func(_ *http.Request, h http.Header) {
				if name == "another region" {
					h.Set("X-Amz-Bucket-Region", "eu-central-9")
				}
			}
			server.fault = func(r *http.Request) *fault {
				what := r.Method
				if r.URL.Query().Has("list-type") {
					what = "list"
				}
				if f, ok := c.faults[what]; ok {
					return &f
				}
				if f, ok := c.faults[""]; ok {
					return &f
				}
				return nil
			}
			_, err := open(t.Context(), server.config(), quick())
			wantRefused(t, err, c.kind, c.reason, c.try)
		})
	}
}

// A store that ignores the condition, or heeds it in its words alone, would let two stars write one slot.
func TestStoresWithoutConditionalPuts(t *testing.T) {
	for reason, spoil := range map[string]func(w http.ResponseWriter, r *http.Request, next http.Handler){
		"does not honour If-None-Match": func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			r.Header.Del("If-None-Match")
			next.ServeHTTP(w, r)
		},
		"replaced the object all the same": func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			there := httptest.NewRecorder()
			next.ServeHTTP(there, httptest.NewRequest(http.MethodGet, r.URL.Path, nil))
			r.Header.Del("If-None-Match")
			if r.Method == http.MethodPut && there.Code == http.StatusOK {
				next.ServeHTTP(httptest.NewRecorder(), r)
				w.WriteHeader(http.StatusPreconditionFailed)
				return
			}
			next.ServeHTTP(w, r)
		},
		"does not show an object": func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			if r.URL.Query().Has("list-type") {
				_, _ = io.WriteString(w, page(false, ""))
				return
			}
			next.ServeHTTP(w, r)
		},
	} {
		environment(t, "key", "secret")
		server := newServer(t)
		honest := server.next
		server.next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { spoil(w, r, honest) })
		server.Start()
		_, err := open(t.Context(), server.config(), quick())
		wantRefused(t, err, Unfit, reason, "If-None-Match")
	}
}

func TestAProbeLeavesNothingBehind(t *testing.T) {
	server, store := newStore(t)
	infos, err := store.List(t.Context(), "", "", 10)
	if err != nil || len(infos) != 0 {
		t.Errorf("left: %v, %v", infos, err)
	}
	server.mu.Lock()
	defer server.mu.Unlock()
	if len(server.requests) > 6 {
		t.Errorf("an open made %d requests: %v", len(server.requests), server.requests)
	}
}

// What fails for a moment while a store is opened does not matter.
func TestOpenRepeats(t *testing.T) {
	environment(t, "key", "secret")
	for _, f := range []fault{{status: 503, code: "SlowDown"}, {}, {executed: true}, {status: 500, executed: true}} {
		for n := range 6 { // the n-th request fails
			server := newServer(t)
			server.Start()
			at := 0
			server.fault = func(*http.Request) *fault {
				if at++; at == n+1 {
					return &f
				}
				return nil
			}
			openTest(t, server.config())
		}
	}
}

func TestAddressesWithoutAStore(t *testing.T) {
	environment(t, "key", "secret")
	server := newServer(t)
	server.Start()
	cfg := server.config()
	server.Close()
	_, err := open(t.Context(), cfg, quick())
	wantRefused(t, err, Unreachable, "connection refused", "whether the store runs")
	var refused *OpenError
	if errors.As(err, &refused); !refused.Temporary() {
		t.Error("an address without a store is for good")
	}

	cfg.Endpoint = "http://nova.invalid:9000"
	_, err = open(t.Context(), cfg, quick())
	wantRefused(t, err, Unreachable, "nova.invalid", "resolved")
}

// An address that takes connections and never answers is given up in time.
func TestASilentAddress(t *testing.T) {
	environment(t, "key", "secret")
	server := newServer(t)
	hang := make(chan struct{})
	defer close(hang)
	server.fault = func(*http.Request) *fault { return &fault{hang: hang} }
	server.Start()
	l := quick()
	l.try, l.open = 30*time.Millisecond, time.Minute
	_, err := open(t.Context(), server.config(), l)
	wantRefused(t, err, Unreachable, "does not answer within 30ms", "firewall")
	l.try, l.open = time.Minute, 30*time.Millisecond
	_, err = open(t.Context(), server.config(), l)
	wantRefused(t, err, Unreachable, "does not answer", "firewall")

	d := defaultLimits()
	if most := d.credentials + time.Duration(d.tries)*(d.try+d.pace.most); d.open >= 15*time.Second || most < d.open {
		t.Errorf("an open may take %v, of %v", d.open, most)
	}
}

func TestTLS(t *testing.T) {
	environment(t, "key", "secret")
	server := newServer(t)
	server.StartTLS()
	_, err := open(t.Context(), server.config(), quick())
	wantRefused(t, err, NotTrusted, "certificate", "AWS_CA_BUNDLE")

	file := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(file, block, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_CA_BUNDLE", file)
	store := openTest(t, server.config())
	if outcome, err := store.PutIfAbsent(t.Context(), "k", []byte("v")); outcome != blob.Created {
		t.Errorf("create over TLS: %v, %v", outcome, err)
	}

	cfg := server.config()
	cfg.Endpoint = strings.Replace(cfg.Endpoint, "127.0.0.1", "localhost", 1)
	_, err = open(t.Context(), cfg, quick())
	wantRefused(t, err, NotTrusted, "localhost", "valid for its name")
	cfg.Endpoint = strings.Replace(server.URL, "https", "http", 1)
	_, err = open(t.Context(), cfg, quick())
	wantRefused(t, err, NotS3, "400", "endpoint")

	plain := newServer(t)
	plain.Start()
	cfg.Endpoint = strings.Replace(plain.URL, "http", "https", 1)
	_, err = open(t.Context(), cfg, quick())
	wantRefused(t, err, Misconfigured, "does not speak TLS", "endpoint=http://")

	t.Setenv("AWS_CA_BUNDLE", file+".none")
	_, err = open(t.Context(), server.config(), quick())
	wantRefused(t, err, Misconfigured, "ca.pem.none", "AWS_CA_BUNDLE")
}

func TestCredentialsComeFromTheChain(t *testing.T) {
	environment(t, "", "")
	server := newServer(t)
	server.Start()
	_, err := open(t.Context(), server.config(), quick())
	wantRefused(t, err, NoCredentials, "there are no credentials", "AWS_PROFILE")

	var signed string
	server.fault = func(r *http.Request) *fault {
		signed = r.Header.Get("Authorization")
		return nil
	}
	file := filepath.Join(t.TempDir(), "credentials")
	text := "[nova]\naws_access_key_id = FROMFILE\naws_secret_access_key = secret\nregion = eu-north-7\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", file)
	t.Setenv("AWS_PROFILE", "nova")
	openTest(t, server.config())
	if !strings.Contains(signed, "Credential=FROMFILE/") || !strings.Contains(signed, "/eu-north-7/s3/") {
		t.Errorf("signed as %q", signed)
	}
	cfg := server.config()
	cfg.Region = "us-west-9"
	openTest(t, cfg)
	if !strings.Contains(signed, "/us-west-9/s3/") {
		t.Errorf("signed as %q", signed)
	}
	t.Setenv("AWS_PROFILE", "other")
	_, err = open(t.Context(), cfg, quick())
	wantRefused(t, err, Misconfigured, "other", "AWS_PROFILE")

	environment(t, "key", "secret")
	_, err = open(t.Context(), Config{Bucket: "nova"}, quick())
	wantRefused(t, err, Misconfigured, "in which region", "region=REGION")
}
