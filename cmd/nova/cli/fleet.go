package cli

import (
	"github.com/spf13/cobra"
)

func (a *app) fleetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "fleet",
		Short: "List the stars that are registered now",
		Example: `  nova fleet
  nova fleet --addr star-2:7780 -o json`,
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			printer, fleet, close, err := a.asking(cmd.Context())
			if err != nil {
				return err
			}
			defer close()
			ctx, cancel := a.answer(cmd.Context())
			defer cancel()
			stars, err := fleet.Fleet(ctx)
			if err != nil {
				return &taskError{doing: "list the fleet", err: err}
			}
			for _, s := range stars {
				if err := printer.Item(viewStar(s)); err != nil {
					return err
				}
			}
			return printer.End()
		},
	}
}
