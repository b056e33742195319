package cli

import (
	"bufio"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/io/peer"
)

func (a *app) streamRemoveCommand() *cobra.Command {
	var dryRun, yes bool
	c := &cobra.Command{
		Use:     "rm BUCKET/KEY",
		Aliases: []string{"delete"},
		Short:   "Delete a stream and its records, for good",
		Example: `  nova stream rm logs/app --dry-run      # say what would be deleted
  nova stream rm logs/app --yes`,
		Args:              arguments("name of the stream"),
		ValidArgsFunction: a.completeStream,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := streamName(args[0])
			if err != nil {
				return err
			}
			return a.call("delete stream "+args[0], "", func(ctx context.Context, fleet peer.Star) (any, error) {
				view := deletedView{Stream: args[0]}
				if dryRun {
					_, err := fleet.DescribeStream(ctx, name)
					return view, a.absent(ctx, fleet, name, err)
				}
				if !yes {
					if err := a.confirm("delete stream " + args[0] + " and its records, for good?"); err != nil {
						return view, err
					}
				}
				err := fleet.DeleteStream(ctx, name)
				view.Deleted = err == nil
				return view, a.absent(ctx, fleet, name, err)
			})(cmd)
		},
	}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "only say whether there is such a stream")
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	return c
}

// confirm asks on the terminal. Without one, the answer must be on the command line.
func (a *app) confirm(question string) error {
	if !a.StdinTerminal {
		return usagef("--yes", "this cannot be undone, and there is no terminal to ask on")
	}
	a.Stderr.Write([]byte(question + " [y/N] ")) //nolint:errcheck // an answer comes only to a question that was seen
	answer, err := bufio.NewReader(a.Stdin).ReadString('\n')
	if err == nil && strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y") {
		return nil
	}
	return usagef("--yes, to delete without a question", "nothing was deleted")
}

// absent says of a stream that is not there where to look for it: nobody reads or deletes what is to be created.
func (a *app) absent(ctx context.Context, fleet peer.Star, name peer.StreamName, err error) error {
	err = a.missing(ctx, fleet, name, err)
	var call *peer.Error
	if errors.As(err, &call) && call.Code == peer.NotFound {
		if call.What == "bucket "+name.Bucket {
			return advised(call, "nova bucket ls, to see the buckets there are")
		}
		return advised(call, "nova stream ls "+name.Bucket+", to see the streams there are")
	}
	return err
}

// advised is the same error with other advice.
func advised(e *peer.Error, try string) error {
	other := *e
	other.Try = try
	return &other
}
