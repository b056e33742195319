package docs_test

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"testing"

	"github.com/novastream/nova/cmd/nova/cli"
)

// TestFlags compares the table of the star's flags with what nova serve says of itself.
func TestFlags(t *testing.T) {
	var help bytes.Buffer
	code := cli.Run(context.Background(), cli.Env{
		Args: []string{"serve", "--help"}, Stdout: &help, Stderr: &help, Getenv: func(string) string { return "" },
	})
	if code != 0 {
		t.Fatalf("nova serve --help ends with %d:\n%s", code, help.String())
	}
	own, _, _ := bytes.Cut(help.Bytes(), []byte("Global Flags:"))
	have := names(regexp.MustCompile(`(?m)^ +(?:-\w, )?(--[a-z-]+) `), string(own))
	have = slices.DeleteFunc(have, func(name string) bool { return name == "--help" })
	said := names(regexp.MustCompile("(?m)^\\| `(--[a-z-]+)` \\|"), read(t, "docs/product.md"))
	if !slices.Equal(have, said) {
		t.Errorf("docs/product.md has the flags\n%v\nnova serve has\n%v", said, have)
	}
}

// names are the first groups of all matches, in order of the alphabet.
func names(pattern *regexp.Regexp, text string) []string {
	var all []string
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	slices.Sort(all)
	return all
}
