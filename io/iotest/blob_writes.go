package iotest

import (
	"context"
	"fmt"

	"github.com/novastream/nova/io/blob"
)

func blobWriteCases() []Case[BlobHarness] {
	return []Case[BlobHarness]{
		{"write/create once", caseBlobCreate},
		{"write/put replaces", caseBlobPut},
		{"write/data is not kept", caseBlobOwnership},
		{"write/one creator of 32", caseBlobRace},
		{"write/creators of many keys", caseBlobParallel},
		{"write/whole or not at all", caseBlobWhole},
		{"write/delete", caseBlobDelete},
		{"write/create after delete", caseBlobRecreate},
		{"write/ended contexts", caseBlobContexts},
	}
}

func caseBlobCreate(h BlobHarness) {
	h.wantNone("a/b")
	h.create("a/b", []byte("first"))
	h.wantObject("a/b", []byte("first"))
	for _, second := range []string{"second", "first", ""} {
		outcome, err := h.Store.PutIfAbsent(h.Ctx, "a/b", []byte(second))
		if outcome != blob.Exists || err != nil {
			h.fatalf("create over an object: %v, %v, want %v", outcome, err, blob.Exists)
		}
	}
	h.wantObject("a/b", []byte("first"))
	h.create("empty", nil)
	h.wantObject("empty", nil)
	if outcome, err := h.Store.PutIfAbsent(h.Ctx, "empty", []byte("x")); outcome != blob.Exists || err != nil {
		h.fatalf("create over an empty object: %v, %v, want %v", outcome, err, blob.Exists)
	}
}

func caseBlobPut(h BlobHarness) {
	h.must(h.Store.Put(h.Ctx, "k", []byte("one")), "put")
	h.wantObject("k", []byte("one"))
	h.must(h.Store.Put(h.Ctx, "k", pattern(70_000, 2)), "put larger")
	h.wantObject("k", pattern(70_000, 2))
	h.must(h.Store.Put(h.Ctx, "k", []byte("3")), "put smaller")
	h.wantObject("k", []byte("3"))
	if outcome, err := h.Store.PutIfAbsent(h.Ctx, "k", []byte("x")); outcome != blob.Exists || err != nil {
		h.fatalf("create over what was put: %v, %v, want %v", outcome, err, blob.Exists)
	}
	h.create("c", []byte("created"))
	h.must(h.Store.Put(h.Ctx, "c", []byte("replaced")), "put over what was created")
	h.wantObject("c", []byte("replaced"))
}

func caseBlobOwnership(h BlobHarness) {
	data := []byte("given")
	h.create("created", data)
	h.must(h.Store.Put(h.Ctx, "put", data), "put")
	copy(data, "taken")
	h.wantObject("created", []byte("given"))
	h.wantObject("put", []byte("given"))
}

func caseBlobRace(h BlobHarness) {
	for round := range 8 {
		key := fmt.Sprintf("race/%d", round)
		created, winner := 0, -1
		h.together(racers, func(ctx context.Context, i int) {
			outcome, err := h.Store.PutIfAbsent(ctx, key, pattern(1000+i, byte(i)))
			switch {
			case err != nil || outcome == blob.Unknown:
				h.fatalf("racer %d: %v, %v", i, outcome, err)
			case outcome == blob.Created:
				created++
				winner = i
			}
			if _, err := h.Store.Head(ctx, key); err != nil {
				h.fatalf("racer %d got %v, but there is no object: %v", i, outcome, err)
			}
		})
		if created != 1 {
			h.fatalf("%d of %d racers created %s", created, racers, key)
		}
		h.wantObject(key, pattern(1000+winner, byte(winner)))
	}
}

