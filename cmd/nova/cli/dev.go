package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/client"
	"github.com/novastream/nova/cmd/nova/host"
	"github.com/novastream/nova/cmd/nova/output"
	"github.com/novastream/nova/io/peer"
)

// devStars is the fleet of nova dev.
const devStars = 3

func (a *app) devCommand() *cobra.Command {
	s := &serving{}
	c := &cobra.Command{
		Use:   "dev",
		Short: "Run a fleet of three stars in one process, to play with",
		Long: `Run three stars in one process, on three ports in a row of this machine, with the bucket "demo" that creates streams on
first append. What they store stays in the data directory.`,
		Example: `  nova dev
  nova dev --listen 127.0.0.1:9000 --data-dir /tmp/nova`,
		Args:        arguments(),
		Annotations: map[string]string{serves: "yes"},
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.dev(cmd.Context(), s) },
	}
	c.Flags().StringVar(&s.listen, "listen", "127.0.0.1:7780", "address of the first star; the others take the next ports")
	s.flags(c)
	return c
}

func (a *app) dev(ctx context.Context, s *serving) error {
	began := time.Now()
	serving, again := stopSignals(ctx)
	if err := checkPorts(s.listen, devStars); err != nil {
		return err
	}
	site, err := a.site(serving, s, a.logger())
	if err != nil {
		return err
	}
	stars, err := startStars(serving, site, s.listen, devStars)
	if err == nil {
		err = createDemo(serving, stars[0].Addr())
	}
	if err != nil {
		ended, cancel := context.WithCancel(ctx)
		cancel()
		return errors.Join(serveError(s, err), stopStars(ended, stars), site.Close())
	}
	a.welcome(stars, time.Since(began))
	<-serving.Done()
	stopping, cancel := a.stopping(ctx, s.drainBudget, again)
	defer cancel()
	if err := errors.Join(stopStars(stopping, stars), site.Close()); err != nil {
		return stopError(err)
	}
	return nil
}

// checkPorts refuses an address that n stars in a row cannot listen from.
func checkPorts(first string, n int) error {
	const last = 1<<16 - 1
	switch p, err := port(first); {
	case err != nil:
		return usagef("--listen 127.0.0.1:7780", "--listen %q is no address: %v", first, err)
	case p > last-(n-1):
		return usagef("--listen 127.0.0.1:7780", "--listen %q: %d stars take ports in a row, and the last port is %d", first, n, last)
	default:
		return nil
	}
}

// startStars starts n stars on ports in a row, or each on a free one where the first is 0.
func startStars(ctx context.Context, site *host.Site, first string, n int) (stars []*host.Star, err error) {
	ip, _, err := net.SplitHostPort(first)
	if err != nil {
		return nil, err
	}
	port, err := port(first)
	if err != nil {
		return nil, err
	}
	for i := range n {
		addr := net.JoinHostPort(ip, strconv.Itoa(port+i))
		if port == 0 {
			addr = first
		}
		listener, err := listen("--listen", addr)
		if err != nil {
			return stars, err
		}
		star, err := site.Start(ctx, strconv.Itoa(i+1), listener, "")
		if err != nil {
			return stars, err
		}
		stars = append(stars, star)
	}
	return stars, nil
}

// stopStars stops all of them at once.
func stopStars(ctx context.Context, stars []*host.Star) error {
	stopped := make(chan error)
	for _, s := range stars {
		go func() { stopped <- s.Stop(ctx) }()
	}
	var all error
	for range stars {
		all = errors.Join(all, <-stopped)
	}
	return all
}

// createDemo makes the bucket to play with, unless it is there from an earlier run.
func createDemo(ctx context.Context, addr string) error {
	fleet, err := client.Connect(client.Config{Addrs: []string{addr}})
	if err != nil {
		return err
	}
	defer fleet.Close() //nolint:errcheck // the bucket is made, or the error is told
	_, err = fleet.CreateBucket(ctx, peer.Bucket{Name: "demo", CreateOnOpen: true})
	if peer.Is(err, peer.AlreadyExists) {
		return nil
	}
	return err
}

// welcome says what runs, and what to type next.
func (a *app) welcome(stars []*host.Star, took time.Duration) {
	paint := a.paint()
	a.say("nova dev: %s up in %s", paint.Green(fmt.Sprintf("%d stars", len(stars))), output.Duration(took))
	for _, s := range stars {
		a.say("  %s  %s", s.ID(), s.Addr())
	}
	a.say(`
paste into another terminal:

  export NOVA_ADDR=%s
  echo "hello" | nova append demo/hello
  nova read demo/hello --follow

%s`, stars[0].Addr(), paint.Dim("ctrl-C stops the fleet; its data stays"))
}
