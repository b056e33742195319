package s3blob

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/novastream/nova/io/blob"
)

// Two stores of one bucket do not see each other, and neither sees what is no key.
func TestPrefixes(t *testing.T) {
	server, root := newStore(t)
	cfg := server.config()
	cfg.Prefix = "a/b"
	inner := openTest(t, cfg)
	for _, s := range []*Store{root, inner} {
		if outcome, err := s.PutIfAbsent(t.Context(), "k", []byte(s.prefix)); outcome != blob.Created {
			t.Fatalf("create: %v, %v", outcome, err)
		}
	}
	for _, mark := range []string{"a/b/", "a/b/a//b", "a/b/é"} {
		input := &s3.PutObjectInput{Bucket: &cfg.Bucket, Key: &mark}
		if _, err := root.client.PutObject(t.Context(), input); err != nil {
			t.Fatal(err)
		}
	}
	for s, want := range map[*Store]string{root: "[a/b/k k]", inner: "[k]"} {
		for _, limit := range []int{1, 2, 10} {
			var keys []string
			for after := ""; ; after = keys[len(keys)-1] {
				infos, err := s.List(t.Context(), "", after, limit)
				if err != nil {
					t.Fatal(err)
				}
				if len(infos) == 0 {
					break
				}
				keys = append(keys, infos[0].Key)
			}
			if fmt.Sprint(keys) != want {
				t.Errorf("prefix %q lists %v, want %v", s.prefix, keys, want)
			}
		}
	}
	long := strings.Repeat("k", blob.MaxKeyBytes-3)
	if _, err := inner.Get(t.Context(), long, blob.All()); !errors.Is(err, blob.ErrInvalid) {
		t.Errorf("a key that is too long with its prefix: %v", err)
	}
	if err := inner.Delete(t.Context(), "k"); err != nil {
		t.Fatal(err)
	}
	if data, err := root.Get(t.Context(), "k", blob.All()); err != nil || len(data) != 0 {
		t.Errorf("got %q, %v", data, err)
	}
}

// page is a listing as a server answers it.
func page(truncated bool, token string, keys ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<ListBucketResult><Name>nova</Name><IsTruncated>%v</IsTruncated><NextContinuationToken>%s</NextContinuationToken>`, truncated, token)
	for _, key := range keys {
		fmt.Fprintf(&b, "<Contents><Key>%s</Key><Size>1</Size><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>", key)
	}
	return b.String() + "</ListBucketResult>"
}

// A listing that Nova could not rely on is no listing.
func TestListingsOutOfOrder(t *testing.T) {
	server, store := newStore(t)
	for name, c := range map[string]struct {
		pages []string
		want  string
	}{
		"directory buckets":   {[]string{page(false, "", "b", "a")}, `it lists "a" after "b"`},
		"one key twice":       {[]string{page(true, "t", "b", "c"), page(false, "", "c")}, `it lists "c" after "c"`},
		"not after the start": {[]string{page(false, "", "Z")}, `it lists "Z" after "a"`},
		"more, nobody knows":  {[]string{page(true, "", "b")}, "not how to go on"},
		"half an answer":      {[]string{"<ListBucketResult><Contents>"}, ""},
		"a web page":          {[]string{"<html><body>welcome</body></html>"}, "is not S3's"},
	} {
		pages := c.pages
		server.next = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, pages[0])
			if len(pages) > 1 {
				pages = pages[1:]
			}
		})
		infos, err := store.List(t.Context(), "", "a", 10)
		if !errors.Is(err, blob.ErrUnavailable) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v", name, infos, err)
		}
	}
}

// A body that ends early is no object, and a server that ignores ranges is cut to size.
func TestOddReads(t *testing.T) {
	server, store := newStore(t)
	server.next = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		_, _ = io.WriteString(w, "01234")
	})
	if data, err := store.Get(t.Context(), "k", blob.All()); !errors.Is(err, blob.ErrUnavailable) {
		t.Errorf("a short body: %q, %v", data, err)
	}
	server.next = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "0123456789") })
	for want, r := range map[string]blob.Range{"234": blob.Span(2, 3), "89": blob.Suffix(2), "0123456789": blob.Suffix(20)} {
		if data, err := store.Get(t.Context(), "k", r); err != nil || string(data) != want {
			t.Errorf("a server without ranges: %q, %v; want %q", data, err, want)
		}
	}
	if _, err := store.Get(t.Context(), "k", blob.Span(10, 1)); !errors.Is(err, blob.ErrRange) {
		t.Errorf("past the end of a server without ranges: %v", err)
	}
}

// Deletes tell of keys that stay.
func TestDeletesInPart(t *testing.T) {
	server, store := newStore(t)
	server.next = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `<DeleteResult><Error><Key>b</Key><Code>AccessDenied</Code><Message>locked</Message></Error></DeleteResult>`)
	})
	err := store.Delete(t.Context(), "a", "b")
	if !errors.Is(err, blob.ErrUnknown) || !strings.Contains(err.Error(), "delete b: AccessDenied: locked; 1 of 2 keys failed") {
		t.Errorf("got %v", err)
	}
	server.next = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `<DeleteResult><Error><Key>b</Key><Code>NoSuchKey</Code></Error></DeleteResult>`)
	})
	if err := store.Delete(t.Context(), "a", "b"); err != nil {
		t.Errorf("a key that was absent: %v", err)
	}
}
