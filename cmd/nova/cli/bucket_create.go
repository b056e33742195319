package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/io/peer"
)

func (a *app) bucketCreateCommand() *cobra.Command {
	var mode, class string
	var createOnOpen bool
	c := &cobra.Command{
		Use:   "create BUCKET",
		Short: "Create a bucket",
		Long:  "Create a bucket. Its name is 1 to 63 characters of a-z, 0-9 and -. The flags are the defaults of its streams.",
		Example: `  nova bucket create logs
  nova bucket create demo --create-on-open      # the first append to a stream creates it
  nova bucket create ledgers --mode fenced`,
		Args: arguments("name of the bucket"),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := modeOf(mode)
			if err != nil {
				return err
			}
			cl, err := classOf(class)
			if err != nil {
				return err
			}
			bucket := peer.Bucket{Name: args[0], Mode: m, Class: cl, CreateOnOpen: createOnOpen}
			return a.call("create bucket "+args[0], "", func(ctx context.Context, fleet peer.Star) (any, error) {
				created, err := fleet.CreateBucket(ctx, bucket)
				return viewBucket(created), err
			})(cmd)
		},
	}
	a.streamFlags(c, &mode, &class)
	c.Flags().BoolVar(&createOnOpen, "create-on-open", false, "appending to an unknown stream creates it")
	return c
}

// streamFlags are the flags of what a stream can be.
func (a *app) streamFlags(c *cobra.Command, mode, class *string) {
	c.Flags().StringVar(mode, "mode", "", "any: many producers at once; fenced: one, guarded by a token")
	c.Flags().StringVar(class, "class", "", "standard: one store; express: a quorum of zonal stores")
	complete := func(words ...string) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return words, cobra.ShellCompDirectiveNoFileComp
		}
	}
	// Both flags were defined three lines up, which is all that registering can fail on.
	_ = c.RegisterFlagCompletionFunc("mode", complete("any", "fenced"))
	_ = c.RegisterFlagCompletionFunc("class", complete("standard", "express"))
}
