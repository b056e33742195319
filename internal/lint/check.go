package lint

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Unit is one package as the linter sees it.
type Unit struct {
	Path  string // import path; an external test package ends in _test
	Fset  *token.FileSet
	Files []*ast.File
	Info  *types.Info // needed for deterministic folders alone
}

// Finding is one broken rule.
type Finding struct {
	Pos  token.Pos
	Rule string
	Text string
}

// The rules of all folders.
const (
	RuleTable  = "table"  // every package has a row in the import table
	RuleImport = "import" // imports follow the table
	RuleSleep  = "sleep"  // tests do not wait on the real clock
	RuleAllow  = "allow"  // exceptions are well-formed and needed
)

// Analyzer is the linter for drivers of go/analysis.
func Analyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "nova",
		Doc:  "holds packages of Nova to the import table and deterministic ones to their bans",
		Run: func(pass *analysis.Pass) (any, error) {
			for _, f := range Check(Unit{pass.Pkg.Path(), pass.Fset, pass.Files, pass.TypesInfo}) {
				pass.Report(analysis.Diagnostic{Pos: f.Pos, Category: f.Rule, Message: f.Rule + ": " + f.Text})
			}
			return nil, nil
		},
	}
}

// Check finds what a package breaks, in the order of its files.
func Check(u Unit) []Finding {
	folder, ok := FolderOf(u.Path)
	if !ok {
		return []Finding{{u.Files[0].Name.Pos(), RuleTable, u.Path + " is in no row of the import table; add one to internal/lint/table.go and docs/architecture.md"}}
	}
	var findings []Finding
	for _, file := range u.Files {
		c := &checker{unit: u, folder: folder, file: file, allowed: map[ast.Node]bool{}}
		c.test = strings.HasSuffix(u.Fset.File(file.FileStart).Name(), "_test.go")
		c.generated = ast.IsGenerated(file)
		c.imports()
		switch {
		case c.test:
			c.sleeps()
		case folder.Deterministic && !c.generated:
			ast.Inspect(file, c.deterministic)
		}
		findings = append(findings, c.withoutExceptions()...)
	}
	return findings
}

// checker looks at one file.
type checker struct {
	unit            Unit
	folder          Folder
	file            *ast.File
	test, generated bool
	allowed         map[ast.Node]bool // parts of an idiom that lifts a ban
	findings        []Finding
}

func (c *checker) report(at ast.Node, rule, format string, args ...any) {
	if !slices.Contains(c.folder.Excepted, rule) {
		c.findings = append(c.findings, Finding{at.Pos(), rule, fmt.Sprintf(format, args...)})
	}
}

// sleeps looks for waits on the real clock in a test.
func (c *checker) sleeps() {
	ast.Inspect(c.file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Sleep" {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" {
				c.report(sel, RuleSleep, "a test that waits on the real clock is slow or flaky; wait for the condition, or use virtual time")
			}
		}
		return true
	})
}
