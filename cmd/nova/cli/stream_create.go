package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/io/peer"
)

func (a *app) streamCreateCommand() *cobra.Command {
	var mode, class string
	c := &cobra.Command{
		Use:   "create BUCKET/KEY",
		Short: "Create a stream",
		Long:  "Create a stream in a bucket. Its key is 1 to 512 bytes of text of your own; further / in it are part of the key.",
		Example: `  nova stream create logs/app
  nova stream create ledgers/2024/main --mode fenced
  nova stream create clicks/eu --class express`,
		Args: arguments("name of the stream"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := streamName(args[0])
			if err != nil {
				return err
			}
			request := peer.CreateStreamRequest{Stream: name}
			if request.Mode, err = modeOf(mode); err != nil {
				return err
			}
			if request.Class, err = classOf(class); err != nil {
				return err
			}
			return a.call("create stream "+args[0], "", func(ctx context.Context, fleet peer.Star) (any, error) {
				stream, err := fleet.CreateStream(ctx, request)
				var call *peer.Error
				if errors.As(err, &call) && call.Code == peer.NotFound {
					err = advised(call, "nova bucket create "+name.Bucket+", or nova bucket ls to see the buckets there are")
				}
				return viewStream(stream), err
			})(cmd)
		},
	}
	a.streamFlags(c, &mode, &class)
	return c
}
