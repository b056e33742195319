package lint

import "strings"

// Module is the path of the module whose packages the table speaks of.
const Module = "github.com/novastream/nova"

// Folder is one row of the import table. Paths are relative to the module; a row speaks of the folder and all below it
// that have no row of their own.
type Folder struct {
	Path   string
	Ours   []string // rows that its code may import
	Tests  []string // rows that its tests may import as well
	Pure   bool     // of the standard library only what has no world in it (see purePackages)
	Vendor []string // path prefixes of other modules; Anything lifts the limit
	// Deterministic code runs on one thread with injected time and chance; the bans hold.
	Deterministic bool
	// Excepted rules do not hold here; Exceptions lets a line lift one with a nova:allow comment.
	Excepted   []string
	Exceptions bool
}

// Anything as a vendor prefix allows every module that go.mod requires.
const Anything = "*"

// Table is the import table of docs/architecture.md, and stands in its order.
func Table() []Folder {
	protobuf := []string{"google.golang.org/protobuf/proto", "google.golang.org/protobuf/reflect/protoreflect"}
	pure := append([]string{"github.com/klauspost/compress/zstd", "github.com/zeebo/xxh3"}, protobuf...)
	return []Folder{
		{Path: "io", Ours: []string{"io"}, Pure: true, Deterministic: true},
		{Path: "io/iotest", Ours: []string{"io", "io/iotest"}, Vendor: []string{"pgregory.net/rapid"}},
		{Path: "core", Ours: []string{"core", "io"}, Tests: []string{"io/iotest", "sim", "history"}, Pure: true, Vendor: pure, Deterministic: true},
		{Path: "history", Ours: []string{"history"}, Pure: true, Vendor: []string{"github.com/anishathalye/porcupine", "github.com/zeebo/xxh3"}, Deterministic: true},
		{Path: "history/record", Ours: []string{"history/record", "history", "io"}, Pure: true, Vendor: []string{"github.com/zeebo/xxh3"}, Deterministic: true},
		{
			Path: "sim", Ours: []string{"sim", "core", "io", "history", "history/record"}, Tests: []string{"io/iotest"}, Pure: true,
			Vendor:        append([]string{"github.com/RaduBerinde/btreemap"}, pure...),
			Deterministic: true, Excepted: []string{RuleCoroutine, RuleRoot}, Exceptions: true,
		},
		{Path: "realio", Ours: []string{"realio", "io"}, Tests: []string{"io/iotest"}, Vendor: []string{Anything}},
		{
			Path: "client", Ours: []string{"client", "core", "io", "realio", "history", "history/record"}, Tests: []string{"cmd/nova"},
			Vendor: []string{Anything},
		},
		{Path: "cmd/nova", Ours: []string{"cmd/nova", "cmd/terminal", "client", "core", "io", "realio", "history", "history/record"}, Vendor: []string{Anything}},
		{Path: "cmd/novasim", Ours: []string{"cmd/novasim", "cmd/terminal", "sim", "core", "io", "history", "history/record"}, Vendor: []string{Anything}},
		{Path: "cmd/terminal", Ours: []string{"cmd/terminal"}},
		{Path: "internal/lint", Vendor: []string{"golang.org/x/tools"}},
		{Path: "internal/generated"}, // tests of the repository itself
		{Path: "docs", Tests: []string{"internal/lint", "cmd/nova"}},
	}
}

// FolderOf is the row that a package belongs to: the longest path that holds it. Test packages count as what they test.
func FolderOf(pkg string) (Folder, bool) {
	rel, ours := strings.CutPrefix(strings.TrimSuffix(pkg, "_test"), Module+"/")
	best, found := Folder{}, false
	for _, f := range Table() {
		if ours && holds(f.Path, rel) && len(f.Path) > len(best.Path) {
			best, found = f, true
		}
	}
	return best, found
}

// holds says whether path is folder or lies below it.
func holds(folder, path string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}

// purePackages are the packages of the standard library without a clock, a thread, chance of their own or the outside.
const purePackages = `
	bufio bytes cmp container/heap container/list container/ring context crypto/sha256 embed encoding/base32
	encoding/base64 encoding/binary encoding/hex encoding/json errors fmt hash hash/crc32 hash/crc64 hash/fnv html
	html/template io iter log/slog maps math math/big math/bits math/rand/v2 path regexp slices sort strconv strings
	text/tabwriter text/template time unicode unicode/utf8
`

// instead says what to use for packages that are asked for most.
func instead(pkg string) string {
	switch pkg {
	case "sync", "sync/atomic":
		return "the baton is the lock, and signals of io/run are how tasks wait"
	case "os", "os/signal", "os/exec", "io/fs", "path/filepath":
		return "files belong to realio and cmd; a star's identity goes through io/disk"
	case "net", "net/http":
		return "calls go through io/peer"
	case "math/rand", "crypto/rand":
		return "chance comes from run.Runtime.Rand"
	case "hash/maphash":
		return "its seed differs in every process; hash with xxh3"
	case "unsafe", "reflect", "runtime", "runtime/debug":
		return "what it shows differs from run to run"
	case "testing":
		return "only tests import it"
	default:
		return "only pure packages may be used here; add it to purePackages if it is one"
	}
}
