package host

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/core/star"
	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/realio/embeddedmeta"
	"github.com/novastream/nova/realio/fileblob"
)

// Config is what the stars of a process have in common.
type Config struct {
	DataDir        string
	Objects        string   // URL of the regional store; empty: objects/ in DataDir
	Express        []string // zone=URL of the zonal stores: none, 1, 3 or 5
	Location       string
	Version        string
	SessionTimeout time.Duration
	AbsorbFanout   int
	Limits         leadership.Limits
	Log            *slog.Logger
}

// Site is the metastore and the stores of this process.
type Site struct {
	cfg     Config
	meta    *embeddedmeta.Store
	objects blob.Store
	express []star.Zone
}

// Open opens the data directory and the stores.
func Open(cfg Config) (*Site, error) {
	s := &Site{cfg: cfg}
	regional := cfg.Objects
	if regional == "" {
		regional = fileScheme + filepath.Join(cfg.DataDir, "objects")
	}
	var err error
	if s.objects, err = openStore(regional); err != nil {
		return nil, err
	}
	for _, z := range cfg.Express {
		zone, err := openZone(z)
		if err != nil {
			return nil, err
		}
		s.express = append(s.express, zone)
	}
	if s.meta, err = embeddedmeta.Open(filepath.Join(cfg.DataDir, "meta"), cfg.Log); err != nil {
		return nil, err
	}
	return s, nil
}

// Close closes the metastore. The stars are stopped before.
func (s *Site) Close() error { return s.meta.Close() }

const fileScheme = "file://"

// StoreError says that a store cannot be had.
type StoreError struct {
	URL string
	Err error
}

func (e *StoreError) Error() string { return fmt.Sprintf("object store %q: %v", e.URL, e.Err) }
func (e *StoreError) Unwrap() error { return e.Err }

// openStore opens the store of a URL: file:///path, or file://path for one relative to the working directory.
func openStore(url string) (blob.Store, error) {
	path, ok := strings.CutPrefix(url, fileScheme)
	if !ok || path == "" {
		return nil, &StoreError{url, errors.New("write file:///DIRECTORY; no other kind of store is known")}
	}
	store, err := fileblob.Open(path)
	if err != nil {
		return nil, &StoreError{url, err}
	}
	return store, nil
}

func openZone(text string) (star.Zone, error) {
	name, url, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return star.Zone{}, &StoreError{text, errors.New("write ZONE=URL")}
	}
	store, err := openStore(url)
	return star.Zone{Name: name, Blob: store}, err
}
