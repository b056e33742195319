// Command novasim runs whole fleets of Nova in a simulated world, breaks what can break, and says whether a promise was broken.
package main

import (
	"context"
	"os"
	"os/signal"

	"golang.org/x/term"

	"github.com/novastream/nova/cmd/novasim/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	os.Exit(cli.Run(ctx, cli.Env{
		Args: os.Args[1:], Stdout: os.Stdout, Stderr: os.Stderr, StderrTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		Program: os.Args[0], Child: cli.Exec,
	}))
}
