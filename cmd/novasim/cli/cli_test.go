package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// childMark turns the test binary into novasim: the tests of novasim meta start it as their child.
const childMark = "NOVASIM_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childMark) != "" {
		os.Exit(Run(context.Background(), Env{Args: os.Args[1:], Stdout: os.Stdout, Stderr: os.Stderr, Program: os.Args[0], Child: Exec}))
	}
	var err error
	if scratch, err = os.MkdirTemp("", "novasim-test-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(scratch)
	os.Exit(code)
}

// scratch is where failures that no test expects are kept.
var scratch string

// keepingOut has what fails kept in scratch, where the command line names no directory.
func keepingOut(args []string) []string {
	if len(args) == 0 || slices.Contains(args, "-out") {
		return args
	}
	at := 0
	switch {
	case args[0] == "crashpoints", args[0] == "shrink":
		at = 1
	case !strings.HasPrefix(args[0], "-"):
		return args
	}
	return slices.Insert(slices.Clone(args), at, "-out", scratch)
}

// small are the flags of a world that is soon over.
func small(args ...string) []string {
	return append([]string{"-stars", "3", "-clients", "3", "-streams", "4", "-duration", "20s"}, args...)
}

type result struct {
	code           int
	stdout, stderr string
}

func novasim(args ...string) result { return novasimWith(context.Background(), childExec, args...) }

func novasimWith(ctx context.Context, child ChildFunc, args ...string) result {
	var stdout, stderr bytes.Buffer
	code := Run(ctx, Env{Args: keepingOut(args), Stdout: &stdout, Stderr: &stderr, Program: os.Args[0], Child: child})
	return result{code, stdout.String(), stderr.String()}
}

func childExec(ctx context.Context, program string, args, env []string) ([]byte, error) {
	return Exec(ctx, program, args, append(env, childMark+"=1"))
}

func (r result) want(t *testing.T, code int, stdout ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d\n%s%s", r.code, code, r.stdout, r.stderr)
	}
	for _, part := range stdout {
		if !strings.Contains(r.stdout, part) {
			t.Errorf("stdout misses %q:\n%s", part, r.stdout)
		}
	}
}

func TestWrongUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-sed 7", `there is no flag -sed; did you mean -seed?`},
		{"-seed x", `invalid value "x" for flag -seed`},
		{"-seeds 9..1", "must be A..B"},
		{"-seeds 1-9", "must be A..B"},
		{"-faults crahs", `there is no fault "crahs"; did you mean "crash"?`},
		{"-faults crash,none", "-faults none stands alone"},
		{"-bug no-poision", `there is no planted bug "no-poision"; did you mean "no-poison"?`},
		{"-scenario defualt", `there is no scenario "defualt"; did you mean "default"?`},
		{"-strategy starve", "there is no strategy"},
		{"-zones 2", "2 zones"},
		{"-stars -1", "must not be negative"},
		{"-stars 1001", "1001 stars: a world has at most 1000"},
		{"-clients 10001", "at most 10000"},
		{"-streams 1000001 -scenario sparse", "at most 1000000"},
		{"-duration 1000h", "at most 720h"},
		{"-seeds 1..3 -stars 1000000000", "at most 1000"},
		{"meta -stars 1001", "at most 1000"},
		{"bugs -stars 1001", "at most 1000"},
		{"shrink -j 0", "-j 0 must be above 0"},
		{"shrink -stars 1001", "at most 1000"},
		{"-j 0 -seeds 1..2", "-j 0"},
		{"-j 2", "-j and -keep-going go with -seeds"},
		{"-seed 1 -seeds 1..2", "exclude each other"},
		{"-seeds 1..2 -trace x", "are of one run"},
		{"-seed 1 x", `nothing may follow the flags: "x"`},
		{"-o xml", "must be text, json, jsonl or yaml"},
		{"chek", `there is no command "chek"; did you mean "check"?`},
		{"crashpoints -scenario faliover", `there is no crash-point scenario "faliover"; did you mean "failover"?`},
		{"crashpoints -hits 3:after", "-hits is of one -scenario"},
		{"crashpoints -scenario lead -hits 3", `"3" is no INDEX:FATE; fates are before, after, late`},
		{"crashpoints -j 0", "-j 0 must be above 0"},
		{"-duration 10", "a time needs a unit: 10s or 10m"},
		{"-duration ten", "must be a time, as 90s or 10m"},
		{"replay -max-ops -1 x", "-max-ops -1 must not be negative"},
		{"crashpoints -scenario lead -hits x:after", `"x:after" is no INDEX:FATE`},
		{"crashpoints -scenario lead -hits 3:aftr", `did you mean "after"?`},
		{"crashpoints -scenario lead -hits 3:after,3:lost", "the indexes must rise"},
		{"crashpoints -every 2", "go with -pairs"},
		{"crashpoints -pairs -every 0", "must be above 0"},
		{"crashpoints x", "nothing may follow"},
		{"check", "no file is named"},
		{"check /nowhere/history.jsonl", "no such file"},
		{"check -max-ops -1 x", "must not be negative"},
		{"check -max-steps 0 x", "-max-steps 0 must be above 0\ntry: novasim check -h"},
		{"check -timeout -1s x", "-timeout -1s must not be negative; 0 is no limit\ntry: novasim check -h"},
		{"check -tiemout 1s x", "did you mean -timeout?\ntry: novasim check -h"},
		{"bugs -max x", "try: novasim bugs -h"},
		{"replay -zones 2 x", "try: novasim replay -h"},
		{"meta -stars -1", "try: novasim meta -h"},
		{"shrink -seeds 1..2", "did you mean -seed?\ntry: novasim shrink -h"},
		{"meta -other /bin/false -duration 1s", "try: /bin/false -seed 1"},
		{"meta -other /bin/true -duration 1s", "its output is no report of novasim"},
		{"meta -seed 1 -seeds 1..2", "exclude each other"},
		{"meta x", "nothing may follow"},
		{"bugs -max 0", "must be above 0"},
		{"bugs no-poision", "did you mean"},
		{"bugs -bug no-poison", "are named behind the flags"},
		{"bugs no-poison -duration 3m", "-duration stands behind no-poison: flags come first"},
		{"list bugs -o json", "flags come first"},
		{"check history.jsonl -o json", "flags come first"},
		{"-history - -duration 5s", "- names no file"},
		{"check -", "- names no file"},
		{"help shirnk", "did you mean"},
		{"list fautls", `did you mean "faults"?`},
	} {
		r := novasim(strings.Fields(c.args)...)
		if r.code != exitUsage || !strings.Contains(r.stderr, c.want) || !strings.Contains(r.stderr, "try: ") || r.stdout != "" {
			t.Errorf("novasim %s: exit code %d, stdout %q, stderr %q; want %q", c.args, r.code, r.stdout, r.stderr, c.want)
		}
	}
}

