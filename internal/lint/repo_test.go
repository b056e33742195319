package lint_test

import (
	"cmp"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/novastream/nova/internal/lint"
)

// TestModule holds every package of the module to the table and the bans.
func TestModule(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	visit(t, root)
	said := map[string]bool{} // a package is loaded again with its tests
	judge := func(u lint.Unit) {
		for _, f := range lint.Check(u) {
			at := u.Fset.Position(f.Pos)
			if file, err := filepath.Rel(root, at.Filename); err == nil {
				at.Filename = file
			}
			if text := at.String() + ": " + f.Rule + ": " + f.Text; !said[text] {
				said[text] = true
				t.Error(text)
			}
		}
	}
	var typed []string
	for _, pkg := range load(t, root, packages.NeedName|packages.NeedFiles, "./...") {
		folder, _ := lint.FolderOf(pkg.PkgPath)
		if folder.Deterministic {
			typed = append(typed, strings.TrimSuffix(pkg.PkgPath, "_test"))
		} else {
			judge(parse(t, pkg))
		}
	}
	slices.Sort(typed)
	for _, pkg := range load(t, root, packages.LoadSyntax, slices.Compact(typed)...) {
		judge(lint.Unit{Path: pkg.PkgPath, Fset: pkg.Fset, Files: pkg.Syntax, Info: pkg.TypesInfo})
	}
}

// visit looks into every folder of the module, so that a result of this test is not taken from the cache when a file that
// the go command alone would find has come or gone.
func visit(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// load loads packages of the module with their tests, in the order of their names, without generated test mains.
func load(t *testing.T, root string, mode packages.LoadMode, patterns ...string) []*packages.Package {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Dir: root, Mode: mode, Tests: true}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range pkgs {
		for _, e := range pkg.Errors {
			t.Errorf("%s: %v", pkg.PkgPath, e)
		}
	}
	pkgs = slices.DeleteFunc(pkgs, func(p *packages.Package) bool {
		return len(p.Errors) > 0 || len(p.GoFiles) == 0 || filepath.Ext(p.PkgPath) == ".test"
	})
	slices.SortStableFunc(pkgs, func(a, b *packages.Package) int { return cmp.Compare(a.PkgPath, b.PkgPath) })
	return pkgs
}

// parse reads a package whose types nobody asks for.
func parse(t *testing.T, pkg *packages.Package) lint.Unit {
	t.Helper()
	u := lint.Unit{Path: pkg.PkgPath, Fset: token.NewFileSet()}
	for _, name := range pkg.GoFiles {
		file, err := parser.ParseFile(u.Fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		u.Files = append(u.Files, file)
	}
	return u
}
