package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/io/peer"
)

func (a *app) streamInfoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "info BUCKET/KEY",
		Short: "Describe a stream: its leader, epoch and refs",
		Example: `  nova stream info logs/app
  nova stream info logs/app -o json`,
		Args:              arguments("name of the stream"),
		ValidArgsFunction: a.completeStream,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := streamName(args[0])
			if err != nil {
				return err
			}
			return a.call("describe stream "+args[0], "", func(ctx context.Context, fleet peer.Star) (any, error) {
				info, err := fleet.DescribeStream(ctx, name)
				return viewInfo(info), a.absent(ctx, fleet, name, err)
			})(cmd)
		},
	}
}
