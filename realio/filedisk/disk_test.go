package filedisk_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/io/disk"
	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/realio/datadir"
	"github.com/novastream/nova/realio/filedisk"
	"github.com/novastream/nova/realio/runtime"
)

func open(t *testing.T, dir string) *filedisk.Disk {
	t.Helper()
	d, err := filedisk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestConformance(t *testing.T) {
	for _, c := range iotest.Disk() {
		t.Run(c.Name, func(t *testing.T) {
			dir := t.TempDir()
			d := open(t, dir)
			r := runtime.New(runtime.Config{})
			_ = r.Do(r.Context(), "case", func(ctx context.Context) {
				c.Run(iotest.DiskHarness{
					Harness: iotest.Harness{T: t, Ctx: ctx, Run: r},
					Disk:    r.Disk(d),
					Reopen: func() disk.Disk {
						_ = d.Close()
						d = open(t, dir)
						return r.Disk(d)
					},
				})
			})
			if err := errors.Join(r.Stop(time.Minute), d.Close()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSecondProcessIsRefused(t *testing.T) {
	dir := t.TempDir()
	d := open(t, dir)
	_, err := filedisk.Open(dir)
	var held *datadir.HeldError
	if !errors.As(err, &held) || !strings.Contains(err.Error(), fmt.Sprintf("%s is in use by process %d", dir, os.Getpid())) {
		t.Errorf("second open: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := open(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
}

func TestNewerDirectoryIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "nova.format"), []byte("star 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := filedisk.Open(dir)
	var newer *datadir.NewerError
	if !errors.As(err, &newer) || newer.Found != 2 || newer.Known != 1 {
		t.Errorf("open of a newer directory: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "identity")); err == nil {
		t.Error("a refused directory was changed")
	}
}
