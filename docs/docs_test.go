// Package docs_test sees that the pages of the project stay true: what they link to exists, the files and types that they
// name exist, and the tables that repeat something agree with it.
package docs_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/novastream/nova/internal/lint"
)

const root = ".."

// pages are the markdown files of the project with their text, by path from the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	walk(t, func(name string) {
		if filepath.Ext(name) == ".md" {
			all[name] = read(t, name)
		}
	})
	return all
}

// walk visits the files of the project, generated and hidden folders excepted.
func walk(t *testing.T, visit func(name string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (strings.HasPrefix(entry.Name(), ".") || name == "out" || name == "nova-data"):
			return fs.SkipDir
		case !entry.IsDir():
			visit(name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func exists(name string) bool {
	_, err := os.Stat(filepath.Join(root, name))
	return err == nil
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	file    = regexp.MustCompile("`([\\w.-]+(?:/[\\w.-]+)+/?|[\\w.-]+/|(?:sim|history)\\.[A-Z][\\w.]*)`")
	goName  = regexp.MustCompile(`^([\w/-]+)\.([A-Z]\w*(?:\.[A-Z]\w*)?)$`)
	target  = regexp.MustCompile("(?m)(?:`|^    )make ([a-z][a-z-]*)")
)

// TestLinks follows every link that stays inside the project, to its heading where it names one.
func TestLinks(t *testing.T) {
	for page, text := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, "://") {
				continue
			}
			path := page
			if to != "" {
				path = filepath.Join(filepath.Dir(page), to)
			}
			switch {
			case !exists(path):
				t.Errorf("%s links to %s, which does not exist", page, m[1])
			case anchor != "" && !slices.Contains(anchors(read(t, path)), anchor):
				t.Errorf("%s links to %s, which has no such heading", page, m[1])
			}
		}
	}
}

// anchors are the names that links use for the headings of a page.
func anchors(text string) []string {
	var all []string
	for _, h := range headings(text) {
		slug := strings.ReplaceAll(strings.ToLower(h), " ", "-")
		all = append(all, regexp.MustCompile(`[^a-z0-9-]`).ReplaceAllString(slug, ""))
	}
	return all
}

func headings(text string) []string {
	var all []string
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// TestNames looks for every file, folder and Go name that a page gives in backticks by its path. Keys of rows, and what a
// run makes, are told apart by their first part, which is no folder of the project.
func TestNames(t *testing.T) {
	for page, text := range pages(t) {
		for _, m := range file.FindAllStringSubmatch(text, -1) {
			first, _, _ := strings.Cut(m[1], "/")
			first, _, _ = strings.Cut(first, ".")
			name := goName.FindStringSubmatch(m[1])
			switch {
			case !exists(first):
			case name != nil && !declares(t, name[1], name[2]):
				t.Errorf("%s names %s, which %s does not declare", page, m[1], name[1])
			case name == nil && !exists(m[1]):
				t.Errorf("%s names %s, which does not exist", page, m[1])
			}
		}
	}
}

// TestTargets looks for every make target that a page names.
func TestTargets(t *testing.T) {
	makefile := read(t, "Makefile")
	for page, text := range pages(t) {
		for _, m := range target.FindAllStringSubmatch(text, -1) {
			if !regexp.MustCompile(`(?m)^` + m[1] + `:`).MatchString(makefile) {
				t.Errorf("%s names make %s, which the Makefile does not have", page, m[1])
			}
		}
	}
}

// TestGlossary sees that each term but a few says its Go name; TestNames looks for those.
func TestGlossary(t *testing.T) {
	terms, named := 0, 0
	for line := range strings.Lines(read(t, "docs/glossary.md")) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 || strings.HasPrefix(cells[1], " -") {
			continue
		}
		terms++
		if file.MatchString(cells[3]) {
			named++
		}
	}
	if terms < 40 || terms-named > 4 {
		t.Errorf("the glossary has %d terms, %d of them with a Go name", terms, named)
	}
}

// declares says whether the package in folder declares name: a type, constant, variable or function, or Type.Member.
func declares(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, path := range files {
		parsed, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			if slices.Contains(declared(decl), name) {
				return true
			}
		}
	}
	return false
}

// declared are the names that a declaration gives: of types, constants, variables and functions, and members as Type.Member.
func declared(decl ast.Decl) (names []string) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			name = receiver(d.Recv.List[0].Type) + "." + name
		}
		return []string{name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
				for _, member := range members(s.Type) {
					names = append(names, s.Name.Name+"."+member)
				}
			}
		}
	}
	return names
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	default:
		return ""
	}
}

// members are the fields of a struct, or the methods of an interface.
func members(e ast.Expr) (names []string) {
	var list *ast.FieldList
	switch e := e.(type) {
	case *ast.StructType:
		list = e.Fields
	case *ast.InterfaceType:
		list = e.Methods
	default:
		return nil
	}
	for _, field := range list.List {
		for _, n := range field.Names {
			names = append(names, n.Name)
		}
	}
	return names
}

