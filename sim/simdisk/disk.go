// Package simdisk is the disk of each star of the simulated world: it outlives the star's processes, until it is wiped.
//
// A save is an effect at one instant, whole and durable: a process that dies around it leaves the old file or the new one.
//
// Design: architecture.md, io/disk.
package simdisk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/novastream/nova/io/disk"
	"github.com/novastream/nova/sim"
)

// Disks are the disks of all stars.
type Disks struct {
	world *sim.World
	files map[file][]byte
	wiped map[string]int // by star: files of earlier generations are gone
}

type file struct {
	star       string
	generation int
	name       string
}

// New makes empty disks.
func New(w *sim.World) *Disks {
	return &Disks{world: w, files: map[file][]byte{}, wiped: map[string]int{}}
}

// Disk is the disk of a process's star, by the process's name.
func (d *Disks) Disk(p *sim.Process) disk.Disk { return &view{d, p} }

// Wipe empties a star's disk: its next process has a new identity.
func (d *Disks) Wipe(star string) {
	d.world.CountFault("disk.wipe", star)
	d.wiped[star]++
}

// Peek is a file without any call. Observers must not change it.
func (d *Disks) Peek(star, name string) ([]byte, bool) {
	data, ok := d.files[d.file(star, name)]
	return data, ok
}

func (d *Disks) file(star, name string) file { return file{star, d.wiped[star], name} }

// How long the disk takes.
const (
	loadTime = 100 * time.Microsecond
	saveTime = 4 * time.Millisecond
)

// view is one process's access.
type view struct {
	disks   *Disks
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
	data, ok := v.disks.Peek(v.process.Name(), name)
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
	p, d := v.process, v.disks
	fate := p.Effect("disk.save", name)
	own := append([]byte{}, data...)
	if err := p.Sleep(ctx, saveTime); err != nil {
		return err
	}
	apply := func() {
		d.files[d.file(p.Name(), name)] = own
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
