package oxiameta

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// The defaults of a Config, and its limits.
const (
	DefaultNamespace      = "default"
	DefaultSessionTimeout = 15 * time.Second
	DefaultWriteWindow    = 4
	DefaultMaxBatchBytes  = 128 << 10
	DefaultRequestTimeout = 30 * time.Second
	DefaultOpenTimeout    = 12 * time.Second

	MinSessionTimeout = 2 * time.Second // servers refuse less, and more than the most
	MaxSessionTimeout = 5 * time.Minute
	MaxWriteWindow    = 256 // servers take 1024 requests of a stream
	LargestBatchBytes = 4 << 20
)

// Service is one Oxia cluster, all of one key order.
type Service struct {
	// Addresses are data servers to ask who leads what, "host:port". One that answers is enough.
	Addresses []string
	// TLS is how to speak to its servers; nil is in the clear, but for servers that announce themselves with "tls://".
	TLS *tls.Config
	// Token gives the bearer token of a call; nil is none. It is asked for every call, so that tokens can be renewed.
	Token func() (string, error)
}

// Config is what a Client is made of. Zero values have the defaults above, but for the services.
type Config struct {
	Hierarchical Service // holds Records, Work and Ephemeral; servers with hierarchical key order
	Natural      Service // holds Naming; servers with natural key order

	// The namespaces. Spaces of one service may share a namespace if their key families are apart, as Nova's are.
	Records, Work, Ephemeral, Naming string

	// Identity says in Oxia who writes: a word that the servers keep with sessions and records. It need not be unique.
	Identity string
	// SessionTimeout is how long ephemeral rows outlive their silent client, from 2 s to 5 min.
	SessionTimeout time.Duration
	// WriteWindow is how many batches of writes may be unanswered for each shard.
	WriteWindow int
	// MaxBatchBytes caps one batch. A write that is larger alone travels alone.
	MaxBatchBytes int
	// RequestTimeout ends a call whose context does not end before.
	RequestTimeout time.Duration
	// OpenTimeout ends Open.
	OpenTimeout time.Duration
	// Log hears of lost sessions, lost streams and assignments; nil is silence.
	Log *slog.Logger
}

// Validate says what is wrong with a Config.
func (c Config) Validate() error {
	c = c.withDefaults()
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf("oxiameta: "+format, args...)) }
	for _, s := range []struct {
		name string
		Service
	}{{"hierarchical", c.Hierarchical}, {"natural", c.Natural}} {
		if len(s.Addresses) == 0 {
			bad("the %s service has no address", s.name)
		}
		for _, addr := range s.Addresses {
			if i := strings.LastIndexByte(addr, ':'); i <= 0 || i == len(addr)-1 {
				bad("address %q of the %s service is not host:port", addr, s.name)
			}
		}
	}
	if c.SessionTimeout < MinSessionTimeout || c.SessionTimeout > MaxSessionTimeout {
		bad("session time-out %v: servers take %v to %v", c.SessionTimeout, MinSessionTimeout, MaxSessionTimeout)
	}
	if c.WriteWindow < 1 || c.WriteWindow > MaxWriteWindow {
		bad("write window %d: it may be 1 to %d", c.WriteWindow, MaxWriteWindow)
	}
	if c.MaxBatchBytes < 1<<10 || c.MaxBatchBytes > LargestBatchBytes {
		bad("batches of at most %d bytes: it may be 1 KiB to %d", c.MaxBatchBytes, LargestBatchBytes)
	}
	if c.RequestTimeout <= 0 || c.OpenTimeout <= 0 {
		bad("time-outs of %v and %v: they must be above zero", c.RequestTimeout, c.OpenTimeout)
	}
	for _, name := range []string{c.Records, c.Work, c.Ephemeral, c.Naming} {
		if !isWord(name) {
			bad("namespace %q: names are made of letters, digits, '_', '.' and '-'", name)
		}
	}
	if !isWord(c.Identity) {
		bad("identity %q: it is made of letters, digits, '_', '.' and '-'", c.Identity)
	}
	return errors.Join(errs...)
}

func (c Config) withDefaults() Config {
	for _, name := range []*string{&c.Records, &c.Work, &c.Ephemeral, &c.Naming} {
		orDefault(name, DefaultNamespace)
	}
	orDefault(&c.Identity, "nova")
	orDefault(&c.SessionTimeout, DefaultSessionTimeout)
	orDefault(&c.WriteWindow, DefaultWriteWindow)
	orDefault(&c.MaxBatchBytes, DefaultMaxBatchBytes)
	orDefault(&c.RequestTimeout, DefaultRequestTimeout)
	orDefault(&c.OpenTimeout, DefaultOpenTimeout)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

func orDefault[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}

func isWord(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !strings.ContainsRune("_.-", r)
	}) < 0
}