func caseBlobParallel(h BlobHarness) {
	const tasks, each = 8, 10
	h.together(tasks, func(ctx context.Context, i int) {
		for j := range each {
			key := fmt.Sprintf("dir%d/%d/%03d", j%3, j%2, i*each+j)
			if outcome, err := h.Store.PutIfAbsent(ctx, key, []byte(key)); outcome != blob.Created || err != nil {
				h.fatalf("create %q: %v, %v", key, outcome, err)
			}
		}
	})
	infos, err := h.Store.List(h.Ctx, "", "", 1000)
	h.must(err, "list")
	if len(infos) != tasks*each {
		h.fatalf("%d objects listed of %d created", len(infos), tasks*each)
	}
	for _, info := range infos {
		h.wantObject(info.Key, []byte(info.Key))
	}
}

// Readers that watch an object come and be replaced see one of its values, whole.
func caseBlobWhole(h BlobHarness) {
	const size, values = 300_000, 12
	h.together(4, func(ctx context.Context, task int) {
		if task == 0 {
			for v := range values {
				h.must(h.Store.Put(ctx, "k", pattern(size, byte(v))), "put")
			}
			return
		}
		for seen := -1; seen < values-1; {
			data, err := h.Store.Get(ctx, "k", blob.All())
			if err != nil {
				h.wants(err, "get", blob.ErrNotFound)
				continue
			}
			v := int(data[0])
			if len(data) != size || v >= values || string(data) != string(pattern(size, byte(v))) {
				h.fatalf("a reader saw %d bytes that no put wrote", len(data))
			}
			if v < seen {
				h.fatalf("a reader saw value %d after value %d", v, seen)
			}
			seen = v
		}
	})
}

func caseBlobDelete(h BlobHarness) {
	keys := h.able([]string{"a", "a/b", "a/c", "a-d", "b/x/y"})
	for _, key := range keys {
		h.create(key, []byte(key))
	}
	h.must(h.Store.Delete(h.Ctx, "a/b", "never/was", "a-d", "b/x/y"), "delete three of four")
	h.wantNone("a/b")
	h.wantNone("a-d")
	h.wantNone("b/x/y")
	if !h.FileNames {
		h.wantObject("a", []byte("a"))
	}
	h.wantObject("a/c", []byte("a/c"))
	h.must(h.Store.Delete(h.Ctx, "a/b"), "delete again")
	h.must(h.Store.Delete(h.Ctx), "delete nothing")
	many := make([]string, 0, 1200)
	for i := range cap(many) {
		many = append(many, fmt.Sprintf("m/%d/%d", i%7, i))
		if i%100 == 0 {
			h.create(many[i], nil)
		}
	}
	h.must(h.Store.Delete(h.Ctx, many...), "delete many")
	infos, err := h.Store.List(h.Ctx, "m/", "", 10)
	h.must(err, "list")
	if len(infos) != 0 {
		h.fatalf("%q is left after the delete of all", infos[0].Key)
	}
}

func caseBlobRecreate(h BlobHarness) {
	for i := range 5 {
		h.create("k/k", pattern(100, byte(i)))
		h.wantObject("k/k", pattern(100, byte(i)))
		h.must(h.Store.Delete(h.Ctx, "k/k"), "delete")
		h.wantNone("k/k")
	}
}

func caseBlobContexts(h BlobHarness) {
	h.create("k", []byte("k"))
	ctx, cancel := h.Run.WithCancel(h.Ctx)
	cancel()
	_, err := h.Store.Get(ctx, "k", blob.All())
	h.wants(err, "get in an ended context", context.Canceled)
	_, err = h.Store.List(ctx, "", "", 10)
	h.wants(err, "list in an ended context", context.Canceled)
	outcome, err := h.Store.PutIfAbsent(ctx, "new", []byte("x"))
	if outcome != blob.Unknown || err == nil {
		h.fatalf("create in an ended context: %v, %v, want %v and why", outcome, err, blob.Unknown)
	}
	h.wants(h.Store.Put(ctx, "k", []byte("x")), "put in an ended context", blob.ErrUnknown, blob.ErrUnavailable)
}
