package iotest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/novastream/nova/io/blob"
)

// Case is the case that runs the script on a store and compares every answer with the model's.
func (s BlobScript) Case() Case[BlobHarness] {
	return Case[BlobHarness]{"parity", func(h BlobHarness) {
		p := &blobParity{BlobHarness: h, objects: map[string][]byte{}}
		for i, op := range s {
			p.what = fmt.Sprintf("step %d, %s", i, op)
			p.step(op, pattern(op.size, byte(i)))
		}
		for _, key := range slices.Sorted(maps.Keys(p.objects)) {
			h.wantObject(key, p.objects[key])
		}
	}}
}

type blobParity struct {
	BlobHarness
	objects map[string][]byte
	what    string
}

func (p *blobParity) step(o blobOp, data []byte) {
	if o.bad() {
		p.refused(o, data)
		return
	}
	switch o.name {
	case "create":
		p.create(o.keys[0], data)
	case "put":
		p.must(p.Store.Put(p.Ctx, o.keys[0], data), "%s", p.what)
		p.objects[o.keys[0]] = data
	case "get":
		p.get(o)
	case "head":
		p.head(o.keys[0])
	case "list":
		p.list(o)
	default:
		p.must(p.Store.Delete(p.Ctx, o.keys...), "%s", p.what)
		for _, key := range o.keys {
			delete(p.objects, key)
		}
	}
}

// refused wants that an operation with a bad key is told so, and takes no effect on the good ones.
func (p *blobParity) refused(o blobOp, data []byte) {
	var err error
	switch o.name {
	case "create":
		var outcome blob.Outcome
		if outcome, err = p.Store.PutIfAbsent(p.Ctx, o.keys[0], data); outcome != blob.Unknown {
			p.fatalf("%s: %v, want %v", p.what, outcome, blob.Unknown)
		}
	case "put":
		err = p.Store.Put(p.Ctx, o.keys[0], data)
	case "get":
		_, err = p.Store.Get(p.Ctx, o.keys[0], o.rng.of())
	case "head":
		_, err = p.Store.Head(p.Ctx, o.keys[0])
	default:
		err = p.Store.Delete(p.Ctx, o.keys...)
	}
	p.wants(err, p.what, blob.ErrInvalid)
}

func (p *blobParity) create(key string, data []byte) {
	want := blob.Created
	if _, there := p.objects[key]; there {
		want = blob.Exists
	} else {
		p.objects[key] = data
	}
	if outcome, err := p.Store.PutIfAbsent(p.Ctx, key, data); outcome != want || err != nil {
		p.fatalf("%s: %v, %v, want %v", p.what, outcome, err, want)
	}
}

func (p *blobParity) get(o blobOp) {
	got, err := p.Store.Get(p.Ctx, o.keys[0], o.rng.of())
	data, there := p.objects[o.keys[0]]
	if !there {
		p.wants(err, p.what, blob.ErrNotFound)
		return
	}
	offset, length, past := o.rng.of().Within(int64(len(data)))
	if past != nil {
		p.wants(err, p.what, blob.ErrRange)
		return
	}
	p.must(err, "%s", p.what)
	if want := data[offset : offset+length]; !bytes.Equal(got, want) {
		p.fatalf("%s: %d bytes %.20x, want %d bytes %.20x", p.what, len(got), got, len(want), want)
	}
}

func (p *blobParity) head(key string) {
	info, err := p.Store.Head(p.Ctx, key)
	if _, there := p.objects[key]; !there {
		p.wants(err, p.what, blob.ErrNotFound)
		return
	}
	p.must(err, "%s", p.what)
	p.described(info, key)
}

func (p *blobParity) list(o blobOp) {
	infos, err := p.Store.List(p.Ctx, o.keys[0], o.after, o.limit)
	p.must(err, "%s", p.what)
	var want []string
	for _, key := range slices.Sorted(maps.Keys(p.objects)) {
		if o.matches(key) && len(want) < o.limit {
			want = append(want, key)
		}
	}
	if len(infos) != len(want) {
		p.fatalf("%s: %d objects %v, want %q", p.what, len(infos), infos, want)
	}
	for i, info := range infos {
		p.described(info, want[i])
	}
}

// described wants that an info is that of the object of a key.
func (p *blobParity) described(info blob.Info, key string) {
	p.T.Helper()
	if info.Key != key || info.SizeBytes != int64(len(p.objects[key])) || info.Modified.IsZero() {
		p.fatalf("%s: %+v, want %q of %d bytes", p.what, info, key, len(p.objects[key]))
	}
}
