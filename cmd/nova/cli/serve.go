package cli

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/cmd/nova/host"
	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/datadir"
	"github.com/novastream/nova/realio/oxiameta"
	"github.com/novastream/nova/realio/s3blob"
)

// serving are the flags of what serves.
type serving struct {
	host        host.Config
	oxia        oxiaFlags
	listen      string
	advertise   string
	metrics     string
	drainBudget time.Duration
}

func (a *app) serveCommand() *cobra.Command {
	s := &serving{}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run one star",
		Long: `Run one star until SIGTERM or SIGINT, which finishes every stream it leads and then exits. A second signal skips that,
unless it is the same one within 200 ms.

Without --oxia the metastore is embedded in the data directory, and one process serves the installation. With --oxia, stars
of many machines form one fleet: each has a data directory of its own, and all have the same --oxia, --objects and --express.
Every flag can also be given by the environment: --data-dir as NOVA_DATA_DIR.`,
		Example: `  nova serve                                              # on :7780, data in ./nova-data
  nova serve --data-dir /var/lib/nova --objects file:///mnt/objects --location zone-a
  nova serve --oxia oxia:6648 --oxia-naming oxia-naming:6648 --objects s3://nova --advertise star-1:7780
  nova serve --objects 's3://nova?endpoint=http://127.0.0.1:9000'
  nova serve --express a=file:///mnt/a --express b=file:///mnt/b --express c=file:///mnt/c`,
		Args:        arguments(),
		Annotations: map[string]string{serves: "yes"},
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), s) },
	}
	c.Flags().StringVar(&s.listen, "listen", ":7780", "address to listen on")
	c.Flags().StringVar(&s.advertise, "advertise", "", "address that clients and other stars reach this one by (default: where it listens)")
	c.Flags().StringVar(&s.metrics, "metrics-listen", "", "address to answer /metrics, /livez and /readyz on over HTTP (default: none)")
	s.flags(c)
	return c
}

// flags are those that every command that serves has.
func (s *serving) flags(c *cobra.Command) {
	f := c.Flags()
	s.host.Limits = leadership.DefaultLimits()
	f.StringVar(&s.host.DataDir, "data-dir", "./nova-data", "directory of the metastore and of the star's identity")
	f.StringVar(&s.host.Objects, "objects", "", "URL of the object store, file:///DIRECTORY or s3://BUCKET/PREFIX (default: objects/ in the data directory)")
	f.StringSliceVar(&s.host.Express, "express", nil, "zone=URL of a zonal store of the express class; give it once, three or five times")
	f.StringVar(&s.host.Location, "location", "", "where the star is, as the fleet shows it")
	f.DurationVar(&s.host.SessionTimeout, "oxia-session-timeout", 15*time.Second, "how long a star may be silent before it counts as dead")
	s.oxia.flags(f)
	f.IntVar(&s.host.AbsorbFanout, "absorb-fanout", 4096, "rows committed at once by an absorb")
	f.IntVar(&s.host.Limits.Sessions, "max-producer-sessions", s.host.Limits.Sessions, "producer sessions of one star")
	f.DurationVar(&s.drainBudget, "exit-drain-budget", 30*time.Second, "how long a stop may take to finish the streams")
}

