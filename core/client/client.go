package client

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
)

// Config is what a client needs.
type Config struct {
	Run     run.Runtime
	Network peer.Network
	Addrs   []string    // one star or more of the fleet
	Bugs    planted.Set // empty but in the simulator's mutation checks
}

// Client is one user of a fleet. Only the holder of the baton may use it.
type Client struct {
	cfg     Config
	known   []string                   // addresses of stars: those given, then those learned
	turn    int                        // whose turn it is among them
	holders map[peer.StreamName]string // who leads, as far as a redirect said
}

const (
	maxHops    = 3    // redirects followed without a pause: two stars may point at each other
	maxKnown   = 64   // addresses remembered
	maxHolders = 8192 // streams whose holder is remembered; beyond it the memory starts anew
)

// New makes a client that knows the given stars.
func New(cfg Config) (*Client, error) {
	if len(cfg.Addrs) == 0 {
		return nil, errors.New("client: give the address of at least one star")
	}
	return &Client{cfg: cfg, known: slices.Clone(cfg.Addrs), holders: map[peer.StreamName]string{}}, nil
}

// UnfinishedError says that a call was given up when its context ended, and what the last answer was.
type UnfinishedError struct {
	Context error
	Last    error
}

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("given up (%v); the last answer was: %v", e.Context, e.Last)
}

func (e *UnfinishedError) Unwrap() []error { return []error{e.Context, e.Last} }

// onStream calls a star about a stream, following redirects and trying again what ends by itself, until ctx ends.
func (c *Client) onStream(ctx context.Context, stream peer.StreamName, call func(peer.Star) error) error {
	return c.until(ctx, call, func(refused error) (string, bool) {
		var e *peer.Error
		if errors.As(refused, &e) && e.Code == peer.NotOwner && e.Addr != "" {
			c.remember(stream, e.Addr)
			return e.Addr, true
		}
		if refused != nil {
			delete(c.holders, stream)
		}
		addr, ok := c.holders[stream]
		if !ok {
			addr = c.nextAddr()
		}
		return addr, false
	})
}

// onAny calls any star, trying again what ends by itself, until ctx ends.
func (c *Client) onAny(ctx context.Context, call func(peer.Star) error) error {
	return c.until(ctx, call, func(error) (string, bool) { return c.nextAddr(), false })
}

// until repeats call at the addresses that choose names, and pauses in between unless it was redirected.
func (c *Client) until(ctx context.Context, call func(peer.Star) error, choose func(refused error) (addr string, redirected bool)) error {
	addr, _ := choose(nil)
	hops := 0
	var said error // the last answer that was not just the end of ctx
	for tries := backoff.New(c.cfg.Run, backoff.Rows); ; {
		err := call(c.cfg.Network.Dial(addr))
		if err == nil {
			return nil
		}
		var redirected bool
		addr, redirected = choose(err)
		switch {
		case !again(err):
			return err
		case ctx.Err() != nil:
			if said == nil {
				said = err
			}
			return &UnfinishedError{ctx.Err(), said}
		case redirected && hops < maxHops:
			hops++
			said = err
			continue
		}
		hops, said = 0, err
		if wait := tries.Wait(ctx); wait != nil {
			return &UnfinishedError{wait, err}
		}
	}
}

// again says whether a call that ended so is worth another try. All calls that go through here may be repeated.
func again(err error) bool {
	switch peer.CodeOf(err) {
	case peer.NotOwner, peer.AtCapacity, peer.Shed, peer.Retry, peer.Unavailable, peer.Indeterminate, peer.NotAppended:
		return true
	case peer.Internal, peer.Invalid, peer.TooLarge, peer.NotFound, peer.AlreadyExists, peer.Fenced, peer.MatchFailed, peer.Trimmed:
		return false
	default:
		return false
	}
}

// nextAddr takes the known stars in turn.
func (c *Client) nextAddr() string {
	c.turn++
	return c.known[c.turn%len(c.known)]
}

// remember keeps the holder of a stream.
func (c *Client) remember(stream peer.StreamName, addr string) {
	if len(c.holders) >= maxHolders {
		clear(c.holders)
	}
	c.holders[stream] = addr
	if !slices.Contains(c.known, addr) && len(c.known) < maxKnown {
		c.known = append(c.known, addr)
	}
}
