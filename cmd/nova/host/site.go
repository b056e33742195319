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
	stores  []*fileblob.Store // all of them
}

// Open opens the data directory and the stores.
func Open(cfg Config) (*Site, error) {
	s := &Site{cfg: cfg}
	if err := s.open(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Site) open() (err error) {
	regional := s.cfg.Objects
	if regional == "" {
		regional = fileScheme + filepath.Join(s.cfg.DataDir, "objects")
	}
	if s.objects, err = s.openStore(regional); err != nil {
		return err
	}
	for _, text := range s.cfg.Express {
		name, url, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return &StoreError{text, errors.New("write ZONE=URL")}
		}
		store, err := s.openStore(url)
		if err != nil {
			return err
		}
		s.express = append(s.express, star.Zone{Name: name, Blob: store})
	}
	s.meta, err = embeddedmeta.Open(filepath.Join(s.cfg.DataDir, "meta"), s.cfg.Log)
	return err
}

// Close closes the metastore and the stores. The stars are stopped before.
func (s *Site) Close() (err error) {
	if s.meta != nil {
		err = s.meta.Close()
	}
	for _, store := range s.stores {
		err = errors.Join(err, store.Close())
	}
	return err
}

const fileScheme = "file://"

// StoreError says that a store cannot be had.
type StoreError struct {
	URL string
	Err error
}

func (e *StoreError) Error() string { return fmt.Sprintf("object store %q: %v", e.URL, e.Err) }
func (e *StoreError) Unwrap() error { return e.Err }

// openStore opens the store of a URL: file:///path, or file://path for one relative to the working directory.
func (s *Site) openStore(url string) (blob.Store, error) {
	path, ok := strings.CutPrefix(url, fileScheme)
	if !ok || path == "" {
		return nil, &StoreError{url, errors.New("write file:///DIRECTORY; no other kind of store is known")}
	}
	store, err := fileblob.Open(path)
	if err != nil {
		return nil, &StoreError{url, err}
	}
	s.stores = append(s.stores, store)
	return store, nil
}
