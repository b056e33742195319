package lint

import (
	"go/types"
	"slices"
	"strings"
)

// The rules that deterministic code keeps, by the names that findings and nova:allow comments use.
const (
	RuleClock     = "clock"     // no wall clock and no timers but the runtime's
	RuleZone      = "zone"      // no time zone of the machine
	RuleChance    = "chance"    // no global source of chance
	RuleContext   = "context"   // contexts come from the runtime, so that their deadlines run on its clock
	RuleRoot      = "root"      // the root context is the runtime's
	RuleOutput    = "output"    // nothing is printed or logged past the runtime
	RuleCoroutine = "coroutine" // tasks come from the runtime
	RuleGo        = "go"        // no goroutines
	RuleChan      = "chan"      // no channels and no select
	RuleMapOrder  = "map-order" // nothing runs in the order of a map
	RulePointer   = "pointer"   // no addresses in text
)

// Ban is what one rule refuses of one package: functions, methods of the named type, or variables.
type Ban struct {
	Rule, Package string
	Names         string // separated by spaces; "" is every function but those that start with New
	Instead       string
}

// Bans is the whole list.
func Bans() []Ban {
	return []Ban{
		{RuleClock, "time", "Now Since Until", "stamp with run.Runtime.Now, measure with run.Runtime.Elapsed"},
		{RuleClock, "time", "Sleep After AfterFunc Tick NewTimer NewTicker", "wait with run.Runtime.Sleep"},
		{RuleZone, "time", "Local LoadLocation Time.Local", "all stamps are UTC"},
		{RuleChance, "math/rand", "", "take chance from run.Runtime.Rand"},
		{RuleChance, "math/rand/v2", "", "take chance from run.Runtime.Rand"},
		{
			RuleContext, "context",
			"WithCancel WithCancelCause WithDeadline WithDeadlineCause WithTimeout WithTimeoutCause WithValue WithoutCancel AfterFunc",
			"derive contexts with run.Runtime.WithCancel and WithTimeout",
		},
		{RuleRoot, "context", "Background TODO", "work that outlives its caller runs on run.Runtime.Context"},
		{RuleOutput, "fmt", "Print Printf Println", "return text, or write it to an io.Writer that was handed in"},
		{
			RuleOutput, "log/slog",
			"Debug DebugContext Info InfoContext Warn WarnContext Error ErrorContext Log LogAttrs With Default SetDefault",
			"tell of decisions with run.Runtime.Note",
		},
		{RuleCoroutine, "iter", "Pull Pull2", "start tasks with run.Runtime.Go"},
		{RuleMapOrder, "maps", "Keys Values All DeleteFunc", "sort first: slices.Sorted(maps.Keys(m))"},
	}
}

// banOf finds the ban that an object falls under.
func banOf(o types.Object) (Ban, bool) {
	if o == nil || o.Pkg() == nil {
		return Ban{}, false
	}
	name, function, ok := exported(o)
	for _, b := range Bans() {
		if ok && b.Package == o.Pkg().Path() && b.covers(name, function) {
			return b, true
		}
	}
	return Ban{}, false
}

// exported names a function or variable of a package, or a method as Type.Method, and says whether it is a function.
func exported(o types.Object) (name string, function, ok bool) {
	switch o := o.(type) {
	case *types.Var:
		return o.Name(), false, o.Parent() == o.Pkg().Scope()
	case *types.Func:
		recv := o.Signature().Recv()
		if recv == nil {
			return o.Name(), true, true
		}
		of := recv.Type()
		if p, isPointer := of.(*types.Pointer); isPointer {
			of = p.Elem()
		}
		if named, isNamed := of.(*types.Named); isNamed {
			return named.Obj().Name() + "." + o.Name(), false, true
		}
	}
	return "", false, false
}

func (b Ban) covers(name string, function bool) bool {
	if b.Names == "" {
		return function && !strings.HasPrefix(name, "New")
	}
	return slices.Contains(strings.Fields(b.Names), name)
}
