package timeline

import (
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"
)

//go:embed page
var pageFiles embed.FS

// scripts are the parts of the page's program, in order.
var scripts = []string{"data.js", "look.js", "view.js", "draw.js", "pick.js", "panel.js", "table.js", "search.js", "measure.js", "main.js"}

// Write writes the page as one HTML file that opens from disk and asks nothing of any network.
func (p *Page) Write(out io.Writer) error {
	data, err := json.Marshal(p) // it escapes <, > and &: no text can end the element that it is in
	if err != nil {
		return fmt.Errorf("timeline: %w", err)
	}
	program := "'use strict';\n(() => {\n"
	for _, name := range scripts {
		program += read(name)
	}
	program += "})();\n"
	fill := strings.NewReplacer(
		"{{title}}", html.EscapeString(p.Title), "{{style}}", read("page.css"), "{{data}}", string(data), "{{program}}", program,
	)
	_, err = fill.WriteString(out, read("page.html"))
	return err
}

// read is a file of the page.
func read(name string) string {
	text, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}
