package output

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"
)

// Printer prints values of one kind: structs whose JSON field names are also their column names.
type Printer struct {
	out    *bufio.Writer
	format Format
	table  table
	items  int
}

// NewPrinter makes a printer. Auto becomes Table where out is a terminal, and JSONL elsewhere.
func NewPrinter(out io.Writer, format Format, terminal bool) *Printer {
	if format == Auto {
		format = JSONL
		if terminal {
			format = Table
		}
	}
	return &Printer{out: bufio.NewWriterSize(out, 64<<10), format: format}
}

// Format is the format that the printer prints.
func (p *Printer) Format() Format { return p.format }

// One prints a value that stands alone.
func (p *Printer) One(v any) error {
	switch p.format {
	case JSON:
		data, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			return err
		}
		fmt.Fprintf(p.out, "%s\n", data)
	case YAML:
		data, err := yaml.Marshal(v)
		if err != nil {
			return err
		}
		p.out.Write(data) //nolint:errcheck // the writer keeps its error, and Flush returns it
	default:
		if err := p.Item(v); err != nil {
			return err
		}
		p.table.print(p.out)
	}
	return p.out.Flush()
}

// Item prints one value of a list.
func (p *Printer) Item(v any) error {
	switch p.format {
	case Table:
		p.table.add(v)
		return nil
	case YAML: // lists of one item, one after the other, are a list
		data, err := yaml.Marshal([]any{v})
		if err != nil {
			return err
		}
		p.out.Write(data) //nolint:errcheck // the writer keeps its error, and Flush returns it
	default:
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		fmt.Fprintf(p.out, "%s%s%s", p.before(), data, p.after())
	}
	p.items++
	return nil
}

// before and after part the items of an array or of lines.
func (p *Printer) before() string {
	switch {
	case p.format != JSON:
		return ""
	case p.items == 0:
		return "[\n"
	default:
		return ",\n"
	}
}

func (p *Printer) after() string {
	if p.format == JSON {
		return ""
	}
	return "\n"
}

// Bytes prints a line of raw bytes.
func (p *Printer) Bytes(line []byte) {
	p.out.Write(line)     //nolint:errcheck // the writer keeps its error, and Flush returns it
	p.out.WriteByte('\n') //nolint:errcheck // as above
}

// Flush shows what was printed up to here.
func (p *Printer) Flush() error {
	p.table.print(p.out)
	return p.out.Flush()
}

// End ends a list.
func (p *Printer) End() error {
	switch {
	case p.format == JSON && p.items == 0:
		p.out.WriteString("[]\n") //nolint:errcheck // the writer keeps its error, and Flush returns it
	case p.format == JSON:
		p.out.WriteString("\n]\n") //nolint:errcheck // as above
	case p.format == YAML && p.items == 0:
		p.out.WriteString("[]\n") //nolint:errcheck // as above
	}
	return p.Flush()
}
