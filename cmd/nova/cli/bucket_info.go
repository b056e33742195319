package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/io/peer"
)

func (a *app) bucketInfoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "info BUCKET",
		Short: "Describe a bucket",
		Example: `  nova bucket info logs
  nova bucket info logs -o yaml`,
		Args:              arguments("name of the bucket"),
		ValidArgsFunction: a.completeBucket,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.call("describe bucket "+args[0], "nova bucket ls, to see the buckets there are",
				func(ctx context.Context, fleet peer.Star) (any, error) {
					bucket, err := fleet.DescribeBucket(ctx, args[0])
					return viewBucket(bucket), err
				})(cmd)
		},
	}
}
