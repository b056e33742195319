//go:build golangci

package lint_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlantedStyle runs golangci-lint with our configuration over a module that breaks what it is to catch. `make lint`
// builds golangci-lint and names it in NOVA_GOLANGCI.
func TestPlantedStyle(t *testing.T) {
	config, err := os.ReadFile("../../.golangci.yaml")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for name, text := range map[string]string{
		".golangci.yaml":  string(config),
		"go.mod":          "module github.com/novastream/nova\n\ngo 1.26.0\n",
		"sim/sim.go":      "// Package sim is a world.\npackage sim\n",
		"history/ops.go":  "// Package history is a checker.\npackage history\n\nimport _ \"github.com/novastream/nova/core\" // planted\n",
		"core/core.go":    plantedCore,
		"core/long.go":    "package core\n\nfunc long() {\n" + strings.Repeat("\tprintln()\n", 71) + "}\n\nfunc use() { long() }\n",
		"core/longer.go":  "package core\n\n" + strings.Repeat("// Is is one more.\nfunc _() {}\n\n", 401),
		"realio/fine.go":  "// Package realio is fine.\npackage realio\n",
		"cmd/nova/own.go": "package main\n\nimport _ \"github.com/novastream/nova/sim\" // planted\n\nfunc main() {}\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command(os.Getenv("NOVA_GOLANGCI"), "run", "--allow-parallel-runners", "--output.text.print-issued-lines=false", "./...")
	run.Dir = root
	out, _ := run.CombinedOutput() // it fails, as it should
	for _, want := range []string{
		"core/core.go:5:2: import 'github.com/novastream/nova/sim' is not allowed from list 'core'",
		"history/ops.go:4:8: import 'github.com/novastream/nova/core' is not allowed from list 'history'",
		"cmd/nova/own.go:3:8: import 'github.com/novastream/nova/sim' is not allowed from list 'cmd-nova'",
		"counter is a global variable",
		"comparing with == will fail on wrapped errors",
		"missing cases in expression switch: Two",
		"Function 'long' is too long",
		"file-length-limit",
		"the error type name `Wrong` should conform to the `XxxError` format",
		"exported: exported function Undocumented should have comment",
		"directive `//nolint` should mention specific linter",
		"Error return value of `errors.Join` is not checked",
		"core/core.go:1:9: package should have a godoc",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("golangci-lint does not say %q", want)
		}
	}
	if strings.Contains(string(out), "realio") {
		t.Errorf("golangci-lint finds something in a package that is fine")
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}

const plantedCore = `package core

import (
	"context"
	_ "github.com/novastream/nova/sim" // planted
	"errors"
)

var counter int

// Wrong is an error.
type Wrong struct{}

func (Wrong) Error() string { return "wrong" }

// Kind is one of two.
type Kind uint8

// The kinds.
const (
	One Kind = iota
	Two
)

var errPlanted = errors.New("planted")

func Undocumented(ctx context.Context, k Kind, err error) bool {
	errors.Join(errPlanted)
	fails()
	switch k {
	case One:
		counter++ //nolint
	}
	return err == errPlanted && ctx.Err() == nil
}

func fails() error { use(); return nil }
`
