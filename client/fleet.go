package client

import (
	"context"
	"io"
	"log/slog"
	"time"

	core "github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer"
	"github.com/novastream/nova/realio/runtime"
)

// Config is what a client is made of.
type Config struct {
	Addrs    []string  // of stars, HOST:PORT (no HOST: this machine): one is enough to find the fleet, more find it while one is down
	Recorder *Recorder // writes down what this client asks about records and is told; nil: nobody does
}

// stopBudget is how long a client's last calls may take once it is closed.
const stopBudget = time.Second

// Fleet is a fleet as one client sees it.
type Fleet struct {
	peer.Star
	served  peer.Star // the same, past the recorder
	run     *runtime.Runtime
	network *grpcpeer.Network
	life    *life
}

// Connect makes a client. It dials when it is first asked something. An address that is none is refused with an *AddrError.
func Connect(cfg Config) (*Fleet, error) {
	for _, addr := range cfg.Addrs {
		if err := checkAddr(addr); err != nil {
			return nil, err
		}
	}
	run := runtime.New(runtime.Config{Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	network := grpcpeer.NewNetwork(nil)
	inside := tried{run.Network(network)}
	c, err := core.New(core.Config{Run: run, Network: inside, Addrs: cfg.Addrs})
	if err != nil {
		return nil, err
	}
	f := &Fleet{run: run, network: network, life: &life{root: run.Context()}}
	f.served = lasting{run.Serve(member{c, inside.Dial}), f.life}
	f.Star = f.served
	if cfg.Recorder != nil {
		f.Star = cfg.Recorder.Client(f.served)
	}
	return f, nil
}

// Direct is the one star at an address, whatever it leads. It is not recorded.
func (f *Fleet) Direct(addr string) peer.Star { return lasting{f.network.Dial(addr), f.life} }

func (f *Fleet) unrecorded() peer.Star { return f.served }

// Close ends every call and session. Those that come after it are told that the client is closed.
func (f *Fleet) Close() error {
	f.life.closed.Store(true)
	err := f.network.Close()
	if stopped := f.run.Stop(stopBudget); err == nil {
		err = stopped
	}
	return err
}

// member is the client as a star: the fleet as if it were one.
type member struct {
	*core.Client
	dial func(addr string) peer.Star
}

var _ peer.Star = member{}

func (m member) Health(ctx context.Context) (peer.Health, error) { return m.Client.Health(ctx, "") }

func (m member) Certify(context.Context, peer.CertifyRequest) (peer.CertifyReply, error) {
	return peer.CertifyReply{}, &peer.Error{Code: peer.Invalid, What: "certify", Reason: "stars ask it of each other"}
}

func (m member) OpenSession(ctx context.Context, q peer.OpenRequest) (peer.Session, error) {
	return openTried(ctx, func(ctx context.Context) (peer.Session, error) { return m.open(ctx, q) })
}

func (m member) open(ctx context.Context, q peer.OpenRequest) (peer.Session, error) {
	mode, err := m.mode(ctx, q.Stream)
	if err != nil {
		return nil, err
	}
	options := core.ProducerOptions{Create: q.Create, Token: q.Token, ExactlyOnce: mode == peer.ModeFenced}
	producer, err := m.OpenProducer(ctx, q.Stream, options)
	if err != nil {
		return nil, err
	}
	if options.ExactlyOnce {
		return producer, nil
	}
	session, err := m.dial(producer.Opened().Addr).OpenSession(ctx, q)
	if closed := producer.Close(ctx); err == nil {
		err = closed
	}
	return session, err
}

// mode is that of the stream, or what its bucket would give it.
func (m member) mode(ctx context.Context, name peer.StreamName) (peer.Mode, error) {
	info, err := m.DescribeStream(ctx, name)
	if !peer.Is(err, peer.NotFound) {
		return info.Mode, err
	}
	bucket, err := m.DescribeBucket(ctx, name.Bucket)
	return bucket.Mode, err
}
