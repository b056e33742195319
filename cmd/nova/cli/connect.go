package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/cmd/nova/cluster"
	"github.com/novastream/nova/io/peer"
)

// connect reaches the fleet through the star at --addr. A star that is not there is told at once: what is tried again later
// is what a fleet that answers asks to.
func (a *app) connect(ctx context.Context) (*cluster.Fleet, func(), error) {
	fleet, err := cluster.Connect(a.addr)
	if err != nil {
		return nil, nil, err
	}
	close := func() { _ = fleet.Close() } // a call that is cut short by the end of a command has no one to tell
	ctx, cancel := a.answer(ctx)
	defer cancel()
	if _, err := fleet.Direct(a.addr).Health(ctx); err != nil {
		close()
		return nil, nil, &taskError{doing: "reach a star", err: err}
	}
	return fleet, close, nil
}

// call makes the body of a command that makes one call: doing says what, for the error.
func (a *app) call(doing string, try string, body func(ctx context.Context, fleet peer.Star) (any, error)) func(*cobra.Command) error {
	return func(cmd *cobra.Command) error {
		printer, err := a.printer()
		if err != nil {
			return err
		}
		fleet, close, err := a.connect(cmd.Context())
		if err != nil {
			return err
		}
		defer close()
		ctx, cancel := a.answer(cmd.Context())
		defer cancel()
		view, err := body(ctx, fleet)
		if err != nil {
			return &taskError{doing: doing, try: try, err: err}
		}
		return printer.One(view)
	}
}
