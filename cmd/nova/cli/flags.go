package cli

import (
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/novastream/nova/cmd/terminal"
)

// serves marks a command that runs stars: all its flags can also be given by the environment, and it handles signals itself.
const serves = "serves"

// variables marks another command whose flags can all be given by the environment.
const variables = "variables"

// interrupts marks another command that handles signals itself.
const interrupts = "interrupts"

// envName is the variable that a flag can also be given by, or "". The flags that every command has can always.
func envName(cmd *cobra.Command, f *pflag.Flag) string {
	everywhere := cmd.Root().PersistentFlags().Lookup(f.Name) == f
	if !everywhere && cmd.Annotations[serves] == "" && cmd.Annotations[variables] == "" || f.Name == "help" || f.Name == "version" {
		return ""
	}
	return "NOVA_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}

// port is that of HOST:PORT.
func port(addr string) (int, error) {
	_, text, err := net.SplitHostPort(addr)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return 0, fmt.Errorf("%q is no port", text)
	}
	return int(n), nil
}

// flagError names the flag that was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	advice := "see " + cmd.CommandPath() + " --help"
	if _, rest, ok := strings.Cut(err.Error(), "unknown flag: --"); ok {
		name, _, _ := strings.Cut(rest, " ")
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := terminal.Nearest(name, known); near != "" {
			advice = "--" + near
		}
	}
	return usagef(advice, "%s: %s", cmd.CommandPath(), plain(err))
}

// plain is the error of a flag's value without the words of Go's own number parser.
func plain(err error) string {
	text, number, found := strings.Cut(err.Error(), ": strconv.")
	switch {
	case !found:
		return text
	case strings.HasSuffix(number, "out of range"):
		return text + ": the number is too large"
	case strings.HasPrefix(number, "ParseUint"):
		return text + ": it must be a whole number, 0 or more"
	default:
		return text + ": it is of another kind"
	}
}

// unknownCommand names the command that was probably meant.
func unknownCommand(parent *cobra.Command, word string) error {
	var known []string
	for _, c := range parent.Commands() {
		if !c.Hidden {
			known = append(append(known, c.Name()), c.Aliases...)
		}
	}
	advice := parent.CommandPath() + " --help"
	if near := terminal.Nearest(word, known); near != "" {
		advice = parent.CommandPath() + " " + near
	}
	return usagef(advice, "%s has no command %q", parent.CommandPath(), word)
}

// helpCommand is "nova help COMMAND", which refuses what is no command.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say what a command does, with examples",
		Example: `  nova help append
  nova help stream create`,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(found, rest[0])
			}
			return found.Help()
		},
	}
}

// atLeast wants the named argument, and takes more.
func atLeast(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef(cmd.UseLine(), "%s needs the %s", cmd.CommandPath(), name)
		}
		return nil
	}
}

// arguments wants exactly the named arguments.
func arguments(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		if len(args) < len(names) {
			return usagef(cmd.UseLine(), "%s needs the %s", cmd.CommandPath(), names[len(args)])
		}
		return usagef(cmd.UseLine(), "%s takes no argument %q", cmd.CommandPath(), args[len(names)])
	}
}