func (a *app) serve(ctx context.Context, s *serving) error {
	if n, err := port(s.advertise); s.advertise != "" && (err != nil || n == 0) {
		return usagef("--advertise HOST:PORT", "--advertise %q is no address that others could dial: %s", s.advertise, whyNot(err))
	}
	serving, again := stopSignals(ctx)
	listener, err := listen("--listen", s.listen)
	if err != nil {
		return err
	}
	log := a.logger()
	warnOpen(log, listener.Addr().String())
	s.warnAlone(log, listener.Addr().String())
	unwatch, err := s.watch(log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer unwatch()
	site, err := a.site(serving, s, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	star, err := site.Start(serving, "1", listener, s.advertise)
	if err != nil {
		return errors.Join(serveError(s, err), site.Close())
	}
	a.announce("star %s serves on %s, data in %s", star.ID(), star.Addr(), s.host.DataDir)
	select {
	case <-serving.Done():
	case err = <-star.Failed():
	}
	stopping, cancel := a.stopping(ctx, s.drainBudget, again)
	defer cancel()
	if err = errors.Join(err, star.Stop(stopping), site.Close()); err != nil {
		return stopError(err)
	}
	a.announce("star %s stopped", star.ID())
	return nil
}

// listen listens on an address that a flag gave.
func listen(flag, addr string) (net.Listener, error) {
	if _, err := port(addr); err != nil {
		return nil, usagef(flag+" 127.0.0.1:7780", "%s %q is no address: %v", flag, addr, err)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, &taskError{doing: "listen on " + addr, try: flag + " with a free port, or 127.0.0.1:0 for any", err: err}
	}
	return listener, nil
}

func stopError(err error) error {
	return &taskError{
		doing: "stop cleanly", try: "the same command again: what is left is taken up where it was, and nothing acknowledged is lost", err: err,
	}
}

// warnOpen says loudly that a star can be reached from elsewhere, for nothing asks who calls.
func warnOpen(log *slog.Logger, listen string) {
	host, _, err := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); err != nil || ip == nil || ip.IsLoopback() {
		return
	}
	log.Warn("listening beyond loopback without authentication or TLS: whoever reaches the port may read and write",
		"listen", listen, "try", "--listen 127.0.0.1:7780")
}

// warnAlone says that the stars of a fleet would be sent to themselves, where this one advertises no address that leads here.
func (s *serving) warnAlone(log *slog.Logger, listen string) {
	host, _, err := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsUnspecified() || len(s.oxia.addrs) == 0 || s.advertise != "" {
		return
	}
	log.Warn("no address to advertise: stars and clients on other machines are told a loopback address",
		"listen", listen, "try", "--advertise HOST:PORT by which they reach this star")
}

// site opens what the stars of the process share.
func (a *app) site(ctx context.Context, s *serving, log *slog.Logger) (*host.Site, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	var err error
	if s.host.Oxia, err = s.oxia.config(); err != nil {
		return nil, err
	}
	s.host.Version, s.host.Log = version(), log
	site, err := host.Open(ctx, s.host)
	switch {
	case err == nil && ctx.Err() != nil:
		return nil, errors.Join(interrupted(s), site.Close())
	case ctx.Err() != nil:
		return nil, interrupted(s)
	case err != nil:
		return nil, serveError(s, err)
	default:
		return site, nil
	}
}

// interrupted says that a start was ended by a signal.
func interrupted(s *serving) error {
	return &taskError{doing: "serve from " + s.host.DataDir, err: context.Canceled}
}

// check refuses numbers that no star can serve with.
func (s *serving) check() error {
	switch n := len(s.host.Express); {
	case n != 0 && n != 1 && n != 3 && n != 5:
		return usagef("--express once, three or five times", "%d express zones were given: a quorum needs 1, 3 or 5", n)
	case s.host.DataDir == "":
		return usagef("--data-dir ./nova-data", "--data-dir is empty")
	case s.host.SessionTimeout < time.Second:
		return usagef("--oxia-session-timeout 15s", "--oxia-session-timeout must be 1s or longer: a shorter one takes a star that lives for dead")
	case s.drainBudget < 0:
		return usagef("--exit-drain-budget 30s", "--exit-drain-budget must not be negative; 0 finishes no stream")
	case s.host.AbsorbFanout <= 0:
		return usagef("--absorb-fanout 4096", "--absorb-fanout must be above 0")
	case s.host.Limits.Sessions <= 0:
		return usagef("--max-producer-sessions 4096", "--max-producer-sessions must be above 0")
	case len(s.oxia.addrs) > 0 && s.host.Objects == "":
		return usagef("--objects s3://BUCKET/PREFIX, the same for all stars", "--oxia without --objects: the stars of a fleet share their store")
	default:
		return s.oxia.check(s.host.SessionTimeout)
	}
}

// serveError says what to try about a data directory or a store that cannot be used.
func serveError(s *serving, err error) error {
	var usage *usageError
	var said *taskError
	if errors.As(err, &usage) || errors.As(err, &said) {
		return err
	}
	task := &taskError{doing: "serve from " + s.host.DataDir, try: "nova serve --help, to see what it takes", err: err}
	var held *datadir.HeldError
	var newer *datadir.NewerError
	var store *host.StoreError
	var bucket *s3blob.OpenError
	var dir *host.DataDirError
	var oxia *oxiameta.OpenError
	var foreign *chain.ForeignStoreError
	var missing *chain.MissingStoreError
	var forgotten *chain.ForgottenError
	switch {
	case errors.As(err, &held):
		task.try = "stop that process, or --data-dir with another directory"
	case errors.As(err, &newer):
		task.try = "the version of nova that wrote it, or a newer one"
	case errors.As(err, &dir):
		task.try = "--data-dir with a directory that can be written to"
	case errors.As(err, &oxia):
		task.try = oxiaTry(oxia.Reason)
	case errors.As(err, &bucket):
		task.try = bucket.Try
	case errors.As(err, &store):
		return usagef("--objects file:///DIRECTORY, or --express ZONE=file:///DIRECTORY", "%v", err)
	case errors.As(err, &foreign):
		task.try = "--objects and --express with stores of this installation, or with empty ones"
	case errors.As(err, &missing):
		task.try = "the same --objects and --express as before"
	case errors.Is(err, meta.ErrUnavailable), errors.Is(err, meta.ErrUnknown), errors.Is(err, blob.ErrUnavailable), errors.Is(err, blob.ErrUnknown):
		task.try = "the same again once Oxia and the stores answer"
		task.err = &peer.Error{Code: peer.Unavailable, What: "what the star stands on", Reason: err.Error()}
	case errors.As(err, &forgotten):
		task.try = "the metastore that belongs to these stores; do not delete anything"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.EROFS):
		task.try = "--data-dir with a directory that can be written to"
	}
	return task
}
