package client_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"os"
	"time"

	"github.com/novastream/nova/client"
	"github.com/novastream/nova/cmd/nova/host"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

// An application appends to a stream and reads it back.
func ExampleConnect() {
	addr, stop := serve()
	defer stop()
	ctx := context.Background()

	fleet, err := client.Connect(client.Config{Addrs: []string{addr}})
	check(err)
	defer fleet.Close()
	_, err = fleet.CreateBucket(ctx, peer.Bucket{Name: "logs", CreateOnOpen: true})
	check(err)

	app := peer.StreamName{Bucket: "logs", Key: "app"}
	session, err := fleet.OpenSession(ctx, peer.OpenRequest{Stream: app, Create: true})
	check(err)
	check(session.Send(ctx, peer.Batch{Records: []peer.Record{{Body: []byte("one")}, {Body: []byte("two")}}}))
	ack, err := session.Recv(ctx)
	check(err)
	fmt.Println("acknowledged, seqs", ack.First, "to", ack.Next-1)
	check(session.Close(ctx))

	reply, err := fleet.Fetch(ctx, peer.FetchRequest{Stream: app, Linearizable: true})
	check(err)
	for _, r := range reply.Records {
		fmt.Printf("%d %s\n", r.Seq, r.Body)
	}
	// Output:
	// acknowledged, seqs 0 to 1
	// 0 one
	// 1 two
}

// An application has its client write down what it asks and is told. The history is judged by novasim check, or right here.
func ExampleRecorder() {
	addr, stop := serve()
	defer stop()
	ctx := context.Background()

	var file bytes.Buffer // an os.File, in an application
	recorder, err := client.NewRecorder(&file, "orders, production")
	check(err)
	fleet, err := client.Connect(client.Config{Addrs: []string{addr}, Recorder: recorder})
	check(err)
	defer fleet.Close()

	_, err = fleet.CreateBucket(ctx, peer.Bucket{Name: "orders", CreateOnOpen: true})
	check(err)
	eu := peer.StreamName{Bucket: "orders", Key: "eu"}
	session, err := fleet.OpenSession(ctx, peer.OpenRequest{Stream: eu, Create: true})
	check(err)
	nobody := uint64(7)
	check(session.Send(ctx, peer.Batch{Records: []peer.Record{{Body: []byte("an order")}}}))
	check(session.Send(ctx, peer.Batch{Records: []peer.Record{{Body: []byte("another")}}, MatchSeq: &nobody})) // is refused
	for range 2 {
		_, err = session.Recv(ctx)
		check(err)
	}
	_, err = fleet.Tail(ctx, eu)
	check(err)
	check(session.Close(ctx))

	check(recorder.Finish(ctx, fleet)) // nothing is under way any more
	fmt.Printf("%+v\n", recorder.Counts())

	stored, err := history.NewStored(bytes.NewReader(file.Bytes()))
	check(err)
	result, err := history.Check(stored, history.DefaultConfig())
	check(err)
	fmt.Println(result.Verdict())
	fmt.Println(result.Witness)
	// Output:
	// {OK:3 Failed:1 Unknown:0}
	// passed
	// 4 operations on 1 streams: 1 appends (1 records), 0 unknown, 1 refusals, 1 opens, 1 tails, 0 linearizable and 0 ordinary reads
}

// serve runs a star with its data in a folder of its own, as nova serve does.
func serve() (addr string, stop func()) {
	dir, err := os.MkdirTemp("", "nova-example-")
	check(err)
	site, err := host.Open(context.Background(), host.Config{
		DataDir: dir, Version: "example", SessionTimeout: 15 * time.Second, AbsorbFanout: 4096,
		Limits: leadership.DefaultLimits(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	check(err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	star, err := site.Start(context.Background(), "1", listener, "")
	check(err)
	return star.Addr(), func() {
		check(star.Stop(context.Background()))
		check(site.Close())
		check(os.RemoveAll(dir))
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
