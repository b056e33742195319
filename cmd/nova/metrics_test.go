package main_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// watch asks what a star tells those who watch it.
func watch(t *testing.T, addr, path string) (status int, text string) {
	t.Helper()
	answer, err := http.Get("http://" + addr + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// A star on Oxia and S3 tells how it does from before it serves, what it asked of both, and what it has taken.
func TestAStarIsWatched(t *testing.T) {
	cluster, flags := oxia(t, oxiatest.Config{})
	watched := freeAddr(t)
	s := newServer(t, append(flags, "--objects", "s3://nova/region"+s3(t, "nova"), "--metrics-listen", watched, "--location", "a")...)
	s.start()
	for _, path := range []string{"/livez", "/readyz"} {
		if status, text := watch(t, watched, path); status != http.StatusOK {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	s.must("", "bucket", "create", "logs", "--create-on-open")
	s.must(lines(0, 500), "append", "logs/app")
	if got := s.must("", "read", "logs/app"); got != lines(0, 500) {
		t.Errorf("read back %d bytes that differ", len(got))
	}
	_, text := watch(t, watched, "/metrics")
	for _, series := range []string{
		`nova_star_append_records_total 500`,
		`nova_star_streams_led 1`,
		`nova_star_ready 1`,
		`nova_star_info\{boot="\w+",location="a",star="star-\w+",version="[^"]+"\} 1`,
		`nova_meta_calls_total\{call="put",outcome="done",space="records"\} [1-9]`,
		`nova_store_calls_total\{call="put_if_absent",class="standard",outcome="created",zone=""\} [1-9]`,
		`nova_store_requests_total\{class="standard",zone=""\} [1-9]`,
		`nova_store_retries_total\{class="standard",zone=""\} 0`,
		`nova_oxia_write_window 4`,
		`nova_oxia_window_use_count\{namespace="records",service="hierarchical",shard="\d"\} [1-9]`,
		`nova_oxia_retries_total\{namespace="naming",service="natural",shard="\d"\} \d`,
		`nova_oxia_sessions_lost_total 0`,
	} {
		if !regexp.MustCompile("(?m)^" + series).MatchString(text) {
			t.Errorf("there is no %s in\n%s", series, ours(text))
		}
	}
	if err := cluster.Harm(); err != nil {
		t.Error(err)
	}
	if code := s.stop(); code != 0 {
		t.Errorf("SIGTERM: exit %d", code)
	}
}

// ours are the series of nova among all that are told.
func ours(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "nova_") && !strings.Contains(line, "_bucket{") {
			fmt.Fprint(&b, line)
		}
	}
	return b.String()
}

// While what a star needs does not answer, the star lives and is not ready, and says why.
func TestAStarThatCannotStartYetIsNotReady(t *testing.T) {
	cluster, flags := oxia(t, oxiatest.Config{})
	watched := freeAddr(t)
	s := newServer(t, append(flags, "--objects", "file://"+t.TempDir(), "--metrics-listen", watched)...)
	cluster.HoldAnswers(true)
	if err := s.launch(nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the star is asked", func() bool {
		answer, err := http.Get("http://" + watched + "/livez")
		if err == nil {
			_ = answer.Body.Close()
		}
		return err == nil && answer.StatusCode == http.StatusOK
	})
	if status, text := watch(t, watched, "/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(text, "starting") {
		t.Errorf("/readyz: %d %q", status, text)
	}
	cluster.HoldAnswers(false)
	eventually(t, "the star is ready", func() bool { status, _ := watch(t, watched, "/readyz"); return status == http.StatusOK })
	if code := s.stop(); code != 0 {
		t.Errorf("SIGTERM: exit %d", code)
	}
}
