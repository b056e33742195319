package main_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// s3 is an S3 server in this process, with credentials for it in the environment of those that it starts.
func s3(t *testing.T, buckets ...string) (endpoint string) {
	t.Helper()
	backend := s3mem.New()
	for _, name := range buckets {
		if err := backend.CreateBucket(name); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	for _, set := range s3Environment("key", "secret") {
		name, value, _ := strings.Cut(set, "=")
		t.Setenv(name, value)
	}
	return "?endpoint=" + server.URL
}

// s3Environment is one in which stars find these credentials and no others.
func s3Environment(key, secret string) []string {
	return []string{
		"AWS_ACCESS_KEY_ID=" + key, "AWS_SECRET_ACCESS_KEY=" + secret, "AWS_CONFIG_FILE=/dev/null", "AWS_REGION=",
		"AWS_SHARED_CREDENTIALS_FILE=/dev/null", "AWS_PROFILE=", "AWS_EC2_METADATA_DISABLED=true",
	}
}

func TestAStarKeepsItsRecordsOnS3(t *testing.T) {
	at := s3(t, "nova", "a", "b", "c")
	s := newServer(t, "--objects", "s3://nova/region"+at,
		"--express", "a=s3://a"+at, "--express", "b=s3://b"+at, "--express", "c=s3://c"+at)
	s.start()
	s.must("", "bucket", "create", "logs", "--create-on-open")
	s.must("", "bucket", "create", "fast", "--class", "express", "--create-on-open")
	for range 2 {
		s.must(lines(0, 500), "append", "logs/app")
		s.must(lines(0, 500), "append", "fast/lane")
		s.kill()
		s.start()
	}
	for _, stream := range []string{"logs/app", "fast/lane"} {
		if got := s.must("", "read", stream); got != lines(0, 500)+lines(0, 500) {
			t.Errorf("%s: read back %d bytes that differ", stream, len(got))
		}
	}
	if code := s.stop(); code != 0 {
		t.Errorf("SIGTERM: exit %d", code)
	}
}

func TestAStoreOnS3ThatCannotBeUsedIsNamed(t *testing.T) {
	at := s3(t, "nova")
	gone := httptest.NewServer(nil)
	gone.Close()
	for words, c := range map[string]struct {
		code int
		url  string
	}{
		"connection refused\ntry: the address, and whether the store runs": {5, "s3://nova?endpoint=" + gone.URL},
		"there is no such bucket": {3, "s3://other" + at},
		"nothing says in which region the bucket is\ntry: s3://nova?region=REGION": {2, "s3://nova"},
		"credentials do not belong into the URL":                                   {2, "s3://key:secret@nova" + at},
	} {
		s := newServer(t, "--objects", c.url)
		began := time.Now()
		if err := s.launch(nil); err != nil {
			t.Fatal(err)
		}
		code := s.wait()
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("%s: it took %v to say so", c.url, took)
		}
		if said := s.logged(); code != c.code || !strings.Contains(said, words) || strings.Contains(said, "key:secret") {
			t.Errorf("%s: exit %d, said %q, want %d, %q", c.url, code, said, c.code, words)
		}
	}
}
