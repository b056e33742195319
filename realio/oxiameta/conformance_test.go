package oxiameta

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
	"github.com/novastream/nova/realio/runtime"
)

const budget = time.Minute

// spacesOf are the namespaces of the tests, each with this many shards.
func spacesOf(shards int) []oxiatest.Namespace {
	return []oxiatest.Namespace{
		{Name: "records", Shards: shards}, {Name: "work", Shards: shards}, {Name: "ephemeral", Shards: shards},
		{Name: "naming", Shards: shards, Natural: true},
	}
}

// startCluster starts a cluster that ends with the test, which must not have done harm to it.
func startCluster(t *testing.T, cfg oxiatest.Config) *oxiatest.Cluster {
	t.Helper()
	if cfg.Namespaces == nil {
		cfg.Namespaces = spacesOf(3)
	}
	c, err := oxiatest.Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		if err := c.Harm(); err != nil {
			t.Errorf("requests that harm real servers: %v", err)
		}
	})
	return c
}

// configFor is a client's config for a cluster of the tests.
func configFor(c *oxiatest.Cluster) Config {
	service := Service{Addresses: c.Addresses()}
	return Config{
		Hierarchical: service, Natural: service,
		Records: "records", Work: "work", Ephemeral: "ephemeral", Naming: "naming",
		Identity: "test", SessionTimeout: 10 * time.Second,
	}
}

// open opens a client that closes with the test.
func open(t *testing.T, cfg Config) *Client {
	t.Helper()
	c, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return c
}

// runSuite runs the conformance suite on worlds that start gives: a config for clients, and how to end a client's session.
func runSuite(t *testing.T, start func(t *testing.T) (Config, func(context.Context, *Client)), skip func(name string) bool) {
	for _, c := range iotest.Meta() {
		if skip != nil && skip(c.Name) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			cfg, expire := start(t)
			r := runtime.New(runtime.Config{})
			var clients []*Client
			err := r.Do(r.Context(), "case", func(ctx context.Context) {
				c.Run(iotest.MetaHarness{
					Harness: iotest.Harness{T: t, Ctx: ctx, Run: r},
					Client: func() iotest.MetaClient {
						client, err := Open(context.Background(), cfg)
						if err != nil {
							t.Errorf("open: %v", err)
							panic(err)
						}
						clients = append(clients, client)
						return iotest.MetaClient{Spaces: r.Spaces(client.Spaces()), Expire: func(ctx context.Context) {
							r.Offload(ctx, func() { expire(ctx, client) })
						}}
					},
				})
			})
			err = errors.Join(err, r.Stop(budget))
			for _, client := range clients {
				err = errors.Join(err, client.Close(context.Background()))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// expireAt ends sessions at a cluster of the tests.
func expireAt(cluster *oxiatest.Cluster) func(context.Context, *Client) {
	return func(_ context.Context, c *Client) { cluster.ExpireSessions(c.Identity()) }
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name   string
		config oxiatest.Config
	}{
		{"one shard", oxiatest.Config{Namespaces: spacesOf(1)}},
		{"shards of three nodes, small frames", oxiatest.Config{Namespaces: spacesOf(5), Nodes: 3, FrameItems: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			runSuite(t, func(t *testing.T) (Config, func(context.Context, *Client)) {
				cluster := startCluster(t, c.config)
				return configFor(cluster), expireAt(cluster)
			}, nil)
		})
	}
}
