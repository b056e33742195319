package crashpoints

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// namedSteps are the steps that the sources of the core name, wherever they call Step: by a literal, by a parameter for which
// callers give literals, or by what a committer is made for and a literal.
func namedSteps(t *testing.T) []string {
	t.Helper()
	var steps []string
	err := filepath.WalkDir("../../core", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			steps = append(steps, stepsOf(t, path)...)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(steps)
	return slices.Compact(steps)
}

// stepsOf are those of one package.
func stepsOf(t *testing.T, dir string) (steps []string) {
	t.Helper()
	files := parse(t, dir)
	for _, file := range files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if name, ok := stepArgument(n); ok {
					steps = append(steps, valuesOf(t, files, fn, name)...)
				}
				return true
			})
		}
	}
	return steps
}

func parse(t *testing.T, dir string) (files []*ast.File) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// stepArgument is the name that a call of Step is given.
func stepArgument(n ast.Node) (ast.Expr, bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return nil, false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return call.Args[1], ok && sel.Sel.Name == "Step"
}

// valuesOf are the strings that an expression in a function may be.
func valuesOf(t *testing.T, files []*ast.File, fn *ast.FuncDecl, name ast.Expr) []string {
	t.Helper()
	switch name := name.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(name.Value)
		if err != nil {
			t.Fatal(err)
		}
		return []string{text}
	case *ast.BinaryExpr: // what a committer is made for, and what it does
		var all []string
		for _, what := range []string{"absorb", "flush", "settle"} {
			for _, suffix := range valuesOf(t, files, fn, name.Y) {
				all = append(all, what+suffix)
			}
		}
		return all
	case *ast.Ident:
		return literalsFor(t, files, fn, name.Name)
	default:
		t.Fatalf("a step of %s is named in a way that this test does not understand", fn.Name.Name)
		return nil
	}
}

// literalsFor are the literals that callers in the package give for a parameter.
func literalsFor(t *testing.T, files []*ast.File, fn *ast.FuncDecl, parameter string) (all []string) {
	t.Helper()
	at, n := -1, 0
	for _, field := range fn.Type.Params.List {
		for _, name := range field.Names {
			if name.Name == parameter {
				at = n
			}
			n++
		}
	}
	for _, file := range files {
		ast.Inspect(file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok || len(call.Args) != n {
				return true
			}
			called := ""
			switch f := call.Fun.(type) {
			case *ast.Ident:
				called = f.Name
			case *ast.SelectorExpr:
				called = f.Sel.Name
			}
			if literal, ok := call.Args[max(at, 0)].(*ast.BasicLit); ok && called == fn.Name.Name && at >= 0 {
				all = append(all, valuesOf(t, files, fn, literal)...)
			}
			return true
		})
	}
	if len(all) == 0 {
		t.Fatalf("nobody gives %s a literal for %s", fn.Name.Name, parameter)
	}
	return all
}
