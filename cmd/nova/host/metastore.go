package host

import (
	"context"
	"errors"
	"path/filepath"

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

// openMetastore opens the metastore of the data directory, or finds out whether the one on Oxia can be used.
func (s *Site) openMetastore(ctx context.Context) (metastore, error) {
	if s.cfg.Oxia != nil {
		return openOxia(ctx, s.cfg)
	}
	store, err := embeddedmeta.Open(filepath.Join(s.cfg.DataDir, "meta"), s.cfg.Log)
	switch {
	case unusable(err):
		return nil, &DataDirError{s.cfg.DataDir, err}
	case err != nil:
		return nil, err
	default:
		return embedded{store}, nil
	}
}

type embedded struct{ *embeddedmeta.Store }

var _ metastore = embedded{}

func (e embedded) client(context.Context) (metaClient, error) { return e.Client(), nil }

// oxia is the metastore on Oxia. Nothing of it is shared: every star has connections of its own.
type oxia struct{ cfg oxiameta.Config }

var _ metastore = oxia{}

// openOxia says what is wrong with the services or their namespaces before any star starts.
func openOxia(ctx context.Context, cfg Config) (metastore, error) {
	o := oxia{*cfg.Oxia}
	o.cfg.SessionTimeout, o.cfg.Log = cfg.SessionTimeout, cfg.Log
	probe, err := oxiameta.Open(ctx, o.cfg)
	if err != nil {
		return nil, err
	}
	return o, errors.Join(err, probe.Close(ctx))
}

func (o oxia) client(ctx context.Context) (metaClient, error) {
	c, err := oxiameta.Open(ctx, o.cfg)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Close has nothing to close: the clients are the stars'.
func (o oxia) Close() error { return nil }
