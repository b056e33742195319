package iotest

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/novastream/nova/io/meta"
)

// MetaScript is a sequence of operations on a metastore, and what a model of the contract says to them. Bindings that pass
// the same scripts agree with the model and so with one another, in every operation, order and error.
type MetaScript []metaOp

// metaOp is one operation. Which fields it uses depends on its name.
type metaOp struct {
	name    string
	view    int // of metaViews
	key     string
	value   string
	expect  expectation
	indexes []meta.Index
	prefix  string
	from    string // after, probe, or the lower bound
	to      string
	index   string
	limit   int
	bad     bool // an argument breaks the contract
}

// expectation is what a write expects, before the versions are known.
type expectation uint8

const (
	expectNow    expectation = iota // the version that the record is at; must not exist where there is none
	expectBefore                    // the version that it was at before the last change
	expectAbsent
	expectAnything
)

// metaView is a view that scripts work on. Each keeps to a prefix and an index name of its own: what one view sees of the
// rows of another depends on how many shards there are.
type metaView struct {
	name    string
	prefix  string
	natural bool
	open    func(meta.Spaces) any // of points
}

func metaViews() []metaView {
	return []metaView{
		{"records", "p", false, func(s meta.Spaces) any { return s.Records }},
		{"records within q", "q", false, func(s meta.Spaces) any { return s.Records.Within("q") }},
		{"work within w", "w", false, func(s meta.Spaces) any { return s.Work.Within("w") }},
		{"ephemeral within r", "r", false, func(s meta.Spaces) any { return s.Ephemeral.Within("r") }},
		{"naming", "n", true, func(s meta.Spaces) any { return s.Naming }},
	}
}

// String is the operation as a failed script shows it.
func (o metaOp) String() string {
	return fmt.Sprintf("%s in %s: key=%q value=%q expect=%d indexes=%v prefix=%q from=%q to=%q index=%q limit=%d",
		o.name, metaViews()[o.view].name, o.key, o.value, o.expect, o.indexes, o.prefix, o.from, o.to, o.index, o.limit)
}

// GoString is String: rapid shows drawn values by it.
func (o metaOp) GoString() string { return "\n\t" + o.String() }

// MetaScripts generates scripts.
func MetaScripts() *rapid.Generator[MetaScript] {
	return rapid.Custom(func(t *rapid.T) MetaScript {
		return rapid.SliceOfN(rapid.Custom(drawMetaOp), 1, 60).Draw(t, "script")
	})
}

func oneOf(t *rapid.T, what string, from ...string) string {
	return rapid.SampledFrom(from).Draw(t, what)
}

// The names are such that orders differ: by bytes, by number of slashes, with a slash above or below other bytes.
func drawName(t *rapid.T) string { return oneOf(t, "name", "a", "a-b", "a.b", "a0", "b", "é", "~") }

func drawPrefix(t *rapid.T, v metaView) string {
	return v.prefix + oneOf(t, "below", "", "", "/a", "/a-b")
}

func drawIndexes(t *rapid.T, v metaView) (indexes []meta.Index) {
	for _, name := range []string{"x", "y"} {
		for range rapid.IntRange(0, 2).Draw(t, "entries of "+name) {
			x := meta.Index{Name: v.prefix + name, Key: drawSecondary(t, name)}
			if !strings.Contains(fmt.Sprint(indexes), fmt.Sprint(x)) {
				indexes = append(indexes, x)
			}
		}
	}
	return indexes
}

// drawSecondary draws a secondary key. Those of index y all have one slash.
func drawSecondary(t *rapid.T, index string) string {
	text := oneOf(t, "secondary", "s", "s1", "s-2", "s.3", "s0", "t", "t\x01", "t\x02")
	if index == "y" {
		return text + "/" + oneOf(t, "second part", "1", "2")
	}
	return text
}

func drawMetaOp(t *rapid.T) metaOp {
	views := metaViews()
	o := metaOp{view: rapid.IntRange(0, len(views)-1).Draw(t, "view")}
	v := views[o.view]
	names := []string{"put", "put", "put", "put indexed", "put indexed", "delete", "get", "get by index"}
	if v.natural {
		names = append(names, "list", "list")
	} else {
		names = append(names, "floor", "scan", "scan", "delete children", "delete range", "floor index", "scan index", "scan index")
	}
	if v.prefix == "r" {
		names = append(names, "put ephemeral", "put ephemeral", "expire")
	}
	o.name = oneOf(t, "op", names...)
	o.key = drawPrefix(t, v) + "/" + drawName(t)
	o.value = oneOf(t, "value", "", "1", "22", "333")
	o.expect = rapid.SampledFrom([]expectation{expectNow, expectNow, expectBefore, expectAbsent, expectAnything}).Draw(t, "expect")
	if o.name == "put indexed" {
		o.indexes = drawIndexes(t, v)
	}
	o.prefix = drawPrefix(t, v)
	o.from, o.to = drawName(t), drawName(t)
	if o.name != "floor" && o.name != "delete range" && rapid.Bool().Draw(t, "from the start") {
		o.from = ""
	}
	o.limit = rapid.IntRange(1, 6).Draw(t, "limit")
	kind := oneOf(t, "index", "x", "y")
	o.index = v.prefix + kind
	if strings.Contains(o.name, "index") && o.name != "put indexed" {
		o.prefix = oneOf(t, "secondary prefix", "s", "s", "t", "s1", "")
		o.from = drawSecondary(t, kind)
	}
	if rapid.IntRange(0, 19).Draw(t, "bad") == 0 {
		o.spoil(t, v)
	}
	return o
}

// spoil gives the operation an argument that breaks the contract, where it takes one that can.
func (o *metaOp) spoil(t *rapid.T, v metaView) {
	o.bad = true
	switch o.name {
	case "expire":
		o.bad = false
	case "list":
		o.limit = 0
	case "floor", "delete children":
		o.prefix = oneOf(t, "bad prefix", "", "/p", "p/", "p//q", "bad\xff")
	case "scan":
		if o.limit = rapid.IntRange(0, 1).Draw(t, "bad limit"); o.limit == 1 {
			o.prefix = oneOf(t, "bad prefix", "", "/p", "p/", "p//q", "bad\xff")
		}
	case "delete range":
		if o.from = oneOf(t, "bad lower bound", "", "a"); o.from != "" {
			o.to = ""
		}
	case "get by index", "floor index":
		o.index = "a/b"
	case "scan index":
		if o.limit = rapid.IntRange(0, 1).Draw(t, "bad limit"); o.limit == 1 {
			o.index = "a/b"
		}
	default:
		bad := []string{"", "bad\xff", "/a", "a/", "a//b"}
		if v.natural {
			bad = []string{"", "bad\xff", "zero\x00byte"}
		}
		o.key = oneOf(t, "bad key", bad...)
	}
}
