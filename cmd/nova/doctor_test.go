package main_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// finding is a line of nova doctor.
type finding struct{ Target, Check, Result, Says, Try string }

// doctor runs nova doctor, and gives what it found by target and check.
func doctor(t *testing.T, code int, flags ...string) map[string]finding {
	t.Helper()
	r := newServer(t).nova("", append([]string{"doctor", "-o", "json"}, flags...)...)
	if r.code != code {
		t.Errorf("exit %d, want %d, said %q", r.code, code, r.stderr)
	}
	var all []finding
	if err := json.Unmarshal([]byte(r.stdout), &all); err != nil {
		t.Fatalf("%v in %q, said %q", err, r.stdout, r.stderr)
	}
	found := map[string]finding{}
	for _, f := range all {
		found[f.Target+": "+f.Check] = f
		t.Logf("%s: %s: %s: %s", f.Target, f.Check, f.Result, f.Says)
	}
	return found
}

func TestTheDoctorFindsAllWell(t *testing.T) {
	cluster, flags := oxia(t, oxiatest.Config{})
	coordinator, stop, err := cluster.StartCoordinator()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	at := s3(t, "nova")
	found := doctor(t, 0, with(append(flags, "--split-probe"), "--oxia-session-timeout", "2s", "--objects", "s3://nova"+at,
		"--express", "a=file://"+t.TempDir(), "--oxia-admin", coordinator)...)
	for check, says := range map[string]string{
		"oxia: verdict":                  "fit for records, work, ephemeral, naming and shard splits",
		"oxia: versions never repeat":    "got a new version each time",
		"oxia: shard split":              "lost none",
		"objects: racing creators":       "of 32 creators at once exactly one wins",
		"objects: verdict":               "fit for the standard class",
		"express a: verdict":             "fit for the standard class and a zone of the express class",
		"objects: listing after write":   "in order",
		"oxia: sessions":                 "goes with its session",
		"express a: ranges":              "read as they were written",
		"oxia: key order":                "naming is natural",
		"oxia: conditional puts":         "are refused",
		"objects: conditional put":       "created once",
		"objects: clock":                 "clock",
		"oxia: secondary indexes":        "follow their records",
		"oxia: deletes of ranges":        "nothing beside them",
		"oxia: fresh reads":              "at once",
		"express a: conditional put":     "created once",
		"express a: listing after write": "in order",
		"express a: delete":              "gone",
		"express a: speed of puts":       "64 KiB",
		"oxia: racing changes":           "lose no change",
		"oxia: clock":                    "agree",
		"oxia: speed of writes":          "a second on one shard",
		"objects: delete":                "gone",
		"objects: ranges":                "read as they were written",
		"objects: speed of puts":         "64 KiB",
		"express a: racing creators":     "exactly one wins",
		"express a: clock":               "agree",
	} {
		if f, ok := found[check]; !ok || !strings.Contains(f.Says, says) || f.Result == "bad" {
			t.Errorf("%s: %+v, want %q", check, f, says)
		}
	}
	if n := len(cluster.Shards("records")); n != 3 {
		t.Errorf("the namespace of the records has %d shards", n)
	}
}

func TestTheDoctorNamesWhatIsNotFit(t *testing.T) {
	cluster, flags := oxia(t, oxiatest.Config{LossySplits: true})
	coordinator, stop, err := cluster.StartCoordinator()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	s3(t)
	overwrites := s3Fault{answer: func(_ http.ResponseWriter, r *http.Request) bool { r.Header.Del("If-None-Match"); return false }}.start(t)
	for name, c := range map[string]struct {
		code        int
		flags       []string
		check, says string
	}{
		"splits lose changes": {1, with(append(flags, "--split-probe"), "--oxia-session-timeout", "2s", "--oxia-admin", coordinator),
			"oxia: shard split", "acknowledged changes"},
		"no such namespace":   {3, with(flags, "--oxia-work-namespace", "nowhere"), "oxia: open", "there is no such namespace"},
		"no such bucket":      {3, []string{"--objects", "s3://other" + s3Fault{}.start(t)}, "objects: open", "there is no such bucket"},
		"no conditional puts": {1, []string{"--objects", "s3://nova" + overwrites}, "objects: open", "does not honour If-None-Match"},
	} {
		t.Run(name, func(t *testing.T) {
			found := doctor(t, c.code, c.flags...)
			target, _, _ := strings.Cut(c.check, ":")
			if f := found[c.check]; f.Result != "bad" || !strings.Contains(f.Says, c.says) || f.Try == "" {
				t.Errorf("%s: %+v, want %q", c.check, f, c.says)
			}
			if f := found[target+": verdict"]; f.Result != "unfit" {
				t.Errorf("verdict %+v", f)
			}
		})
	}
	s := newServer(t)
	s.fails(2, "there is nothing to look at", "doctor")
	s.fails(2, "needs an Oxia and its coordinator", "doctor", "--objects", "file:///tmp", "--split-probe")
	s.fails(2, "no other kind of store", "doctor", "--objects", "gs://nova")
}
