package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/novastream/nova/cmd/nova/output"
)

// Env is what a command line sees of its process.
type Env struct {
	Args           []string // without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	StdinTerminal  bool
	StdoutTerminal bool
	StderrTerminal bool
	Getenv         func(string) string
}

// app is one run of the command line.
type app struct {
	Env
	addr    string
	timeout time.Duration
	format  string
}

// Run runs one command line and answers its exit code.
func Run(ctx context.Context, env Env) int {
	a := &app{Env: env}
	root := a.root()
	root.SetArgs(env.Args)
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	completions(root)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	a.explain(err)
	return exitCode(err)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "nova",
		Short: "Nova is a durable stream store on object storage",
		Long: `Nova is a durable stream store on object storage: append records to streams, read them back in order, follow them live.

Start a fleet of three stars to play with by "nova dev", or one star by "nova serve".

Flags that every command has can also be given by the environment: NOVA_ADDR, NOVA_OUTPUT, NOVA_TIMEOUT. A flag beats its variable.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 a condition failed (the expected seq, the fencing token, a name that is
taken), 5 try again later, 124 no answer within --timeout.`,
		Example: `  nova dev                               # three stars in one process, data in ./nova-data
  nova bucket create logs --create-on-open
  echo hello | nova append logs/app
  nova read logs/app --follow`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.prepare(cmd) },
		Version:           version(),
	}
	root.SetFlagErrorFunc(flagError)
	flags := root.PersistentFlags()
	flags.StringVar(&a.addr, "addr", "127.0.0.1:7780", "address of any star of the fleet")
	flags.DurationVar(&a.timeout, "timeout", 30*time.Second, "how long to wait for an answer; 0 without end")
	flags.StringVarP(&a.format, "output", "o", "", "table, json, jsonl or yaml, of read also raw (default: table on a terminal, else jsonl, of read raw)")
	root.AddGroup(
		&cobra.Group{ID: "data", Title: "Records:"}, &cobra.Group{ID: "admin", Title: "Buckets and streams:"},
		&cobra.Group{ID: "node", Title: "Stars:"},
	)
	a.add(root, "data", a.appendCommand(), a.readCommand(), a.tailCommand(), a.benchCommand())
	a.add(root, "admin", a.bucketCommand(), a.streamCommand())
	a.add(root, "node", a.devCommand(), a.serveCommand(), a.fleetCommand(), a.healthCommand(), a.doctorCommand())
	a.add(root, "", a.versionCommand(), a.demoCommand())
	root.SetHelpCommand(helpCommand())
	return group(root)
}

func (a *app) add(parent *cobra.Command, group string, commands ...*cobra.Command) {
	for _, c := range commands {
		c.GroupID = group
		parent.AddCommand(c)
	}
}

// group makes a command that has commands of its own refuse what is none of them.
func group(c *cobra.Command) *cobra.Command {
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return cmd.Help()
	}
	return c
}

// printer prints on stdout in the format asked for; extra are formats that this command knows beyond the common ones.
func (a *app) printer(extra ...string) (*output.Printer, error) {
	format, err := output.Parse(a.format, extra...)
	if err != nil {
		return nil, usagef("see nova help", "%v", err)
	}
	return output.NewPrinter(a.Stdout, format, a.StdoutTerminal), nil
}

// one prints a value that stands alone.
func (a *app) one(v any) error {
	p, err := a.printer()
	if err != nil {
		return err
	}
	return p.One(v)
}

// say tells a human something beside the data.
func (a *app) say(format string, args ...any) {
	fmt.Fprintf(a.Stderr, format+"\n", args...)
}

// answer bounds one call to the fleet.
func (a *app) answer(ctx context.Context) (context.Context, context.CancelFunc) {
	return a.answerWithin(ctx, 0)
}

// answerWithin bounds a call that is meant to wait for a while.
func (a *app) answerWithin(ctx context.Context, wait time.Duration) (context.Context, context.CancelFunc) {
	if a.timeout <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, a.timeout+wait)
}

func (a *app) paint() output.Paint {
	return output.Paint(a.StderrTerminal && a.Getenv("NO_COLOR") == "")
}

// prepare readies a command: its flags from the environment, and its context ended by a signal where it does not handle
// signals itself.
func (a *app) prepare(cmd *cobra.Command) error {
	if cmd.Annotations[serves] == "" && cmd.Annotations[interrupts] == "" {
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
		context.AfterFunc(ctx, stop) // a second signal ends the process as usual
		cmd.SetContext(ctx)
	}
	if err := a.fromEnv(cmd); err != nil {
		return err
	}
	if a.timeout < 0 {
		return usagef("--timeout 30s, or 0 to wait without end", "--timeout must not be negative")
	}
	return nil
}

// fromEnv takes the flags that were not given from the environment: --data-dir from NOVA_DATA_DIR.
func (a *app) fromEnv(cmd *cobra.Command) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := envName(cmd, f)
		if f.Changed || name == "" || err != nil {
			return
		}
		if value := a.Getenv(name); value != "" {
			if bad := cmd.Flags().Set(f.Name, value); bad != nil {
				err = usagef("unset "+name+", or give --"+f.Name, "the environment variable %s=%q: %s", name, value, plain(bad))
			}
		}
	})
	return err
}
