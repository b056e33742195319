package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/core/star"
	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/datadir"
	"github.com/novastream/nova/realio/fileblob"
	"github.com/novastream/nova/realio/oxiameta"
	"github.com/novastream/nova/realio/s3blob"
)

// Config is what the stars of a process have in common.
type Config struct {
	DataDir        string
	Objects        string   // URL of the regional store; empty: objects/ in DataDir
	Express        []string // zone=URL of the zonal stores: none, 1, 3 or 5
	Location       string
	Version        string
	SessionTimeout time.Duration
	Oxia           *oxiameta.Config // the metastore; nil: embedded, in DataDir
	AbsorbFanout   int
	Limits         leadership.Limits
	Log            *slog.Logger
	Monitor        *Monitor // of the one star of the process; nil: nobody watches
}

// Site is the metastore and the stores of this process.
type Site struct {
	cfg     Config
	meta    metastore
	objects blob.Store
	express []star.Zone
	stores  []io.Closer // all of them
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
	zones, err := zonesOf(s.cfg.Express)
	if err != nil {
		return err
	}
	if s.objects, err = s.openObjects(); err != nil {
		return err
	}
	s.objects = s.cfg.Monitor.store(peer.ClassStandard, "", s.objects)
	for _, z := range zones {
		store, err := s.openStore(z.place)
		if err != nil {
			return err
		}
		s.express = append(s.express, star.Zone{Name: z.name, Blob: s.cfg.Monitor.store(peer.ClassExpress, z.name, store)})
	}
	s.meta, err = s.openMetastore(context.Background())
	return err
}

// openObjects opens the regional store. Its URL is looked at before anything is made.
func (s *Site) openObjects() (blob.Store, error) {
	if s.cfg.Objects != "" {
		place, err := placeOf(s.cfg.Objects)
		if err != nil {
			return nil, err
		}
		if err := s.makeDataDir(); err != nil {
			return nil, err
		}
		return s.openStore(place)
	}
	if err := s.makeDataDir(); err != nil {
		return nil, err
	}
	dir := filepath.Join(s.cfg.DataDir, "objects")
	store, err := s.openStore(place{url: fileScheme + dir, dir: dir})
	if unusable(err) {
		return nil, &DataDirError{s.cfg.DataDir, err}
	}
	return store, err
}

func (s *Site) makeDataDir() error {
	if err := datadir.MkdirAll(s.cfg.DataDir); err != nil {
		return &DataDirError{s.cfg.DataDir, err}
	}
	return nil
}

// unusable says whether the directory is what fails: not what it holds, nor who has it.
func unusable(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path)
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

// DataDirError says that the data directory cannot be used.
type DataDirError struct {
	Dir string
	Err error
}

func (e *DataDirError) Error() string { return fmt.Sprintf("data directory %s: %v", e.Dir, e.Err) }
func (e *DataDirError) Unwrap() error { return e.Err }

// StoreError says that a store cannot be had.
type StoreError struct {
	URL string
	Err error
}

func (e *StoreError) Error() string { return fmt.Sprintf("object store %q: %v", e.URL, e.Err) }
func (e *StoreError) Unwrap() error { return e.Err }

// openStore opens the store of a place. For a bucket it may take as long as s3blob.Open does to find out that it cannot.
func (s *Site) openStore(p place) (blob.Store, error) {
	if p.dir == "" {
		store, err := s3blob.Open(context.Background(), p.bucket)
		if err != nil {
			return nil, err
		}
		s.stores = append(s.stores, store)
		return store, nil
	}
	store, err := fileblob.Open(p.dir)
	if err != nil {
		return nil, &StoreError{p.url, err}
	}
	s.stores = append(s.stores, store)
	return store, nil
}
