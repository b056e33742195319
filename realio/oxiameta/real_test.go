package oxiameta

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// The environment of tests against real servers: addresses of the two services, and, where not all namespaces are called
// "default", the four names. Everything in these namespaces is deleted.
const (
	envOxia       = "NOVA_TEST_OXIA"            // host:port,...
	envNaming     = "NOVA_TEST_OXIA_NAMING"     // host:port,...
	envNamespaces = "NOVA_TEST_OXIA_NAMESPACES" // records,work,ephemeral,naming
)

// realConfig is the config for the real servers that the environment names, or skips the test.
func realConfig(t testing.TB) Config {
	t.Helper()
	addresses, naming := os.Getenv(envOxia), os.Getenv(envNaming)
	if addresses == "" || naming == "" {
		t.Skipf("%s and %s name no servers", envOxia, envNaming)
	}
	cfg := Config{
		Hierarchical: Service{Addresses: strings.Split(addresses, ",")}, Natural: Service{Addresses: strings.Split(naming, ",")},
		Identity: "test", SessionTimeout: 5 * time.Second,
	}
	if names := strings.Split(os.Getenv(envNamespaces), ","); len(names) == 4 {
		cfg.Records, cfg.Work, cfg.Ephemeral, cfg.Naming = names[0], names[1], names[2], names[3]
	}
	return cfg
}

// wipe deletes every record of the client's namespaces.
func wipe(t *testing.T, c *Client) {
	t.Helper()
	for _, sp := range c.spaces() {
		end := "\U0010ffff"
		if !sp.natural {
			end = strings.Repeat("\U0010ffff/", 6) + "\U0010ffff" // deeper than the keys of any test
		}
		shards, err := sp.shards(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range shards {
			x := newWrite(&write{span: &oxiav1.DeleteRangeRequest{StartInclusive: "\x01", EndExclusive: end}, pinned: true})
			if err := s.writer.submit(x); err != nil {
				t.Fatal(err)
			}
			if o := x.wait(t.Context()); o.err != nil {
				t.Fatal(o.err)
			}
		}
	}
}

// expireReal ends a client's sessions at the servers, without the client's knowledge.
func expireReal(t *testing.T) func(context.Context, *Client) {
	return func(ctx context.Context, c *Client) {
		c.session.mu.Lock()
		parts := make([]*part, 0, len(c.session.parts))
		for _, p := range c.session.parts {
			parts = append(parts, p)
		}
		c.session.mu.Unlock()
		for _, p := range parts {
			if err := closeAt(ctx, p.shard, p.id); err != nil {
				t.Errorf("expire the session on %s: %v", p.shard, err)
			}
		}
	}
}

func TestRealConformance(t *testing.T) {
	cfg := realConfig(t)
	shared := cfg.Records == cfg.Work
	runSuite(t, func(t *testing.T) (Config, func(context.Context, *Client)) {
		wipe(t, open(t, cfg))
		return cfg, expireReal(t)
	}, func(name string) bool { return shared && name == "ranges/namespaces are apart" })
}

// What the client rests on and the documentation of the protocol leaves open.
func TestRealServers(t *testing.T) {
	cfg := realConfig(t)
	c := open(t, cfg)
	wipe(t, c)
	s, err := c.records.shardAt(t.Context(), route(locality))
	if err != nil {
		t.Fatal(err)
	}
	turn, err := s.turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	index := "x"
	put := &oxiav1.PutRequest{
		Key: "p/k", ClientIdentity: proto.String("mark 1"), PartitionKey: proto.String(locality),
		SecondaryIndexes: []*oxiav1.SecondaryIndex{{IndexName: index, SecondaryKey: "s..1"}, {IndexName: index, SecondaryKey: "s\x02\x031"}},
	}
	if _, err := turn.rpc.Write(t.Context(), &oxiav1.WriteRequest{Shard: proto.Int64(s.id), Puts: []*oxiav1.PutRequest{put}}); err != nil {
		t.Fatal(err)
	}
	start, end := indexBounds("s", "")
	recs, err := readSpan(t.Context(), turn.server, &oxiav1.RangeScanRequest{
		Shard: proto.Int64(s.id), StartInclusive: start, EndExclusive: end, SecondaryIndexName: &index,
	}, 10)
	if err != nil || len(recs) != 2 || recs[0].GetVersion().GetClientIdentity() != "mark 1" {
		t.Errorf("a scan of the index does not give back the mark of a put without a session: %v, %v", recs, err)
	}
	scratch := &oxiav1.WriteRequest{Shard: proto.Int64(s.id), Deletes: []*oxiav1.DeleteRequest{{Key: scratchKey}}}
	resp, err := turn.rpc.Write(t.Context(), scratch)
	if err != nil || resp.GetDeletes()[0].GetStatus() != oxiav1.Status_STATUS_KEY_NOT_FOUND {
		t.Errorf("a delete of nothing: %v, %v", resp, err)
	}
}

// Counters as in TestChaos, against real servers, for as long as NOVA_TEST_OXIA_FOR says (as "30s"; a second without it), so
// that somebody can kill servers meanwhile. Nobody else writes, so that no change may meet a conflict, and none be lost.
func TestRealCounters(t *testing.T) {
	cfg := realConfig(t)
	c := open(t, cfg)
	wipe(t, c)
	length, err := time.ParseDuration(cmp.Or(os.Getenv("NOVA_TEST_OXIA_FOR"), "1s"))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	var working sync.WaitGroup
	for i := range 12 {
		working.Go(func() {
			loc := fmt.Sprintf("streams/s%d", i)
			n := &counter{m: c.Spaces().Records.Within(loc), key: loc + "/n"}
			longest := time.Duration(0)
			for time.Since(began) < length {
				started := time.Now()
				if err := n.increment(t.Context()); err != nil {
					t.Errorf("counter %d at %d: %v", i, n.value, err)
					return
				}
				longest = max(longest, time.Since(started))
			}
			rec, err := n.m.Fresh().Get(t.Context(), n.key)
			if err != nil || string(rec.Value) != strconv.Itoa(n.value) {
				t.Errorf("counter %d stands at %q after %d increments, %v", i, rec.Value, n.value, err)
			}
			t.Logf("counter %d: %d increments, %d outcomes unknown, the longest took %v", i, n.value, n.unknown, longest)
		})
	}
	working.Wait()
}
