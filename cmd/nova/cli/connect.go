package cli

import (
	"context"
	"errors"
	"net"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/client"
	"github.com/novastream/nova/cmd/nova/output"
	"github.com/novastream/nova/io/peer"
)

// connect reaches the fleet through the star at --addr. A star that is not there is told at once: what is tried again later
// is what a fleet that answers asks to.
func (a *app) connect(ctx context.Context) (*client.Fleet, func(), error) {
	fleet, err := client.Connect(client.Config{Addrs: []string{a.addr}})
	if bad := (*client.AddrError)(nil); errors.As(err, &bad) {
		return nil, nil, usagef("--addr HOST:PORT of any star of the fleet, or NOVA_ADDR", "--addr %q is no address: %s", a.addr, bad.Reason)
	}
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

// asking gives a command what it asks and prints with: a printer of the format that was asked for, some of which only this
// command has, and the fleet, until it is closed.
func (a *app) asking(ctx context.Context, more ...string) (printer *output.Printer, fleet *client.Fleet, close func(), err error) {
	if printer, err = a.printer(more...); err != nil {
		return nil, nil, nil, err
	}
	if fleet, close, err = a.connect(ctx); err != nil {
		return nil, nil, nil, err
	}
	return printer, fleet, close, nil
}

// whyNot says what is wrong with an address.
func whyNot(err error) string {
	var addr *net.AddrError
	switch {
	case err == nil:
		return "port 0 is none to dial"
	case errors.As(err, &addr):
		return addr.Err
	default:
		return err.Error()
	}
}

// call makes the body of a command that makes one call: doing says what, for the error.
func (a *app) call(doing string, try string, body func(ctx context.Context, fleet peer.Star) (any, error)) func(*cobra.Command) error {
	return func(cmd *cobra.Command) error {
		printer, fleet, close, err := a.asking(cmd.Context())
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
