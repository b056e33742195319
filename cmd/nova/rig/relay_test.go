package rig_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/novastream/nova/cmd/nova/rig"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// ways are links that a relay's client goes by.
type ways struct {
	t     *testing.T
	mu    sync.Mutex
	links []*rig.Link
}

func (w *ways) to(addr string) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := newLink(w.t, addr)
	w.links = append(w.links, l)
	return l.Addr(), nil
}

func (w *ways) set(f rig.Fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.links {
		l.Set(f)
	}
}

// behind is a client that reaches a cluster of three nodes through a relay and links alone.
func behind(t *testing.T, cfg oxiatest.Config) (*oxiatest.Cluster, *ways, *oxiameta.Client) {
	t.Helper()
	cfg.Nodes = 3
	cfg.Namespaces = []oxiatest.Namespace{{Name: "default", Shards: 4}, {Name: "naming", Natural: true, Shards: 2}}
	cluster, err := oxiatest.Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	w := &ways{t: t}
	relay := rig.NewRelay(w.to)
	t.Cleanup(func() {
		if err := relay.Close(); err != nil {
			t.Error(err)
		}
	})
	addr, err := relay.To(cluster.Addresses()[0])
	if err != nil {
		t.Fatal(err)
	}
	service := oxiameta.Service{Addresses: []string{addr}}
	client, err := oxiameta.Open(t.Context(), oxiameta.Config{Hierarchical: service, Natural: service, Naming: "naming"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return cluster, w, client
}

// counts writes n records and reads them back.
func counts(t *testing.T, m meta.Metastore, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for i := range n {
		key, value := fmt.Sprint("k/", i), fmt.Sprint(i)
		if _, err := m.Put(ctx, key, []byte(value), meta.Any()); err != nil {
			t.Fatalf("put %s: %v", key, err)
		}
		if rec, err := m.Fresh().Get(ctx, key); err != nil || string(rec.Value) != value {
			t.Fatalf("get %s: %q, %v", key, rec.Value, err)
		}
	}
}

// A client follows leaders to and fro, with hints in either encoding and without, and never leaves the relay.
func TestARelayNamesItselfInThePlaceOfServers(t *testing.T) {
	for _, legacy := range []bool{false, true} {
		for _, hints := range []bool{false, true} {
			t.Run(fmt.Sprintf("legacy %v hints %v", legacy, hints), func(t *testing.T) {
				cluster, w, client := behind(t, oxiatest.Config{Legacy: legacy})
				cluster.SetHints(hints)
				counts(t, client.Spaces().Records, 10)
				for _, s := range cluster.Shards("default") {
					cluster.HoldAssignments(hints) // the hint alone tells
					cluster.MoveLeader(s.ID, (s.Leader+1)%3)
				}
				counts(t, client.Spaces().Records, 10)
				w.set(rig.Fault{Kind: rig.Cut})
				ctx, cancel := context.WithTimeout(t.Context(), 2*moment)
				defer cancel()
				_, err := client.Spaces().Records.Fresh().Get(ctx, "k/1")
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("a read where every link is cut: %v", err)
				}
				w.set(rig.Fault{})
				counts(t, client.Spaces().Records, 10)
			})
		}
	}
}

// Sessions, streams that the server ends and servers that die are to the client as without a relay.
func TestARelayPassesEndsOn(t *testing.T) {
	cluster, _, client := behind(t, oxiatest.Config{})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ephemeral := client.Spaces().Ephemeral
	if _, err := ephemeral.PutEphemeral(ctx, "stars/1", nil, meta.Absent()); err != nil {
		t.Fatal(err)
	}
	for _, s := range cluster.Shards("default") {
		cluster.CancelStreams(s.ID)
	}
	counts(t, client.Spaces().Records, 10)
	cluster.StopNode(1)
	for _, s := range cluster.Shards("default") {
		cluster.MoveLeader(s.ID, 2)
	}
	counts(t, client.Spaces().Records, 10)
	if ended := cluster.ExpireSessions(client.Identity()); ended != 1 {
		t.Errorf("%d sessions ended, want the one", ended)
	}
	deadline := time.After(patience)
	for {
		_, err := ephemeral.PutEphemeral(ctx, "stars/1", nil, meta.Any())
		if errors.Is(err, meta.ErrSessionExpired) {
			return
		}
		select {
		case <-deadline:
			t.Fatalf("nobody tells the client of the end of its session: %v", err)
		default:
		}
	}
}
