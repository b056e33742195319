package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

// full is a disk that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestLostOutput has every command say that what it told was lost. A failed check stays one.
func TestLostOutput(t *testing.T) {
	file := write(t, good)
	bad := write(t, strings.Replace(good, `"first":0,"hashes":["00000000000000ab"]}`+"\n", `"first":0,"hashes":[]}`+"\n", 1))
	for _, c := range []struct {
		args []string
		code int
	}{
		{small("-seed", "1"), exitUsage},
		{small("-seeds", "1..2"), exitUsage},
		{small("-seed", "1", "-o", "json"), exitUsage},
		{[]string{"check", file}, exitUsage},
		{[]string{"check", bad}, exitFailed},
		{[]string{"check", "-o", "json", bad}, exitFailed},
		{failing("-o", "json"), exitFailed},
		{failing("-seeds", "1..2"), exitFailed},
		{failing("-seeds", "1..2", "-o", "yaml"), exitFailed},
		{[]string{"convert", file}, exitUsage},
		{[]string{"crashpoints", "-scenario", "delete-led"}, exitUsage},
		{append([]string{"meta"}, small("-seed", "1")...), exitUsage},
		{append([]string{"replay", "-faults", "none"}, file), exitUsage},
		{[]string{"list", "faults"}, exitUsage},
		{[]string{"help"}, exitUsage},
		{[]string{"check", "-h"}, exitUsage},
	} {
		var stderr bytes.Buffer
		code := Run(context.Background(), Env{
			Args: keepingOut(c.args), Stdout: full{}, Stderr: &stderr, Program: os.Args[0], Child: childExec,
		})
		if code != c.code || strings.Count(stderr.String(), "no space left") != 1 {
			t.Errorf("novasim %v: exit code %d, want %d\n%s", c.args, code, c.code, stderr.String())
		}
	}
}
