package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/io/peer"
)

func (a *app) streamListCommand() *cobra.Command {
	var prefix string
	c := &cobra.Command{
		Use:     "ls BUCKET",
		Aliases: []string{"list"},
		Short:   "List the streams of a bucket by key",
		Example: `  nova stream ls logs
  nova stream ls logs --prefix eu/ -o jsonl`,
		Args:              arguments("name of the bucket"),
		ValidArgsFunction: a.completeBucket,
		RunE: func(cmd *cobra.Command, args []string) error {
			return list(cmd.Context(), a, "list streams of "+args[0], prefix,
				func(ctx context.Context, fleet peer.Star, page peer.Page) ([]peer.Stream, error) {
					streams, err := fleet.ListStreams(ctx, args[0], page)
					return streams, a.absent(ctx, fleet, peer.StreamName{Bucket: args[0]}, err)
				},
				func(s peer.Stream) string { return s.Name.Key },
				func(s peer.Stream) any { return viewStream(s) })
		},
	}
	c.Flags().StringVar(&prefix, "prefix", "", "only keys that start with it")
	return c
}
