package oxiameta

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// locality is the one that most tests work in, in the records namespace.
const locality = "streams/s1"

// world is a cluster with one client, and the shard of the locality.
type world struct {
	*testing.T
	cluster *oxiatest.Cluster
	client  *Client
	records meta.Metastore // within the locality
	shard   oxiatest.Shard
	ctx     context.Context
}

func newWorld(t *testing.T, cfg oxiatest.Config, tweaks ...func(*Config)) *world {
	t.Helper()
	cluster := startCluster(t, cfg)
	config := configFor(cluster)
	for _, tweak := range tweaks {
		tweak(&config)
	}
	client := open(t, config)
	ctx, cancel := context.WithTimeout(t.Context(), budget)
	t.Cleanup(cancel)
	return &world{
		T: t, cluster: cluster, client: client, records: client.Spaces().Records.Within(locality),
		shard: cluster.ShardOf("records", locality), ctx: ctx,
	}
}

// put writes and must succeed.
func (w *world) put(key, value string, expect meta.Expect) meta.Version {
	w.Helper()
	v, err := w.records.Put(w.ctx, key, []byte(value), expect)
	if err != nil {
		w.Fatalf("put %s: %v", key, err)
	}
	return v
}

// wants sees that an error is the one wanted; nil wants none.
func (w *world) wants(what string, err, want error) {
	w.Helper()
	if !errors.Is(err, want) {
		w.Errorf("%s: got %v, want %v", what, err, want)
	}
}

// wantRecord reads freshly and compares.
func (w *world) wantRecord(key, value string, version meta.Version) {
	w.Helper()
	rec, err := w.records.Fresh().Get(w.ctx, key)
	if err != nil || string(rec.Value) != value || rec.Version != version {
		w.Errorf("get %s: got %q at %d and %v, want %q at %d", key, rec.Value, rec.Version, err, value, version)
	}
}

// eventually waits for a condition that comes without being asked for.
func (w *world) eventually(what string, is func() bool) {
	w.Helper()
	eventually(w.T, what, is)
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	deadline := time.After(budget)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("it does not come to this: %s", what)
		}
	}
}

// once gives a hook that fails the first write request with a key that starts like this, and then none.
func once(key string, err error) func(oxiatest.Write) error {
	var mu sync.Mutex
	spent := false
	return func(w oxiatest.Write) error {
		mu.Lock()
		defer mu.Unlock()
		if spent || !touches(w.Request, key) {
			return nil
		}
		spent = true
		return err
	}
}

func touches(req *oxiav1.WriteRequest, key string) bool {
	for _, put := range req.GetPuts() {
		if strings.HasPrefix(put.GetKey(), key) {
			return true
		}
	}
	for _, del := range req.GetDeletes() {
		if strings.HasPrefix(del.GetKey(), key) {
			return true
		}
	}
	for _, span := range req.GetDeleteRanges() {
		if strings.HasPrefix(span.GetStartInclusive(), key) {
			return true
		}
	}
	return false
}

// behind writes at a node without the client's knowledge, as another client does that knows more.
func (w *world) behind(node int, put *oxiav1.PutRequest) {
	w.Helper()
	srv, err := w.client.records.servers.at(w.cluster.Addresses()[node])
	if err != nil {
		w.Fatal(err)
	}
	put.PartitionKey = proto.String(locality)
	resp, err := srv.rpc.Write(w.ctx, &oxiav1.WriteRequest{Shard: proto.Int64(w.shard.ID), Puts: []*oxiav1.PutRequest{put}})
	if err != nil || resp.GetPuts()[0].GetStatus() != oxiav1.Status_STATUS_OK {
		w.Fatalf("write at node %d: %v, %v", node, resp, err)
	}
}

// pending is a call that runs.
type pending struct{ done chan error }

// goes runs a call; its outcome is to be awaited with is.
func (w *world) goes(call func() error) pending {
	p := pending{make(chan error, 1)}
	go func() { p.done <- call() }()
	return p
}

func (w *world) outcome(p pending) error {
	w.Helper()
	select {
	case err := <-p.done:
		return err
	case <-w.ctx.Done():
		w.Fatal("a call does not end")
		return nil
	}
}

func newPutRequest(key, value string) *oxiav1.PutRequest {
	return &oxiav1.PutRequest{Key: key, Value: []byte(value)}
}
