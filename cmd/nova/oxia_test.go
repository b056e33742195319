package main_test

import (
	"strings"
	"testing"

	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// startOxia starts an Oxia in this process. What it was asked must be such that real servers bear it.
func startOxia(t *testing.T, cfg oxiatest.Config) *oxiatest.Cluster {
	t.Helper()
	cluster, err := oxiatest.Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cluster.Close()
		if err := cluster.Harm(); err != nil {
			t.Errorf("requests that harm real servers: %v", err)
		}
	})
	return cluster
}

// oxia is an Oxia of three nodes in this process, with the namespaces of a fleet, and the flags that lead to it.
func oxia(t *testing.T, cfg oxiatest.Config) (cluster *oxiatest.Cluster, flags []string) {
	t.Helper()
	cfg.Nodes = 3
	cfg.Namespaces = []oxiatest.Namespace{
		{Name: "records", Shards: 3}, {Name: "work"}, {Name: "ephemeral", Shards: 2}, {Name: "naming", Shards: 3, Natural: true},
	}
	cluster = startOxia(t, cfg)
	return cluster, []string{
		"--oxia", strings.Join(cluster.Addresses(), ","), "--oxia-session-timeout", "5s",
		"--oxia-records-namespace", "records", "--oxia-work-namespace", "work",
		"--oxia-ephemeral-namespace", "ephemeral", "--oxia-naming-namespace", "naming",
	}
}

// fleetOn starts n stars with the same flags, each a process with a data directory of its own.
func fleetOn(t *testing.T, n int, flags ...string) []*server {
	t.Helper()
	stars := make([]*server, n)
	for i := range stars {
		stars[i] = newServer(t, flags...)
		stars[i].start()
	}
	return stars
}

func TestStarsOnOneOxiaAreAFleet(t *testing.T) {
	_, flags := oxia(t, oxiatest.Config{})
	dir := t.TempDir()
	stars := fleetOn(t, 3, append(flags, "--objects", "file://"+dir+"/objects",
		"--express", "a=file://"+dir+"/a", "--express", "b=file://"+dir+"/b", "--express", "c=file://"+dir+"/c")...)
	if got := strings.Count(stars[0].must("", "fleet", "-o", "jsonl"), "\n"); got != 3 {
		t.Errorf("the fleet has %d stars", got)
	}
	stars[0].must("", "bucket", "create", "logs", "--create-on-open")
	stars[0].must("", "bucket", "create", "fast", "--class", "express", "--create-on-open")
	for _, stream := range []string{"logs/app", "fast/lane"} {
		for i, star := range stars {
			star.must(lines(i*100, 100), "append", stream)
		}
		for _, star := range stars {
			if got := star.must("", "read", stream); got != lines(0, 300) {
				t.Errorf("%s through %s: read back %d bytes that differ", stream, star.addr, len(got))
			}
		}
	}
	stars[0].kill()
	for _, stream := range []string{"logs/app", "fast/lane"} {
		stars[1].must(lines(300, 100), "append", stream)
		if got := stars[2].must("", "read", stream); got != lines(0, 400) {
			t.Errorf("%s after a star died: read back %d bytes that differ", stream, len(got))
		}
	}
	for _, star := range stars[1:] {
		if code := star.stop(); code != 0 {
			t.Errorf("SIGTERM: exit %d", code)
		}
	}
}
