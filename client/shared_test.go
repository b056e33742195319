package client_test

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/novastream/nova/client"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

// TestShared is a session of a star that many goroutines share, some of which give up early, on streams of both modes. What is
// recorded is found to be linearizable.
func TestShared(t *testing.T) {
	addr, stop := serve()
	defer stop()
	for _, mode := range []peer.Mode{peer.ModeAny, peer.ModeFenced} {
		var file bytes.Buffer
		recorder, err := client.NewRecorder(&file, "a test")
		check(err)
		fleet, err := client.Connect(client.Config{Addrs: []string{addr}, Recorder: recorder})
		check(err)
		name := peer.StreamName{Bucket: fmt.Sprintf("bucket-%d", mode), Key: "app"}
		_, err = fleet.CreateBucket(t.Context(), peer.Bucket{Name: name.Bucket, Mode: mode, CreateOnOpen: true})
		check(err)
		s, err := fleet.OpenSession(t.Context(), peer.OpenRequest{Stream: name, Create: true})
		check(err)
		check(s.Send(t.Context(), peer.Batch{Records: []peer.Record{{Body: []byte("first")}}}))
		_, err = s.Recv(t.Context())
		check(err)
		share(t, s)
		check(s.Close(t.Context()))
		check(recorder.Finish(t.Context(), fleet))
		check(fleet.Close())
		stored, err := history.NewStored(bytes.NewReader(file.Bytes()))
		check(err)
		result, err := history.Check(stored, history.DefaultConfig())
		check(err)
		if !result.OK() || result.Witness.Records == 0 {
			t.Errorf("mode %v, %s: %s", mode, result.Verdict(), result)
		}
	}
}

// share has goroutines send and receive through one session until each has done its part or is told that the session ended.
func share(t *testing.T, s peer.Session) {
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 40 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				if g == 0 && i == 39 {
					cancel()
				}
				err := s.Send(ctx, peer.Batch{Records: []peer.Record{{Body: fmt.Appendf(nil, "%d of %d", i, g)}}})
				if cancel(); err != nil {
					return
				}
			}
		})
		all.Go(func() {
			for range 40 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				_, err := s.Recv(ctx)
				if cancel(); err != nil {
					return
				}
			}
		})
	}
	all.Wait()
}
