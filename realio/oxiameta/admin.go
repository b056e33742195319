package oxiameta

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// Scratch is a namespace to try something on, made for that.
type Scratch struct {
	cfg     Config // whose hierarchical namespaces are all the scratch one
	servers *servers
	rpc     oxiav1.OxiaAdminClient
	space   *space // the client that has watched the shards
	client  *Client
}

// MakeScratch makes a namespace with one shard and hierarchical order, by the coordinator at an address. It has as many replicas
// as the namespace of the records that cfg names.
func MakeScratch(ctx context.Context, coordinator, name string, cfg Config) (*Scratch, error) {
	x := &Scratch{cfg: cfg, servers: newServers(cfg.Hierarchical)}
	srv, err := x.servers.at(coordinator)
	if err != nil {
		return nil, err
	}
	x.rpc = oxiav1.NewOxiaAdminClient(srv.conn)
	fail := func(doing string, err error) (*Scratch, error) {
		return nil, errors.Join(fmt.Errorf("%s at the coordinator %s: %s", doing, coordinator, plain(err)), x.servers.close())
	}
	like, err := x.rpc.GetNamespace(ctx, &oxiav1.GetNamespaceRequest{Namespace: cfg.Records})
	if err != nil {
		return fail("look at namespace "+cfg.Records, err)
	}
	_, err = x.rpc.CreateNamespace(ctx, &oxiav1.CreateNamespaceRequest{Namespace: &oxiav1.Namespace{
		Name: name, InitialShardCount: 1, ReplicationFactor: like.GetNamespace().GetNamespace().GetReplicationFactor(),
		NotificationsEnabled: proto.Bool(false), KeySorting: "hierarchical",
	}})
	if err != nil {
		return fail("create namespace "+name, err)
	}
	x.cfg.Records, x.cfg.Work, x.cfg.Ephemeral = name, name, name
	if err = x.watch(ctx); err != nil {
		return nil, errors.Join(err, x.Drop(context.WithoutCancel(ctx)))
	}
	return x, nil
}

// scratchReady is how long the servers may take to learn of a new namespace.
const scratchReady = 15 * time.Second

// watch opens the client that watches the shards, once the servers know the namespace.
func (x *Scratch) watch(ctx context.Context) (err error) {
	for began := time.Now(); ; {
		if x.client, err = Open(ctx, x.cfg); err == nil {
			x.space = x.client.records
			return nil
		}
		var open *OpenError
		if !errors.As(err, &open) || open.Reason != NoNamespace || time.Since(began) > scratchReady {
			return err
		}
		if stopped := waitFor(ctx, nil, longPause/4); stopped != nil {
			return stopped
		}
	}
}

// Open is a client of the scratch namespace.
func (x *Scratch) Open(ctx context.Context) (*Client, error) { return Open(ctx, x.cfg) }

// Split splits the shard of the namespace in the middle, and waits until the assignments name both halves with their leaders.
func (x *Scratch) Split(ctx context.Context) error {
	shards, err := x.space.shards(ctx)
	if err != nil {
		return err
	}
	if _, err := x.rpc.SplitShard(ctx, &oxiav1.SplitShardRequest{Namespace: x.cfg.Records, Shard: shards[0].id}); err != nil {
		return fmt.Errorf("split shard %d of namespace %s: %s", shards[0].id, x.cfg.Records, plain(err))
	}
	for {
		x.space.mu.Lock()
		halves, changed := len(x.space.table), x.space.changed
		x.space.mu.Unlock()
		if halves > len(shards) {
			return nil
		}
		if err := waitFor(ctx, changed, time.Hour); err != nil {
			return fmt.Errorf("wait for the halves of shard %d: %w", shards[0].id, err)
		}
	}
}

// Drop deletes the namespace with all that is in it.
func (x *Scratch) Drop(ctx context.Context) error {
	var closed error
	if x.client != nil {
		closed = x.client.Close(ctx)
	}
	_, err := x.rpc.DeleteNamespace(ctx, &oxiav1.DeleteNamespaceRequest{Namespace: x.cfg.Records})
	if err != nil {
		err = fmt.Errorf("delete namespace %s: %s", x.cfg.Records, plain(err))
	}
	return errors.Join(err, closed, x.servers.close())
}
