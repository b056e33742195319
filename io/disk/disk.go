// Package disk is the contract of the few bytes a star keeps on its own disk: its identity, nothing of a stream.
//
// Design: architecture.md; the page on retiring stars ("Identity is bound to the data directory").
package disk

import (
	"context"
	"errors"
)

// ErrNotFound says that no such file was saved.
var ErrNotFound = errors.New("disk: not found")

// Disk holds small named files, each saved whole and durably. Names are [a-z-]+.
type Disk interface {
	// Load reads a file. ErrNotFound.
	Load(ctx context.Context, name string) ([]byte, error)
	// Save replaces a file atomically and durably.
	Save(ctx context.Context, name string, data []byte) error
}
