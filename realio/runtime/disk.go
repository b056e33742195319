package runtime

import (
	"context"

	"github.com/novastream/nova/io/disk"
)

// Disk wraps a disk so that its calls release the baton.
func (r *Runtime) Disk(d disk.Disk) disk.Disk { return files{&r.baton, d} }

type files struct {
	baton *baton
	next  disk.Disk
}

func (f files) Load(ctx context.Context, name string) ([]byte, error) {
	f.baton.leave()
	defer f.baton.enter()
	return f.next.Load(ctx, name)
}

func (f files) Save(ctx context.Context, name string, data []byte) error {
	f.baton.leave()
	defer f.baton.enter()
	return f.next.Save(ctx, name, data)
}
