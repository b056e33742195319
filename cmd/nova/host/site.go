package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
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

// store is a store that was opened.
type store interface {
	blob.Store
	io.Closer
}

// Open opens the data directory, the stores and the metastore.
func Open(ctx context.Context, cfg Config) (*Site, error) {
	s := &Site{cfg: cfg}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// open reads what the URLs say before anything is made. Then it opens all that may take its time at once, so that it says
// within 15 s what is wrong with any of them.
func (s *Site) open(ctx context.Context) error {
	zones, err := zonesOf(s.cfg.Express)
	if err != nil {
		return err
	}
	regional, err := s.regional()
	if err != nil {
		return err
	}
	if err := s.makeDataDir(); err != nil {
		return err
	}
	opened := make([]store, 1+len(zones))
	opening := []func() error{func() (err error) { opened[0], err = s.openRegional(ctx, regional); return err }}
	for i, z := range zones {
		opening = append(opening, func() (err error) { opened[1+i], err = openStore(ctx, z.place); return err })
	}
	if s.cfg.Oxia != nil {
		opening = append(opening, func() (err error) { s.meta, err = openOxia(ctx, s.cfg); return err })
	}
	err = together(opening)
	for _, store := range opened {
		if store != nil {
			s.stores = append(s.stores, store)
		}
	}
	if err != nil {
		return err
	}
	s.objects = s.cfg.Monitor.store(peer.ClassStandard, "", opened[0])
	for i, z := range zones {
		s.express = append(s.express, star.Zone{Name: z.name, Blob: s.cfg.Monitor.store(peer.ClassExpress, z.name, opened[1+i])})
	}
	if s.cfg.Oxia == nil {
		s.meta, err = openEmbedded(s.cfg)
	}
	return err
}

// together does all of it at once, and gives the first error in the order of the list.
func together(tasks []func() error) error {
	errs := make([]error, len(tasks))
	var running sync.WaitGroup
	for i, task := range tasks {
		running.Go(func() { errs[i] = task() })
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// regional is where the regional store is: where --objects says, or in the data directory.
func (s *Site) regional() (place, error) {
	if s.cfg.Objects != "" {
		return placeOf(s.cfg.Objects)
	}
	dir := filepath.Join(s.cfg.DataDir, "objects")
	return place{url: fileScheme + dir, dir: dir}, nil
}

func (s *Site) openRegional(ctx context.Context, p place) (store, error) {
	opened, err := openStore(ctx, p)
	if s.cfg.Objects == "" && unusable(err) {
		return nil, &DataDirError{s.cfg.DataDir, err}
	}
	return opened, err
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
func openStore(ctx context.Context, p place) (store, error) {
	if p.dir == "" {
		bucket, err := s3blob.Open(ctx, p.bucket)
		if err != nil {
			return nil, err
		}
		return bucket, nil
	}
	dir, err := fileblob.Open(p.dir)
	if err != nil {
		return nil, &StoreError{p.url, err}
	}
	return dir, nil
}
