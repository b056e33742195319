package oxiameta

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/novastream/nova/io/meta"
)

// Client is one client of Oxia with its session, for one star.
type Client struct {
	cfg      Config
	identity string // Config.Identity and what makes it unique
	writes   atomic.Uint64
	services []*servers
	session  *session

	records, work, ephemeral, naming *space

	ctx    context.Context // of all that runs; ends with Close
	cancel context.CancelFunc
	mu     sync.Mutex
	closed bool
	tasks  sync.WaitGroup
}

// Open connects to both services and waits until it knows who leads what, and that the key orders are right. Its error is
// an *OpenError where a service cannot be used as configured; it comes within Config.OpenTimeout.
func Open(ctx context.Context, cfg Config) (*Client, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	c := &Client{cfg: cfg, identity: cfg.Identity + "-" + rand.Text()[:12]}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.session = newSession(c)
	hierarchical, natural := newServers(cfg.Hierarchical), newServers(cfg.Natural)
	c.services = []*servers{hierarchical, natural}
	c.records = newSpace(c, hierarchical, cfg.Records, false)
	c.work, c.ephemeral = c.records, c.records
	if cfg.Work != cfg.Records {
		c.work = newSpace(c, hierarchical, cfg.Work, false)
	}
	switch cfg.Ephemeral {
	case cfg.Records:
	case cfg.Work:
		c.ephemeral = c.work
	default:
		c.ephemeral = newSpace(c, hierarchical, cfg.Ephemeral, false)
	}
	c.naming = newSpace(c, natural, cfg.Naming, true)
	for _, sp := range c.spaces() {
		c.start(sp.follow)
	}
	ctx, cancel := context.WithTimeout(ctx, cfg.OpenTimeout)
	defer cancel()
	if err := c.check(ctx); err != nil {
		return nil, errors.Join(err, c.Close(ctx))
	}
	return c, nil
}

// spaces are the distinct spaces.
func (c *Client) spaces() []*space {
	all := []*space{c.records}
	for _, sp := range []*space{c.work, c.ephemeral, c.naming} {
		if !slices.Contains(all, sp) {
			all = append(all, sp)
		}
	}
	return all
}

// check waits for every space, all at once, and probes it. Of several that are not fit, the first is told.
func (c *Client) check(ctx context.Context) error {
	spaces := c.spaces()
	errs := make([]error, len(spaces))
	var checking sync.WaitGroup
	for i, sp := range spaces {
		checking.Go(func() {
			if errs[i] = sp.ready(ctx); errs[i] == nil {
				errs[i] = sp.probe(ctx)
			}
		})
	}
	checking.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Spaces are the namespaces as this client reaches them.
func (c *Client) Spaces() meta.Spaces {
	return meta.Spaces{
		Records:   metastore{view{space: c.records}},
		Work:      metastore{view{space: c.work}},
		Ephemeral: metastore{view{space: c.ephemeral}},
		Naming:    naming{view{space: c.naming}},
	}
}

// Identity is by what the servers know this client.
func (c *Client) Identity() string { return c.identity }

// Close ends the session with its rows, as far as the context lets it reach the servers, and all that runs. Calls under way
// are unavailable, or unknown.
func (c *Client) Close(ctx context.Context) error {
	c.session.close(ctx)
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.tasks.Wait()
	var errs []error
	for _, s := range c.services {
		if err := s.close(); err != nil {
			errs = append(errs, fmt.Errorf("close connections: %w", err))
		}
	}
	return errors.Join(errs...)
}

// start runs a task until the client closes. It is false if that has happened.
func (c *Client) start(task func(context.Context)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.tasks.Go(func() { task(c.ctx) })
	return true
}
