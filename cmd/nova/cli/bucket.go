package cli

import "github.com/spf13/cobra"

func (a *app) bucketCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "bucket",
		Aliases: []string{"buckets"},
		Short:   "Create and look at buckets, the namespaces of streams",
		Example: `  nova bucket create logs
  nova bucket ls`,
	}
	a.add(c, "", a.bucketCreateCommand(), a.bucketListCommand(), a.bucketInfoCommand())
	return group(c)
}
