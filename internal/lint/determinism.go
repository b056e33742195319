package lint

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// deterministic reports what a node brings in that differs from run to run. It is called parents first.
func (c *checker) deterministic(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		c.report(n, RuleGo, "go statement; start a task with run.Runtime.Go")
	case *ast.SelectStmt:
		c.report(n, RuleChan, "select; tasks wait on signals of io/run")
	case *ast.SendStmt:
		c.report(n, RuleChan, "send on a channel; tasks wait on signals of io/run")
	case *ast.ChanType:
		c.report(n, RuleChan, "channel type; tasks wait on signals of io/run")
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			c.report(n, RuleChan, "receive from a channel; tasks wait on signals of io/run")
		}
	case *ast.RangeStmt:
		c.ranges(n)
	case *ast.CallExpr:
		c.calls(n)
	case *ast.BasicLit:
		if n.Kind == token.STRING && pointerVerb.MatchString(strings.ReplaceAll(n.Value, "%%", "")) {
			c.report(n, RulePointer, "%%p prints an address, which differs from run to run")
		}
	case *ast.SelectorExpr:
		c.names(n.Sel, n)
		c.allowed[n.Sel] = true // said already
	case *ast.Ident:
		c.names(n, n)
	}
	return true
}

// names reports a banned function, method or variable, called or not.
func (c *checker) names(id *ast.Ident, at ast.Expr) {
	o := c.unit.Info.Uses[id]
	ban, banned := banOf(o)
	if !banned || c.allowed[at] {
		return
	}
	full, _, _ := exported(o)
	c.report(at, ban.Rule, "%s.%s; %s", o.Pkg().Path(), full, ban.Instead)
}

// ranges reports loops in the order of a map or over a channel.
func (c *checker) ranges(n *ast.RangeStmt) {
	switch {
	case ranges[*types.Map](c.unit.Info.TypeOf(n.X)):
		c.report(n, RuleMapOrder, "range over a map; sort first: for _, k := range slices.Sorted(maps.Keys(m))")
	case ranges[*types.Chan](c.unit.Info.TypeOf(n.X)):
		c.report(n, RuleChan, "range over a channel; tasks wait on signals of io/run")
	}
}

// ranges says whether a loop over a value of type t runs over a T, seen through names and type parameters.
func ranges[T types.Type](t types.Type) bool {
	if t == nil {
		return false
	}
	if _, ok := t.Underlying().(T); ok {
		return true
	}
	constraint, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for i := range constraint.NumEmbeddeds() {
		switch e := constraint.EmbeddedType(i).(type) {
		case *types.Union:
			for j := range e.Len() {
				if ranges[T](e.Term(j).Type()) {
					return true
				}
			}
		default:
			if ranges[T](e) {
				return true
			}
		}
	}
	return false
}

// calls looks at a call: at the one idiom in which maps.Keys may stand, at times in the zone of the machine, at close and
// at the printing builtins.
func (c *checker) calls(n *ast.CallExpr) {
	if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
		if b, builtin := c.unit.Info.Uses[id].(*types.Builtin); builtin {
			c.builtin(n, b.Name())
		}
	}
	switch c.callee(n) {
	case "slices.Sorted":
		c.lift(n.Args[0], "maps.Keys", "maps.Values")
	case "slices.SortedFunc": // of values, those that compare equal would stay in the order of the map
		c.lift(n.Args[0], "maps.Keys")
	case "time.Time.UTC":
		if method, ok := n.Fun.(*ast.SelectorExpr); ok {
			c.lift(method.X, localTimes...)
		}
	case "time.Unix", "time.UnixMilli", "time.UnixMicro":
		if !c.allowed[n.Fun] {
			c.report(n, RuleZone, "%s gives a time in the zone of the machine; add .UTC()", c.callee(n))
		}
	}
}

var (
	localTimes  = []string{"time.Unix", "time.UnixMilli", "time.UnixMicro"}
	pointerVerb = regexp.MustCompile(`%[-+# 0-9]*p`)
)

// lift allows e where it is a call of one of these functions.
func (c *checker) lift(e ast.Expr, functions ...string) {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && slices.Contains(functions, c.callee(call)) {
		c.allowed[call.Fun] = true
	}
}

// callee is the function or method that a call calls, as package.Function or package.Type.Method.
func (c *checker) callee(n *ast.CallExpr) string {
	fun := ast.Unparen(n.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	id, ok := fun.(*ast.Ident)
	if sel, selector := fun.(*ast.SelectorExpr); selector {
		id, ok = sel.Sel, true
	}
	if !ok {
		return ""
	}
	o := c.unit.Info.Uses[id]
	if o == nil || o.Pkg() == nil {
		return ""
	}
	full, _, _ := exported(o)
	return o.Pkg().Path() + "." + full
}

func (c *checker) builtin(n *ast.CallExpr, name string) {
	switch name {
	case "print", "println":
		c.report(n, RuleOutput, "%s writes to standard error; return text", name)
	case "close":
		c.report(n, RuleChan, "close of a channel; tasks wait on signals of io/run")
	}
}
