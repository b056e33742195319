package lint

import (
	"slices"
	"strconv"
	"strings"
)

// imports holds the imports of a file to the table.
func (c *checker) imports() {
	for _, spec := range c.file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the compiler's to say
		}
		if why := c.refuses(path); why != "" {
			c.report(spec, RuleImport, "%s may not import %s: %s", c.folder.Path, path, why)
		}
	}
}

// refuses says why the file may not import path, or nothing where it may.
func (c *checker) refuses(path string) string {
	first, _, _ := strings.Cut(path, "/")
	switch {
	case path == Module || strings.HasPrefix(path, Module+"/"):
		return c.refusesOurs(path)
	case c.test || c.generated:
		return ""
	case path == "C":
		return "Nova is built without C"
	case !strings.Contains(first, "."):
		return c.refusesStandard(path)
	default:
		return c.refusesVendor(path)
	}
}

func (c *checker) refusesOurs(path string) string {
	to, ok := FolderOf(path)
	if !ok {
		return "it is in no row of the import table"
	}
	ours := c.folder.Ours
	if c.test {
		ours = append(slices.Clone(ours), append(c.folder.Tests, c.folder.Path)...)
	}
	if slices.Contains(ours, to.Path) {
		return ""
	}
	return "of ours it may import " + list(ours)
}

func (c *checker) refusesStandard(path string) string {
	if !c.folder.Pure || slices.Contains(strings.Fields(purePackages), path) {
		return ""
	}
	return instead(path)
}

func (c *checker) refusesVendor(path string) string {
	for _, prefix := range c.folder.Vendor {
		if prefix == Anything || holds(prefix, path) {
			return ""
		}
	}
	return "of other modules it may import " + list(c.folder.Vendor)
}

func list(paths []string) string {
	if len(paths) == 0 {
		return "nothing"
	}
	return strings.Join(paths, ", ")
}
