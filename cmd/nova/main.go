// Command nova is the star and the command line of Nova, a durable stream store on object storage.
package main

import (
	"context"
	"os"

	"golang.org/x/term"

	"github.com/novastream/nova/cmd/nova/cli"
)

func main() {
	terminal := func(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
	os.Exit(cli.Run(context.Background(), cli.Env{
		Args:  os.Args[1:],
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		StdinTerminal: terminal(os.Stdin), StdoutTerminal: terminal(os.Stdout), StderrTerminal: terminal(os.Stderr),
		Getenv: os.Getenv,
	}))
}
