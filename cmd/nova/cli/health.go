package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/cmd/nova/output"
	"github.com/novastream/nova/io/peer"
)

func (a *app) healthCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "health",
		Short: "Ask the star at --addr how it is",
		Example: `  nova health
  nova --addr star-3:7780 health -o json`,
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			printer, fleet, close, err := a.asking(cmd.Context())
			if err != nil {
				return err
			}
			defer close()
			ctx, cancel := a.answer(cmd.Context())
			defer cancel()
			health, err := fleet.Direct(a.addr).Health(ctx)
			if err != nil {
				return &taskError{doing: "ask the star at " + a.addr + " for its health", err: err}
			}
			if printer.Format() == output.Table {
				a.tell(health)
				return nil
			}
			return printer.One(viewHealth(health))
		},
	}
}

// tell says the health in words.
func (a *app) tell(h peer.Health) {
	fmt.Fprintf(a.Stdout, "%s star=%s location=%s version=%s leading=%d\n", h.Status, h.Star, h.Location, h.Version, h.Leading)
	if h.Limbo > 0 {
		fmt.Fprintf(a.Stdout, "limbo: %s cannot finish yet\n", output.Plural(uint64(h.Limbo), "departure"))
	}
	for _, warning := range h.Warnings {
		fmt.Fprintf(a.Stdout, "warning: %s\n", output.Printable(warning))
	}
	if h.Drained {
		fmt.Fprintln(a.Stdout, "drained: safe to decommission")
	}
}
