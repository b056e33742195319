package host

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"time"

	"github.com/novastream/nova/core/star"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/filedisk"
	"github.com/novastream/nova/realio/grpcpeer"
	"github.com/novastream/nova/realio/runtime"
)

// Budgets of the last steps of a stop.
const (
	lastCalls = 2 * time.Second // for calls under way, such as following reads
	lastTasks = 5 * time.Second
)

// Star is one serving star of this process.
type Star struct {
	site    *Site
	name    string
	addr    string // advertised
	disk    *filedisk.Disk
	meta    metaClient
	run     *runtime.Runtime
	network *grpcpeer.Network
	core    *star.Star
	server  *grpcpeer.Server
	served  chan error
}

// Start boots the star of this name (which names its identity in the data directory) and serves it on the listener.
// Where advertise is empty, it is the listener's own address. On an error the listener is closed.
func (s *Site) Start(ctx context.Context, name string, listener net.Listener, advertise string) (*Star, error) {
	if advertise == "" {
		advertise = dialable(listener.Addr().String())
	}
	disk, err := filedisk.Open(filepath.Join(s.cfg.DataDir, "stars", name))
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	client, err := s.meta.client(ctx)
	if err != nil {
		return nil, errors.Join(err, listener.Close(), disk.Close())
	}
	st := &Star{
		site: s, name: name, addr: advertise, disk: disk, meta: client,
		run: runtime.New(runtime.Config{Log: s.cfg.Log.With("at", advertise)}), network: grpcpeer.NewNetwork(nil),
		served: make(chan error, 1),
	}
	if err := st.boot(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start a star at %s: %w", advertise, err), listener.Close(), st.release(ctx))
	}
	st.server = grpcpeer.NewServer(st.Local())
	go func() { st.served <- st.server.Serve(listener) }()
	s.cfg.Monitor.follow(st)
	return st, nil
}

func (s *Star) boot(ctx context.Context) (err error) {
	cfg := s.site.cfg
	bound := star.Config{
		Run: s.run, Meta: s.run.Spaces(cfg.Monitor.spaces(s.meta)), Disk: s.run.Disk(s.disk), Peers: s.run.Network(s.network),
		Objects: s.run.Blob(s.site.objects), Addr: s.addr, Location: cfg.Location, Version: cfg.Version,
		SessionTimeout: cfg.SessionTimeout, AbsorbFanout: cfg.AbsorbFanout, Limits: cfg.Limits,
	}
	for _, zone := range s.site.express {
		bound.Express = append(bound.Express, star.Zone{Name: zone.Name, Blob: s.run.Blob(zone.Blob)})
	}
	stopped := s.run.Do(ctx, "boot", func(ctx context.Context) { s.core, err = star.Boot(ctx, bound) })
	return errors.Join(err, stopped)
}

// ID is the star's identity.
func (s *Star) ID() string { return string(s.core.ID()) }

// Addr is the address that the star advertises.
func (s *Star) Addr() string { return s.addr }

// Local is the star for callers in this process, without the network in between.
func (s *Star) Local() peer.Star { return s.run.Serve(s.core) }

// Failed tells why the star stopped serving by itself.
func (s *Star) Failed() <-chan error { return s.served }

// Stop ends the star cleanly: it finishes every stream until ctx ends, and lets go of everything it holds.
func (s *Star) Stop(ctx context.Context) error {
	s.server.NotServing()
	var err error
	stopped := s.run.Do(context.WithoutCancel(ctx), "stop", func(context.Context) { err = s.core.Stop(ctx) })
	calls, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastCalls)
	defer cancel()
	s.server.Stop(calls)
	return errors.Join(err, stopped, s.release(context.WithoutCancel(ctx)))
}

// release lets go of what the star holds, in the reverse of the order in which it was taken.
func (s *Star) release(ctx context.Context) error {
	return errors.Join(s.run.Stop(lastTasks), s.network.Close(), s.meta.Close(ctx), s.disk.Close())
}

// Kill ends the star as the death of its process would: its connections break, and from this moment on it has no further
// effect, for its baton is held for ever. Its session runs out after the session time-out, as in a metastore that no longer
// hears of it. The memory of a killed star is not given back.
func (s *Star) Kill() {
	frozen := make(chan struct{})
	go func() {
		//nolint:errcheck // it never returns
		s.run.Do(context.Background(), "killed", func(context.Context) {
			close(frozen)
			select {}
		})
	}()
	<-frozen
	s.server.Cut()
	_ = s.network.Close() // its connections break; nobody is left to tell of it
	time.AfterFunc(s.site.cfg.SessionTimeout, func() {
		if err := s.meta.Close(context.Background()); err != nil {
			s.site.cfg.Log.Warn("session of a killed star", "star", s.ID(), "err", err)
		}
	})
}

// dialable is a listener's address as one can dial it from this machine.
func dialable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}
