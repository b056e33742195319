package fileblob

import (
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/novastream/nova/io/blob"
)

// halted is an operating system that stands still before it syncs a directory of objects.
type halted struct {
	files
	arrived chan struct{} // somebody stands there
	proceed chan struct{}
	syncs   int
}

func (h *halted) syncDir(dir string) error {
	if filepath.Base(dir) == "objects" {
		h.syncs++
		h.arrived <- struct{}{}
		<-h.proceed
	}
	return h.files.syncDir(dir)
}

// An object that has its name but is not on disk yet is not shown: a reader waits for the sync, or makes it.
func TestNothingUnsyncedIsShown(t *testing.T) {
	root := t.TempDir()
	h := &halted{files: newOSFiles(), arrived: make(chan struct{}), proceed: make(chan struct{})}
	writer := openTest(t, root, h)
	other := &faulty{files: newOSFiles(), failAt: "sync objects", err: errors.New("the reader synced")}
	reader := openTest(t, root, other) // of another process: it cannot know what the writer has synced

	done := make(chan error, 1)
	go func() {
		_, err := writer.PutIfAbsent(t.Context(), "objects/k", []byte("v"))
		done <- err
	}()
	<-h.arrived
	for name, read := range map[string]func() error{
		"get":  func() error { _, err := reader.Get(t.Context(), "objects/k", blob.All()); return err },
		"head": func() error { _, err := reader.Head(t.Context(), "objects/k"); return err },
		"list": func() error { _, err := reader.List(t.Context(), "", "", 1); return err },
		"create": func() error {
			_, err := reader.PutIfAbsent(t.Context(), "objects/k", nil)
			return err
		},
	} {
		if err := read(); !errors.Is(err, other.err) {
			t.Errorf("%s of another process shows what is not on disk: %v", name, err)
		}
	}
	h.proceed <- struct{}{}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := writer.Get(t.Context(), "objects/k", blob.All()); err != nil || h.syncs != 1 {
		t.Errorf("the writer reads what it synced itself: %v after %d syncs", err, h.syncs)
	}
	other.failAt = ""
	if _, err := reader.Get(t.Context(), "objects/k", blob.All()); err != nil {
		t.Error(err)
	}
	other.failAt = "sync objects"
	for range 3 {
		if _, err := reader.Get(t.Context(), "objects/k", blob.All()); err != nil {
			t.Errorf("an object is synced once by a reader: %v", err)
		}
	}
}

// Creators that come while a sync runs share the next one.
func TestSyncsAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const creators = 20
		h := &halted{files: newOSFiles(), arrived: make(chan struct{}), proceed: make(chan struct{})}
		var d dirs
		d.init(h)
		dir := filepath.Join(t.TempDir(), "objects")
		if err := h.mkdir(dir); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, creators)
		for range creators {
			go func() { done <- d.sync(dir) }()
		}
		<-h.arrived
		synctest.Wait() // all others stand behind the first
		h.proceed <- struct{}{}
		<-h.arrived
		h.proceed <- struct{}{}
		for range creators {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if h.syncs != 2 || len(d.syncing) != 0 {
			t.Errorf("%d creators made %d syncs, %d are still noted", creators, h.syncs, len(d.syncing))
		}
	})
}
