package cli

import "github.com/spf13/cobra"

func (a *app) streamCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "stream",
		Aliases: []string{"streams"},
		Short:   "Create, look at and delete streams",
		Example: `  nova stream create logs/app
  nova stream ls logs
  nova stream info logs/app`,
	}
	a.add(c, "", a.streamCreateCommand(), a.streamListCommand(), a.streamInfoCommand(), a.streamRemoveCommand())
	return group(c)
}