func TestHelp(t *testing.T) {
	if r := novasim("help", "shrink"); r.stdout != novasim("shrink", "-h").stdout {
		t.Errorf("novasim help shrink: %s", r.stdout)
	}
	for _, c := range commands() {
		args := []string{"-h"}
		if c.name != "" {
			args = []string{c.name, "-h"}
		}
		r := novasim(args...)
		r.want(t, exitPassed, "Usage:", "Exit codes:")
		if c.name == "list" || c.name == "convert" {
			if strings.Contains(r.stdout, "a check failed") {
				t.Errorf("novasim %v tells of checks: %s", args, r.stdout)
			}
		}
		if c.name != "help" && (!strings.Contains(r.stdout, "Examples:") || !strings.Contains(r.stdout, "Flags:")) {
			t.Errorf("novasim %v: %s", args, r.stdout)
		}
	}
}

// TestFormats has every command write every format, and reads it.
func TestFormats(t *testing.T) {
	good := write(t, good)
	for _, command := range [][]string{
		small("-seed", "1"), small("-seeds", "1..2"), {"check", good}, {"list", "faults", "bugs"},
		{"crashpoints", "-scenario", "delete-led"},
		append([]string{"meta"}, small("-seed", "1")...),
		append([]string{"bugs", "-max", "1"}, small("-faults", "none", "ack-before-quorum")...),
	} {
		at := min(1, len(command))
		if strings.HasPrefix(command[0], "-") {
			at = 0
		}
		for _, format := range []string{"json", "jsonl", "yaml"} {
			args := append(append(append([]string{}, command[:at]...), "-o", format), command[at:]...)
			r := novasim(args...)
			var value any
			var err error
			switch format {
			case "yaml":
				err = yaml.Unmarshal([]byte(r.stdout), &value)
			case "json":
				err = json.Unmarshal([]byte(r.stdout), &value)
			case "jsonl":
				for line := range strings.Lines(r.stdout) {
					err = json.Unmarshal([]byte(line), &value)
				}
			}
			if err != nil || value == nil {
				t.Errorf("novasim %v: %v\n%s%s", args, err, r.stdout, r.stderr)
			}
		}
	}
}
