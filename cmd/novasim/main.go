// Command novasim runs whole fleets of Nova in a simulated world, breaks what can break, and says whether a promise was broken.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/term"

	"github.com/novastream/nova/cmd/novasim/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	headroom := cli.Headroom(os.Getenv("GOGC"))
	code := cli.Run(ctx, cli.Env{
		Args: os.Args[1:], Stdout: os.Stdout, Stderr: os.Stderr, StderrTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		Program: os.Args[0], Child: cli.Exec,
	})
	runtime.KeepAlive(headroom)
	os.Exit(code)
}
