package lint

import (
	"go/ast"
	"slices"
	"strings"
)

// exception is a comment `//nova:allow <rule> <reason>`. It lifts the rule on its own line, or on the line below where it
// stands alone.
type exception struct {
	comment *ast.Comment
	rule    string
	line    int
	used    bool
}

const allowPrefix = "//nova:allow "

// withoutExceptions is what is left of the findings, with what is wrong with the exceptions.
func (c *checker) withoutExceptions() []Finding {
	exceptions := c.exceptions()
	left := slices.DeleteFunc(c.findings, func(f Finding) bool {
		line := c.unit.Fset.Position(f.Pos).Line
		for _, e := range exceptions {
			if e.rule == f.Rule && (line == e.line || line == e.line+1) {
				e.used = true
				return true
			}
		}
		return false
	})
	c.findings = left
	for _, e := range exceptions {
		if !e.used {
			c.report(e.comment, RuleAllow, "nothing on this line or the next breaks %q; remove the exception", e.rule)
		}
	}
	return c.findings
}

// exceptions collects the well-formed exceptions of a file and reports the others.
func (c *checker) exceptions() []*exception {
	var all []*exception
	for _, group := range c.file.Comments {
		for _, comment := range group.List {
			text, ok := strings.CutPrefix(comment.Text, allowPrefix)
			if !ok {
				continue
			}
			text, _, _ = strings.Cut(text, "//")
			rule, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
			switch {
			case !c.folder.Exceptions:
				c.report(comment, RuleAllow, "%s has no exceptions", c.folder.Path)
			case strings.TrimSpace(reason) == "":
				c.report(comment, RuleAllow, "say why %q does not hold here: //nova:allow %s <reason>", rule, rule)
			default:
				all = append(all, &exception{comment: comment, rule: rule, line: c.unit.Fset.Position(comment.Pos()).Line})
			}
		}
	}
	return all
}
