package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"
)

// format is the value of -o.
type format string

// The formats. Text is for people; the others hold the same as one value, and jsonl one a line.
const (
	text   format = "text"
	asJSON format = "json"
	jsonl  format = "jsonl"
	asYAML format = "yaml"
)

func (f *format) String() string { return string(*f) }

// Set reads a format.
func (f *format) Set(name string) error {
	for _, known := range []format{text, asJSON, jsonl, asYAML} {
		if name == string(known) {
			*f = known
			return nil
		}
	}
	return fmt.Errorf("must be text, json, jsonl or yaml")
}

func (f *flags) format() *format {
	o := text
	f.Var(&o, "o", "`format` of what is written to stdout: text, json, jsonl or yaml")
	return &o
}

// write writes one value in a format other than text.
func (f format) write(out io.Writer, value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	switch f {
	case asJSON:
		line, err = json.MarshalIndent(value, "", "  ")
	case asYAML:
		line, err = yaml.JSONToYAML(line)
		line = []byte("---\n" + strings.TrimSuffix(string(line), "\n"))
	default: // the line it is
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n", line)
	return err
}

// writeAll writes several values: as one list, or one a line.
func writeAll[T any](f format, out io.Writer, values []T) error {
	if f != jsonl {
		return f.write(out, values)
	}
	for _, v := range values {
		if err := f.write(out, v); err != nil {
			return err
		}
	}
	return nil
}