// TestImportTable compares the table of the architecture page with the one that the linter holds the code to.
func TestImportTable(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| `([\\w/]+)` \\| ([^|]*) \\| ([^|]*) \\| ([^|]*) \\|$")
	said := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(read(t, "docs/architecture.md"), -1) {
		said[m[1]] = fmt.Sprintf("ours %s; tests %s; standard library %s", m[2], m[3], m[4])
	}
	for _, f := range lint.Table() {
		library := "all"
		if f.Pure {
			library = "pure"
		}
		want := fmt.Sprintf("ours %s; tests %s; standard library %s", cell(f.Ours), cell(f.Tests), library)
		if said[f.Path] != want {
			t.Errorf("docs/architecture.md says of %s %q; internal/lint holds it to %q", f.Path, said[f.Path], want)
		}
		delete(said, f.Path)
	}
	if len(said) > 0 {
		t.Errorf("docs/architecture.md has rows that internal/lint does not have: %v", said)
	}
}

func cell(paths []string) string {
	if len(paths) == 0 {
		return "—"
	}
	return "`" + strings.Join(paths, "`, `") + "`"
}

// TestLogLines compares the log lines of the operations page with those that the core writes.
func TestLogLines(t *testing.T) {
	_, section, _ := strings.Cut(read(t, "docs/operations.md"), "## The log")
	said := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([a-z][^|]*) \| [^|]* \|$`).FindAllStringSubmatch(section, -1) {
		said[m[1]] = true
	}
	delete(said, "line") // the head of the table
	alarms := read(t, "io/run/alarm.go")
	for _, m := range regexp.MustCompile(`(?m)^\| ([a-z][^|]*) \| [^|]* \|$`).FindAllString(section, -1) {
		line, means, _ := strings.Cut(strings.Trim(m, "| "), " | ")
		if strings.HasSuffix(means, "that must not be") != strings.Contains(alarms, `"`+line+`"`) {
			t.Errorf("docs/operations.md and run.Alarm differ on whether the log line %q must not be", line)
		}
	}
	written := map[string]bool{}
	walk(t, func(name string) {
		if !strings.HasPrefix(name, "core/") || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return
		}
		for _, m := range regexp.MustCompile(`\.Note\("([^"]+)"`).FindAllStringSubmatch(read(t, name), -1) {
			written[m[1]] = true
			if !said[m[1]] {
				t.Errorf("docs/operations.md does not say what the log line %q of %s means", m[1], name)
			}
		}
	})
	for line := range said {
		if !written[line] {
			t.Errorf("docs/operations.md explains the log line %q, which nothing writes", line)
		}
	}
}

// TestDecisions holds the index of the decision records to the records: one line each, in order, with title and status.
func TestDecisions(t *testing.T) {
	names, err := filepath.Glob("adr/[0-9]*.md")
	if err != nil || len(names) == 0 {
		t.Fatalf("decision records: %d, %v", len(names), err)
	}
	var want []string
	for i, name := range names {
		text := read(t, filepath.Join("docs", name))
		title := headings(text)[0]
		number, _, _ := strings.Cut(filepath.Base(name), "-")
		status := regexp.MustCompile(`(?m)^Status: (\w+)`).FindStringSubmatch(text)
		if number != fmt.Sprintf("%04d", i+1) || !strings.HasPrefix(title, number+": ") || status == nil {
			t.Errorf("%s: number %s, title %q, status %v; want the next number, the same in the title, and a status", name, number, title, status)
			continue
		}
		want = append(want, fmt.Sprintf("| [%s](%s) | %s | %s |", number, filepath.Base(name), strings.TrimPrefix(title, number+": "), status[1]))
	}
	var have []string
	for line := range strings.Lines(read(t, "docs/adr/README.md")) {
		if strings.HasPrefix(line, "| [") {
			have = append(have, strings.TrimSpace(line))
		}
	}
	if !slices.Equal(have, want) {
		t.Errorf("docs/adr/README.md lists\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

// TestDesignReferences follows what comments in the code say of the design: `chains.md ("Writing")` is docs/chains.md with
// that heading.
func TestDesignReferences(t *testing.T) {
	reference := regexp.MustCompile(`\b([a-z]+)\.md(?:\)?\s+\(((?:"[^"\n]+"(?:, )?)+)[^)]*\))?`)
	quoted := regexp.MustCompile(`"([^"]+)"`)
	found := 0
	walk(t, func(name string) {
		if ext := filepath.Ext(name); (ext != ".go" && ext != ".proto") || strings.Contains(name, "testdata/") || strings.HasPrefix(name, "docs/") {
			return
		}
		text := regexp.MustCompile(`\n\s*// `).ReplaceAllString(read(t, name), " ")
		for _, m := range reference.FindAllStringSubmatch(text, -1) {
			found++
			page := "docs/" + m[1] + ".md"
			if !exists(page) {
				t.Errorf("%s refers to %s.md, which docs/ does not have", name, m[1])
				continue
			}
			for _, q := range quoted.FindAllStringSubmatch(m[2], -1) {
				if !slices.Contains(headings(read(t, page)), q[1]) {
					t.Errorf("%s refers to %q of %s, which has no such heading", name, q[1], page)
				}
			}
		}
	})
	if found < 20 {
		t.Errorf("%d references to the design in the code; are they still read?", found)
	}
}
