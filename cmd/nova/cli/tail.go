package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/io/peer"
)

func (a *app) tailCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tail BUCKET/KEY",
		Short: "Say where a stream ends: the seq of its next record",
		Long:  "Say where a stream ends. The answer is linearizable: it reflects every append acknowledged before the command began.",
		Example: `  nova tail logs/app
  nova read logs/app --follow --from $(nova tail logs/app -o json | jq .next)      # only what is new`,
		Args:              arguments("name of the stream"),
		ValidArgsFunction: a.completeStream,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := streamName(args[0])
			if err != nil {
				return err
			}
			return a.call("tell the tail of "+args[0], "", func(ctx context.Context, fleet peer.Star) (any, error) {
				tail, err := fleet.Tail(ctx, name)
				return viewTail(name, tail), a.absent(ctx, fleet, name, err)
			})(cmd)
		},
	}
}
