package iotest

import (
	"bytes"
	"context"
	"fmt"

	"github.com/novastream/nova/io/disk"
)

// DiskHarness is what a case of a disk is given.
type DiskHarness struct {
	Harness
	Disk disk.Disk // empty
	// Reopen ends the process that holds the disk and opens it for the next.
	Reopen func() disk.Disk
}

// Disk is the suite of package disk.
func Disk() []Case[DiskHarness] {
	return []Case[DiskHarness]{
		{"save and load", caseDiskSaveLoad},
		{"saved is durable", caseDiskReopen},
		{"bytes are not shared", caseDiskOwnership},
		{"savers at once", caseDiskRace},
		{"bad names", caseDiskBadNames},
	}
}

func (h DiskHarness) wantFile(d disk.Disk, name string, data []byte) {
	h.T.Helper()
	got, err := d.Load(h.Ctx, name)
	h.must(err, "load %q", name)
	if !bytes.Equal(got, data) {
		h.fatalf("load %q: got %.40q, want %.40q", name, got, data)
	}
}

func caseDiskSaveLoad(h DiskHarness) {
	_, err := h.Disk.Load(h.Ctx, "identity")
	h.wants(err, "load of nothing", disk.ErrNotFound)
	for i, data := range [][]byte{[]byte("one"), pattern(60_000, 1), []byte("2"), {}} {
		h.must(h.Disk.Save(h.Ctx, "identity", data), "save %d", i)
		h.wantFile(h.Disk, "identity", data)
	}
	h.must(h.Disk.Save(h.Ctx, "identity-next", []byte("other")), "save another")
	h.must(h.Disk.Save(h.Ctx, "i", []byte("third")), "save a third")
	h.wantFile(h.Disk, "identity", nil)
	h.wantFile(h.Disk, "identity-next", []byte("other"))
	h.wantFile(h.Disk, "i", []byte("third"))
}

func caseDiskReopen(h DiskHarness) {
	h.must(h.Disk.Save(h.Ctx, "identity", []byte("one")), "save")
	h.must(h.Disk.Save(h.Ctx, "boot", []byte("1")), "save")
	h.must(h.Disk.Save(h.Ctx, "boot", []byte("2")), "save")
	d := h.Reopen()
	h.wantFile(d, "identity", []byte("one"))
	h.wantFile(d, "boot", []byte("2"))
	_, err := d.Load(h.Ctx, "other")
	h.wants(err, "load of nothing", disk.ErrNotFound)
}

func caseDiskOwnership(h DiskHarness) {
	data := []byte("given")
	h.must(h.Disk.Save(h.Ctx, "identity", data), "save")
	copy(data, "taken")
	h.wantFile(h.Disk, "identity", []byte("given"))
	got, err := h.Disk.Load(h.Ctx, "identity")
	h.must(err, "load")
	copy(got, "XXXXX")
	h.wantFile(h.Disk, "identity", []byte("given"))
}

func caseDiskRace(h DiskHarness) {
	h.together(8, func(ctx context.Context, i int) {
		for range 3 {
			h.must(h.Disk.Save(ctx, "identity", pattern(5000, byte(i))), "save")
			got, err := h.Disk.Load(ctx, "identity")
			h.must(err, "load")
			if len(got) != 5000 || got[0] >= 8 || !bytes.Equal(got, pattern(5000, got[0])) {
				h.fatalf("load gave %d bytes that nobody saved", len(got))
			}
		}
	})
}

func caseDiskBadNames(h DiskHarness) {
	for _, name := range []string{"", ".", "..", "a/b", "../a", "/a", "A", "a1", "a.b", "a_b", "a b", "a\x00", "é"} {
		what := fmt.Sprintf("name %q", name)
		if err := h.Disk.Save(h.Ctx, name, []byte("x")); err == nil {
			h.fatalf("save under %s succeeded", what)
		}
		if _, err := h.Disk.Load(h.Ctx, name); err == nil {
			h.fatalf("load of %s succeeded", what)
		}
	}
}
