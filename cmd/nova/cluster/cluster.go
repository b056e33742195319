// Package cluster gives the command line a fleet to talk to: the core's cluster client on a runtime of its own, over gRPC,
// as a peer.Star that any goroutine may use.
//
// It decides only what a session of it is. On a Fenced stream, where there is no other writer, it is the client's producer
// with exactly-once: it goes on over lost connections and changes of the leader. On an Any stream it is one plain session at
// the leader, which ends with the leadership: a session that reopened by itself could leave a gap behind it.
//
// Design: leadership.md ("Conditional and exactly-once appends").
package cluster

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer"
	"github.com/novastream/nova/realio/runtime"
)

// stopBudget is how long a client's last calls may take once it is closed.
const stopBudget = time.Second

// Fleet is a fleet as one client sees it.
type Fleet struct {
	peer.Star
	run     *runtime.Runtime
	network *grpcpeer.Network
}

// Connect makes a client that finds the fleet through these stars.
func Connect(addrs ...string) (*Fleet, error) {
	run := runtime.New(runtime.Config{Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	network := grpcpeer.NewNetwork(nil)
	inside := run.Network(network)
	c, err := client.New(client.Config{Run: run, Network: inside, Addrs: addrs})
	if err != nil {
		return nil, err
	}
	return &Fleet{Star: run.Serve(member{c, inside.Dial}), run: run, network: network}, nil
}

// Direct is the one star at an address, whatever it leads.
func (f *Fleet) Direct(addr string) peer.Star { return f.network.Dial(addr) }

// Close ends every call.
func (f *Fleet) Close() error {
	err := f.network.Close()
	if stopped := f.run.Stop(stopBudget); err == nil {
		err = stopped
	}
	return err
}

// member is the client as a star: the fleet as if it were one.
type member struct {
	*client.Client
	dial func(addr string) peer.Star
}

var _ peer.Star = member{}

func (m member) Health(ctx context.Context) (peer.Health, error) { return m.Client.Health(ctx, "") }

func (m member) Certify(context.Context, peer.CertifyRequest) (peer.CertifyReply, error) {
	return peer.CertifyReply{}, &peer.Error{Code: peer.Invalid, What: "certify", Reason: "stars ask it of each other"}
}

func (m member) OpenSession(ctx context.Context, q peer.OpenRequest) (peer.Session, error) {
	mode, err := m.mode(ctx, q.Stream)
	if err != nil {
		return nil, err
	}
	options := client.ProducerOptions{Create: q.Create, Token: q.Token, ExactlyOnce: mode == peer.ModeFenced}
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
