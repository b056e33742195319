package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Env is the world of the command line.
type Env struct {
	Args           []string // without the program's name
	Stdout, Stderr io.Writer
	StderrTerminal bool
	Program        string // the path of novasim
	Child          ChildFunc
}

// ChildFunc runs a program with arguments and additions to the environment, and gives what it wrote to stdout. An exit code
// of a verdict is no error.
type ChildFunc func(ctx context.Context, program string, args, env []string) (stdout []byte, err error)

// command is one command of novasim.
type command struct {
	name  string // empty: the run of seeds
	usage string // after the name
	about string
	run   func(ctx context.Context, e Env, args []string) error
}

func commands() []command {
	return []command{
		{"", "[flags]", "run a simulated fleet from one seed, or from many (-seeds A..B)", runSeeds},
		{"crashpoints", "[flags]", "enumerate the instants at which a star can die, and all that can go wrong there", runCrashpoints},
		{"shrink", "[flags] [FILE]", "the smallest run of a failing seed that fails in the same way", runShrink},
		{"replay", "[flags] FILE", "run a kept failure again, or a recorded history in a simulated fleet", runReplay},
		{"check", "[flags] FILE...", "judge recorded histories", checkFiles},
		{"convert", "[flags] FILE", "turn a history into the format of s2-verification, or back", runConvert},
		{"meta", "[flags]", "is a run deterministic? run it in several processes and compare", runMeta},
		{"bugs", "[flags] [BUG...]", "does the simulator find the planted bugs? run seeds until it does", runBugs},
		{"list", "[TOPIC...]", "scenarios, faults, steps, bugs and situations", runList},
		{"help", "[COMMAND]", "this text, or that of a command", runHelp},
	}
}

// Run runs one command line and gives its exit code.
func Run(ctx context.Context, e Env) int {
	args := e.Args
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	stdout := &keeper{out: e.Stdout}
	e.Stdout = stdout
	err := dispatch(ctx, e, name, args)
	if errors.Is(err, flag.ErrHelp) {
		err = nil
	}
	if lost := stdout.lost(); lost != nil && !errors.Is(err, lost) {
		err = besides(err, lost)
	}
	var usage *usageError
	var more *besidesError
	switch {
	case err == nil:
	case errors.As(err, &more):
		fmt.Fprintf(e.Stderr, "novasim: %s\n", plainLines(more.Error()))
	case errors.Is(err, errInterrupted): // once, however many were
		fmt.Fprintf(e.Stderr, "novasim: %v\n", errInterrupted)
	case errors.As(err, &usage):
		fmt.Fprintf(e.Stderr, "novasim: %s\n%s\n", plainLines(err.Error()), usage.try)
	case !errors.Is(err, errTold):
		fmt.Fprintf(e.Stderr, "novasim: %s\n", plainLines(err.Error()))
	}
	return exitCode(err)
}

func dispatch(ctx context.Context, e Env, name string, args []string) error {
	var names []string
	for _, c := range commands() {
		if c.name == name {
			return c.run(ctx, e, args)
		}
		names = append(names, c.name)
	}
	return usagef("novasim help lists the commands", "there is no command %q%s", name, meant(name, names))
}

func runHelp(ctx context.Context, e Env, args []string) error {
	if len(args) > 0 && args[0] != "help" && !strings.HasPrefix(args[0], "-") {
		return dispatch(ctx, e, args[0], []string{"-h"})
	}
	fmt.Fprint(e.Stdout, "novasim runs whole fleets of Nova in a simulated world and says whether a promise was broken.\n\nUsage:\n")
	for _, c := range commands() {
		fmt.Fprintf(e.Stdout, "  %-32s %s\n", strings.Join(strings.Fields("novasim "+c.name+" "+c.usage), " "), c.about)
	}
	fmt.Fprint(e.Stdout, "\nnovasim -h and novasim COMMAND -h tell the flags.\n\n"+exitText)
	return nil
}
