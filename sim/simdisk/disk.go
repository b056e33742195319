// Package simdisk is the disk of a star of the simulated world: it outlives the star's processes, until it is wiped.
//
// A save is an effect at one instant, whole and durable: a process that dies around it leaves the old file or the new one.
//
// Design: architecture.md, io/disk.
package simdisk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/novastream/nova/io/disk"
	"github.com/novastream/nova/sim"
)

// Disk is one disk.
type Disk struct {
	world *sim.World
	files map[string][]byte
}

// New makes an empty disk.
func New(w *sim.World) *Disk { return &Disk{w, map[string][]byte{}} }

// Client is the disk as one process reaches it.
func (d *Disk) Client(p *sim.Process) disk.Disk { return &view{d, p} }

// Wipe empties the disk: the star's next process has a new identity.
func (d *Disk) Wipe(star string) {
	d.world.CountFault("disk.wipe", star)
	clear(d.files)
}

// Peek is a file without any call. Observers must not change it.
func (d *Disk) Peek(name string) ([]byte, bool) {
	data, ok := d.files[name]
	return data, ok
}

// Names are the files, in order.
func (d *Disk) Names() []string { return slices.Sorted(maps.Keys(d.files)) }

// How long the disk takes.
const (
	loadTime = 100 * time.Microsecond
	saveTime = 4 * time.Millisecond
)

// view is one process's access.
type view struct {
	disk    *Disk
	process *sim.Process
}

var _ disk.Disk = (*view)(nil)

// NameError says that a file cannot have this name.
type NameError struct{ Name string }

func (e *NameError) Error() string {
	return fmt.Sprintf("simdisk: file name %q: must be of a-z and -", e.Name)
}

func check(name string) error {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && c != '-' {
			return &NameError{name}
		}
	}
	if name == "" {
		return &NameError{name}
	}
	return nil
}

// errDropped ends a save whose fate is that its answer is lost.
var errDropped = errors.New("simdisk: the disk did not answer")

// Load reads a file.
func (v *view) Load(ctx context.Context, name string) ([]byte, error) {
	if err := check(name); err != nil {
		return nil, err
	}
	if err := v.process.Sleep(ctx, loadTime); err != nil {
		return nil, err
	}
	data, ok := v.disk.Peek(name)
	if !ok {
		return nil, fmt.Errorf("load %s: %w", name, disk.ErrNotFound)
	}
	return append([]byte{}, data...), nil
}

// Save replaces a file.
func (v *view) Save(ctx context.Context, name string, data []byte) error {
	if err := check(name); err != nil {
		return err
	}
	p, d := v.process, v.disk
	fate := p.Effect("disk.save", name)
	own := append([]byte{}, data...)
	if err := p.Sleep(ctx, saveTime); err != nil {
		return err
	}
	apply := func() {
		d.files[name] = own
		d.world.FoldBytes(own)
		d.world.Emit(p.Name(), "disk.save", "name", name, "size", len(own))
	}
	switch fate {
	case sim.Refused:
		return errDropped
	case sim.Late:
		p.Kill() // a disk has no late writes: it is as if it had died before
	default:
		apply()
	}
	if fate == sim.After {
		p.Kill()
	}
	p.Enter()
	if fate == sim.Lost {
		return errDropped
	}
	return nil
}
