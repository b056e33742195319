package embeddedmeta

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/datadir"
)

func must[V any](t *testing.T) func(V, error) V {
	return func(v V, err error) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestReopen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "meta")
	s := openTest(t, dir)
	spaces := s.Client().Spaces()
	durable := must[meta.Version](t)(spaces.Records.PutIndexed(t.Context(), "p/durable", []byte("v"), meta.Absent(), []meta.Index{{Name: "x", Key: "1"}}))
	name := must[meta.Version](t)(spaces.Naming.Put(t.Context(), "p/durable", []byte("n"), meta.Absent()))
	lent := must[meta.Version](t)(spaces.Ephemeral.Put(t.Context(), "p/lent", []byte("d"), meta.Absent()))
	must[meta.Version](t)(spaces.Ephemeral.PutEphemeral(t.Context(), "p/lent", []byte("e"), meta.At(lent)))
	last := must[meta.Version](t)(spaces.Ephemeral.PutEphemeral(t.Context(), "p/lease", []byte("e"), meta.Absent()))
	kept := must[meta.Version](t)(spaces.Ephemeral.PutEphemeral(t.Context(), "p/kept", []byte("e"), meta.Absent()))
	kept = must[meta.Version](t)(spaces.Ephemeral.Put(t.Context(), "p/kept", []byte("d"), meta.At(kept)))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = openTest(t, dir)
	spaces = s.Client().Spaces()
	if rec, err := spaces.Records.Get(t.Context(), "p/durable"); err != nil || rec.Version != durable || string(rec.Value) != "v" {
		t.Errorf("durable row: %+v, %v", rec, err)
	}
	if rec, err := spaces.Records.GetByIndex(t.Context(), "x", "1"); err != nil || rec.Version != durable {
		t.Errorf("durable row by index: %+v, %v", rec, err)
	}
	if rec, err := spaces.Naming.Get(t.Context(), "p/durable"); err != nil || rec.Version != name {
		t.Errorf("name: %+v, %v", rec, err)
	}
	if recs, err := spaces.Ephemeral.Scan(t.Context(), "p", "", 10); err != nil || len(recs) != 1 || recs[0].Version != kept {
		t.Errorf("after a restart the ephemeral space holds %+v, %v; want p/kept alone", recs, err)
	}
	if v := must[meta.Version](t)(spaces.Ephemeral.PutEphemeral(t.Context(), "p/lease", []byte("e"), meta.Absent())); v <= last {
		t.Errorf("version %d of the second life is not above %d of the first", v, last)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestOneProcess(t *testing.T) {
	dir := t.TempDir()
	s := openTest(t, dir)
	_, err := Open(dir, nil)
	var held *datadir.HeldError
	if !errors.As(err, &held) || !strings.Contains(err.Error(), fmt.Sprintf("process %d", os.Getpid())) {
		t.Errorf("second open: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := openTest(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
}

func TestNewerDirectoryIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "nova.format"), []byte("metastore 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Open(dir, nil)
	var newer *datadir.NewerError
	if !errors.As(err, &newer) || newer.Found != 2 {
		t.Errorf("open of a newer directory: %v", err)
	}
}

func TestAfterClose(t *testing.T) {
	s := must[*Store](t)(OpenMemory(nil))
	client := s.Client()
	records := client.Spaces().Records
	must[meta.Version](t)(records.Put(t.Context(), "p/k", nil, meta.Absent()))
	if err := client.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Spaces().Ephemeral.PutEphemeral(t.Context(), "p/k", nil, meta.Absent()); !errors.Is(err, meta.ErrUnavailable) {
		t.Errorf("ephemeral put of a closed client: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := records.Get(t.Context(), "p/k"); !errors.Is(err, meta.ErrUnavailable) {
		t.Errorf("get after close: %v", err)
	}
	if _, err := records.Put(t.Context(), "p/k", nil, meta.Any()); !errors.Is(err, meta.ErrUnavailable) {
		t.Errorf("put after close: %v", err)
	}
	if err := s.Close(); err == nil {
		t.Error("second close succeeded")
	}
}
