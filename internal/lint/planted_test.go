package lint_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/novastream/nova/internal/lint"
)

// TestPlanted runs the linter over packages that break every rule of deterministic code, and over some that break none.
// The violations stand in testdata with what the linter is to say; what it says beside that fails the test.
func TestPlanted(t *testing.T) {
	results := analysistest.Run(t, analysistest.TestData(), lint.Analyzer(),
		lint.Module+"/core/planted", lint.Module+"/core/fine", lint.Module+"/sim/planted", lint.Module+"/history/planted",
		lint.Module+"/realio/fine")
	var said []string
	for _, r := range results {
		for _, d := range r.Diagnostics {
			said = append(said, d.Message)
		}
	}
	for _, ban := range lint.Bans() {
		for name := range strings.FieldsSeq(ban.Names) {
			if !caught(said, fmt.Sprintf("%s: %s.%s;", ban.Rule, ban.Package, name)) {
				t.Errorf("no package in testdata plants %s.%s", ban.Package, name)
			}
		}
		if !caught(said, ban.Rule+": "+ban.Package+".") {
			t.Errorf("no package in testdata plants anything of %s", ban.Package)
		}
	}
}

func caught(said []string, prefix string) bool {
	for _, s := range said {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// TestPlantedImports imports one package from another and sees it refused, or not.
func TestPlantedImports(t *testing.T) {
	const ours = lint.Module + "/"
	for _, c := range []struct {
		from, imports string
		refused       string // part of the finding; "" is allowed
	}{
		{"io/run", ours + "core/keys", "of ours it may import io"},
		{"io/run", ours + "sim", "of ours"},
		{"io/run", ours + "realio/runtime", "of ours"},
		{"io/run", ours + "history", "of ours"},
		{"io/run", "google.golang.org/grpc", "of other modules it may import nothing"},
		{"io/run", "sync", "the baton is the lock"},
		{"io/run", "context", ""},
		{"io/peer", ours + "io/run", ""},
		{"io/iotest", ours + "io/run", ""},
		{"io/iotest", ours + "core/keys", "of ours"},
		{"core/chain", ours + "io/run", ""},
		{"core/chain", ours + "core/keys", ""},
		{"core/chain", ours + "io/iotest", "of ours"},
		{"core/chain", ours + "sim", "of ours it may import core, io"},
		{"core/chain", ours + "realio/runtime", "of ours"},
		{"core/chain", ours + "history", "of ours"},
		{"core/chain", ours + "cmd/nova", "of ours"},
		{"core/chain", ours + "unlisted", "in no row of the import table"},
		{"core/chain", "github.com/zeebo/xxh3", ""},
		{"core/chain", "google.golang.org/protobuf/proto", ""},
		{"core/chain", "google.golang.org/protobuf/encoding/prototext", "of other modules"},
		{"core/chain", "google.golang.org/grpc", "of other modules"},
		{"core/chain", "github.com/cockroachdb/pebble/v2", "of other modules"},
		{"core/chain", "github.com/zeebo/xxh3plus", "of other modules"},
		{"core/chain", "C", "without C"},
		{"core/chain", "path/filepath", "files belong to realio"},
		{"core/chain", "os", "files belong to realio and cmd"},
		{"core/chain", "net", "calls go through io/peer"},
		{"core/chain", "net/http", "calls go through io/peer"},
		{"core/chain", "crypto/rand", "chance comes from run.Runtime.Rand"},
		{"core/chain", "math/rand", "chance comes from run.Runtime.Rand"},
		{"core/chain", "hash/maphash", "hash with xxh3"},
		{"core/chain", "sync", "the baton is the lock"},
		{"core/chain", "sync/atomic", "the baton is the lock"},
		{"core/chain", "unsafe", "differs from run to run"},
		{"core/chain", "reflect", "differs from run to run"},
		{"core/chain", "runtime", "differs from run to run"},
		{"core/chain", "testing", "only tests import it"},
		{"core/chain", "log", "only pure packages"},
		{"history", ours + "core/keys", "of ours it may import history"},
		{"history", ours + "io/run", "of ours"},
		{"history", ours + "sim", "of ours"},
		{"history", ours + "realio/runtime", "of ours"},
		{"history", "github.com/anishathalye/porcupine", ""},
		{"history", "google.golang.org/protobuf/proto", "of other modules"},
		{"history", ours + "history/record", "of ours it may import history"},
		{"history/record", ours + "io/peer", ""},
		{"history/record", ours + "history", ""},
		{"history/record", ours + "core/client", "of ours it may import history/record, history, io"},
		{"history/record", ours + "sim", "of ours"},
		{"history/record", ours + "realio/runtime", "of ours"},
		{"history/record", ours + "client", "of ours"},
		{"history/record", "sync", "the baton is the lock"},
		{"sim/checks", ours + "core/star", ""},
		{"sim/checks", ours + "history/record", ""},
		{"sim/checks", ours + "client", "of ours"},
		{"sim/checks", ours + "io/run", ""},
		{"sim/checks", ours + "history", ""},
		{"sim/checks", ours + "realio/runtime", "of ours"},
		{"sim/checks", ours + "cmd/novasim", "of ours"},
		{"sim/checks", "net", "calls go through io/peer"},
		{"sim/checks", "testing", "only tests import it"},
		{"realio/fileblob", ours + "io/blob", ""},
		{"realio/fileblob", ours + "core/keys", "of ours it may import realio, io"},
		{"realio/fileblob", ours + "sim", "of ours"},
		{"realio/fileblob", ours + "history", "of ours"},
		{"realio/fileblob", "github.com/cockroachdb/pebble/v2", ""},
		{"client", ours + "core/client", ""},
		{"client", ours + "realio/grpcpeer", ""},
		{"client", ours + "history/record", ""},
		{"client", ours + "sim", "of ours"},
		{"client", ours + "cmd/nova", "of ours"},
		{"core/client", ours + "client", "of ours"},
		{"realio/fileblob", ours + "client", "of ours"},
		{"cmd/nova", ours + "core/star", ""},
		{"cmd/nova", ours + "client", ""},
		{"cmd/nova", ours + "history/record", ""},
		{"cmd/nova", ours + "realio/fileblob", ""},
		{"cmd/nova", ours + "history", ""},
		{"cmd/nova", ours + "sim", "of ours"},
		{"cmd/nova", ours + "sim/simmeta", "of ours"},
		{"cmd/nova", ours + "cmd/novasim", "of ours"},
		{"cmd/novasim", ours + "sim/checks", ""},
		{"cmd/novasim", ours + "core/planted", ""},
		{"cmd/novasim", ours + "realio/fileblob", "of ours"},
		{"cmd/novasim", ours + "cmd/nova", "of ours"},
		{"unlisted/thing", "fmt", "in no row of the import table"},
		{"corelike", "fmt", "in no row of the import table"},
	} {
		got := check(t, ours+c.from, "planted.go", c.imports)
		switch {
		case c.refused == "" && len(got) > 0:
			t.Errorf("%s imports %s: refused: %s", c.from, c.imports, got[0].Text)
		case c.refused != "" && (len(got) != 1 || !strings.Contains(got[0].Text, c.refused)):
			t.Errorf("%s imports %s: %v; want one finding with %q", c.from, c.imports, got, c.refused)
		}
	}
}

// TestPlantedTestImports: tests may reach further than code, but not across the two worlds.
func TestPlantedTestImports(t *testing.T) {
	const ours = lint.Module + "/"
	for _, c := range []struct {
		from, imports string
		allowed       bool
	}{
		{"core/chain", "sync", true},
		{"core/chain", "pgregory.net/rapid", true},
		{"core/chain", ours + "sim", true},
		{"core/chain_test", ours + "sim", true},
		{"core/chain_test", ours + "realio/runtime", false},
		{"sim/simmeta_test", ours + "io/iotest", true},
		{"sim/simmeta_test", ours + "realio/embeddedmeta", false},
		{"realio/fileblob_test", ours + "io/iotest", true},
		{"realio/fileblob_test", ours + "core/chain", false},
		{"client_test", ours + "cmd/nova/host", true},
		{"client_test", ours + "sim", false},
		{"cmd/nova_test", ours + "history", true},
		{"cmd/nova_test", ours + "sim", false},
	} {
		if got := check(t, ours+c.from, "planted_test.go", c.imports); (len(got) == 0) != c.allowed {
			t.Errorf("a test of %s imports %s: %v; want allowed: %v", c.from, c.imports, got, c.allowed)
		}
	}
}

// check runs the linter over a package of one file with one import. It needs no types: a file that only imports
// has nothing else to judge.
func check(t *testing.T, pkg, file, imports string) []lint.Finding {
	t.Helper()
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, fmt.Sprintf("package planted\n\nimport _ %q\n", imports), parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return lint.Check(lint.Unit{Path: pkg, Fset: fset, Files: []*ast.File{parsed}, Info: &types.Info{}})
}
