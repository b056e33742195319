package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/novastream/nova/cmd/terminal"
)

// flags are the flags of one command.
type flags struct {
	*flag.FlagSet
	env   Env
	usage string // the first lines of the help
	exits string // its last
	help  string // the command that tells it
}

// newFlags are the flags of the command of that name; empty: the run of seeds.
func newFlags(e Env, command, usage string) *flags {
	set := flag.NewFlagSet("novasim", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	return &flags{set, e, usage, exitText, strings.Join(strings.Fields("novasim "+command+" -h"), " ")}
}

// parse reads the command line. The error is a usageError, or flag.ErrHelp after the help was told.
func (f *flags) parse(args []string) error {
	err := f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(f.env.Stdout, "%s\nFlags:\n", f.usage)
		f.SetOutput(f.env.Stdout)
		f.PrintDefaults()
		fmt.Fprint(f.env.Stdout, "\n"+f.exits)
		return err
	}
	if err == nil {
		return f.noFlagsBehind()
	}
	text := err.Error()
	if name, unknown := strings.CutPrefix(text, "flag provided but not defined: -"); unknown {
		var known []string
		f.VisitAll(func(g *flag.Flag) { known = append(known, g.Name) })
		text = fmt.Sprintf("there is no flag -%s", name)
		if near := terminal.Nearest(name, known); near != "" {
			text += fmt.Sprintf("; did you mean -%s?", near)
		}
	}
	return usagef(f.help, "%s", text)
}

// noFlagsBehind refuses what looks like a flag behind the names: there it would be taken for a name.
func (f *flags) noFlagsBehind() error {
	for _, arg := range f.Args() {
		if len(arg) > 1 && arg[0] == '-' && f.Arg(0) != arg {
			return usagef(f.help, "%s stands behind %s: flags come first; a file of that name is ./%s", arg, f.Arg(0), arg)
		}
	}
	return nil
}

// given says whether a flag is on the command line.
func (f *flags) given(name string) (given bool) {
	f.Visit(func(g *flag.Flag) { given = given || g.Name == name })
	return given
}

// durationVar is DurationVar that says what a number without a unit lacks.
func (f *flags) durationVar(p *time.Duration, name string, value time.Duration, usage string) {
	*p = value
	f.Var((*duration)(p), name, usage)
}

type duration time.Duration

func (d *duration) String() string { return time.Duration(*d).String() }

// Set reads a time.
func (d *duration) Set(text string) error {
	value, err := time.ParseDuration(text)
	if _, number := strconv.ParseFloat(text, 64); err != nil && number == nil {
		return fmt.Errorf("a time needs a unit: %ss or %sm", text, text)
	}
	if err != nil {
		return errors.New("must be a time, as 90s or 10m")
	}
	*d = duration(value)
	return nil
}

// seedRange is the value of -seeds: A..B, both of them in it.
type seedRange struct{ from, to uint64 }

func (r *seedRange) String() string {
	if r == nil || *r == (seedRange{}) {
		return ""
	}
	return fmt.Sprintf("%d..%d", r.from, r.to)
}

// Set reads A..B, or one seed.
func (r *seedRange) Set(text string) error {
	low, high, isRange := strings.Cut(text, "..")
	if !isRange {
		high = low
	}
	var err, err2 error
	r.from, err = strconv.ParseUint(low, 10, 64)
	r.to, err2 = strconv.ParseUint(high, 10, 64)
	if err != nil || err2 != nil || r.from > r.to {
		return errors.New("must be A..B, two numbers of which the first is not the greater")
	}
	if r.count() == 0 {
		return errors.New("is one seed more than can be counted: leave out 0 or the last")
	}
	return nil
}

// count is how many seeds there are; it overflows to 0 for the one range of all numbers, which Set refuses.
func (r *seedRange) count() uint64 { return r.to - r.from + 1 }
