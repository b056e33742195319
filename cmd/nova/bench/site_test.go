package bench

import (
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"github.com/novastream/nova/client"
	"github.com/novastream/nova/cmd/nova/host"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/io/peer"
)

// start runs one star with its data in a fresh folder, and gives it as a client over gRPC and as its own process see it.
func start(b *testing.B) (remote, local peer.Star) {
	b.Helper()
	return startAs(b, nil)
}

// startAs is start with a configuration that is changed before.
func startAs(b *testing.B, change func(*host.Config)) (remote, local peer.Star) {
	b.Helper()
	cfg := host.Config{
		DataDir: b.TempDir(), Version: "bench", SessionTimeout: 15 * time.Second, AbsorbFanout: 4096,
		Limits: leadership.DefaultLimits(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
	if change != nil {
		change(&cfg)
	}
	site, err := host.Open(b.Context(), cfg)
	if err != nil {
		b.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	star, err := site.Start(b.Context(), "0", listener, "")
	if err != nil {
		b.Fatal(err)
	}
	fleet, err := client.Connect(client.Config{Addrs: []string{star.Addr()}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := fleet.Close(); err != nil {
			b.Error(err)
		}
		if err := star.Stop(ctx); err != nil {
			b.Error(err)
		}
		if err := site.Close(); err != nil {
			b.Error(err)
		}
	})
	if _, err := fleet.CreateBucket(b.Context(), peer.Bucket{Name: "bench", CreateOnOpen: true}); err != nil {
		b.Fatal(err)
	}
	return fleet, star.Local()
}

// noise is bytes that do not compress, so that compression helps nobody.
func noise(size int) []byte {
	chance := rand.NewChaCha8([32]byte{1})
	out := make([]byte, size)
	_, _ = chance.Read(out) // never fails
	return out
}

// batchOf is a batch of records of size bytes, none like the other.
func batchOf(records, size int) peer.Batch {
	bytes := noise(records * size)
	b := peer.Batch{Records: make([]peer.Record, records)}
	for i := range b.Records {
		b.Records[i].Body = bytes[i*size : (i+1)*size]
	}
	return b
}
