package host

import (
	"context"
	"path/filepath"
	"sync"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/embeddedmeta"
	"github.com/novastream/nova/realio/oxiameta"
)

// metastore is what the stars of a process keep their rows in.
type metastore interface {
	// client is a client with a session of its own, for one star.
	client(ctx context.Context) (metaClient, error)
	Close() error
}

// metaClient is a star's way to the metastore.
type metaClient interface {
	Spaces() meta.Spaces
	Close(ctx context.Context) error
}

var (
	_ metaClient = (*embeddedmeta.Client)(nil)
	_ metaClient = (*oxiameta.Client)(nil)
)

// openEmbedded opens the metastore of the data directory.
func openEmbedded(cfg Config) (metastore, error) {
	store, err := embeddedmeta.Open(filepath.Join(cfg.DataDir, "meta"), cfg.Log)
	switch {
	case unusable(err):
		return nil, &DataDirError{cfg.DataDir, err}
	case err != nil:
		return nil, err
	default:
		return embedded{store}, nil
	}
}

type embedded struct{ *embeddedmeta.Store }

var _ metastore = embedded{}

func (e embedded) client(context.Context) (metaClient, error) { return e.Client(), nil }

// oxia is the metastore on Oxia. Nothing of it is shared: every star has a client of its own.
type oxia struct {
	cfg oxiameta.Config

	mu    sync.Mutex
	first *oxiameta.Client // that has found out that Oxia can be used, until a star takes it
}

var _ metastore = (*oxia)(nil)

// openOxia says what is wrong with the services or their namespaces before any star starts.
func openOxia(ctx context.Context, cfg Config) (metastore, error) {
	o := &oxia{cfg: *cfg.Oxia}
	o.cfg.SessionTimeout, o.cfg.Log = cfg.SessionTimeout, cfg.Log
	first, err := oxiameta.Open(ctx, o.cfg)
	if err != nil {
		return nil, err
	}
	o.first = first
	return o, nil
}

func (o *oxia) take() *oxiameta.Client {
	o.mu.Lock()
	defer o.mu.Unlock()
	c := o.first
	o.first = nil
	return c
}

func (o *oxia) client(ctx context.Context) (metaClient, error) {
	if c := o.take(); c != nil {
		return c, nil
	}
	c, err := oxiameta.Open(ctx, o.cfg)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Close closes the client that no star took. The others are the stars'.
func (o *oxia) Close() error {
	if c := o.take(); c != nil {
		return c.Close(context.Background())
	}
	return nil
}
