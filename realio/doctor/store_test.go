package doctor_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/realio/doctor"
	"github.com/novastream/nova/realio/fileblob"
)

// files is a good store.
func files(t *testing.T) blob.Store {
	t.Helper()
	s, err := fileblob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestAGoodStore(t *testing.T) {
	s := files(t)
	r := doctor.Store(t.Context(), s, tell(t))
	wantAll(t, r, doctor.Good, nil)
	if want := "fit for the standard class and a zone of the express class"; r.Verdict() != want || r.Failed() {
		t.Errorf("verdict %q, want %q", r.Verdict(), want)
	}
	if left, err := s.List(t.Context(), "", "", 10); err != nil || len(left) != 0 {
		t.Errorf("objects are left: %v, %v", left, err)
	}
}

// Each of these has one fault.
type (
	overwriting struct{ blob.Store } // creates over what is there
	lying       struct{ blob.Store } // refuses to, and does
	generous    struct{ blob.Store } // tells everybody that they created it
	whole       struct{ blob.Store } // knows no ranges
	late        struct{ blob.Store } // does not list at once
	unsorted    struct{ blob.Store } // lists in no order
	sticky      struct{ blob.Store } // keeps what is deleted
	skewed      struct{ blob.Store } // has a clock of its own
	far         struct{ blob.Store } // takes its time for a put
	readOnly    struct{ blob.Store } // takes none
)

func (s overwriting) PutIfAbsent(ctx context.Context, key string, data []byte) (blob.Outcome, error) {
	return blob.Created, s.Put(ctx, key, data)
}

func (s lying) PutIfAbsent(ctx context.Context, key string, data []byte) (blob.Outcome, error) {
	outcome, err := s.Store.PutIfAbsent(ctx, key, data)
	if outcome == blob.Exists && strings.HasSuffix(key, "/once") {
		err = s.Put(ctx, key, data)
	}
	return outcome, err
}

func (s generous) PutIfAbsent(ctx context.Context, key string, data []byte) (blob.Outcome, error) {
	outcome, err := s.Store.PutIfAbsent(ctx, key, data)
	if strings.Contains(key, "/race-") && outcome == blob.Exists {
		outcome = blob.Created
	}
	return outcome, err
}

func (s whole) Get(ctx context.Context, key string, _ blob.Range) ([]byte, error) {
	return s.Store.Get(ctx, key, blob.All())
}

func (s late) List(ctx context.Context, prefix, after string, limit int) ([]blob.Info, error) {
	if strings.HasSuffix(prefix, "/03") {
		return nil, nil
	}
	return s.Store.List(ctx, prefix, after, limit)
}

func (s unsorted) List(ctx context.Context, prefix, after string, limit int) ([]blob.Info, error) {
	infos, err := s.Store.List(ctx, prefix, after, limit)
	slices.Reverse(infos)
	return infos, err
}

func (s sticky) Delete(context.Context, ...string) error { return nil }

func (s skewed) Head(ctx context.Context, key string) (blob.Info, error) {
	info, err := s.Store.Head(ctx, key)
	info.Modified = info.Modified.Add(-20 * time.Minute)
	return info, err
}

func (s far) PutIfAbsent(ctx context.Context, key string, data []byte) (blob.Outcome, error) {
	if bytes.Count(data, []byte{0}) == 64<<10 { // only those that are timed
		timer := time.NewTimer(50 * time.Millisecond)
		defer timer.Stop()
		<-timer.C
	}
	return s.Store.PutIfAbsent(ctx, key, data)
}

func (readOnly) PutIfAbsent(context.Context, string, []byte) (blob.Outcome, error) {
	return blob.Unknown, errors.Join(blob.ErrUnavailable, errors.New("access denied"))
}

func TestBadStores(t *testing.T) {
	const unfit = "fit for nothing"
	for _, c := range []struct {
		name          string
		store         func(blob.Store) blob.Store
		bad           []string
		says, verdict string
	}{
		{"overwrites", func(s blob.Store) blob.Store { return overwriting{s} },
			[]string{"conditional put", "racing creators"}, "a second create of one object passes", unfit},
		{"refuses and overwrites", func(s blob.Store) blob.Store { return lying{s} },
			[]string{"conditional put"}, "replaces the object all the same", unfit},
		{"several winners", func(s blob.Store) blob.Store { return generous{s} },
			[]string{"racing creators"}, "32 of 32 racing creators", unfit},
		{"no ranges", func(s blob.Store) blob.Store { return whole{s} }, []string{"ranges"}, "that are not those", unfit},
		{"late listings", func(s blob.Store) blob.Store { return late{s} },
			[]string{"listing after write"}, "does not show an object that was created before", unfit},
		{"listings in no order", func(s blob.Store) blob.Store { return unsorted{s} },
			[]string{"listing after write"}, "not in the order of their keys", unfit},
		{"keeps what is deleted", func(s blob.Store) blob.Store { return sticky{s} }, []string{"delete"}, "is still there", unfit},
		{"read-only", func(s blob.Store) blob.Store { return readOnly{s} },
			[]string{"conditional put", "racing creators", "ranges", "listing after write", "delete", "clock", "speed of puts"},
			"access denied", unfit},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := doctor.Store(t.Context(), c.store(files(t)), tell(t))
			want := map[string]doctor.Result{}
			for _, check := range c.bad {
				want[check] = doctor.Bad
			}
			wantAll(t, r, doctor.Good, want)
			wantWords(t, r, c.says, c.verdict)
		})
	}
}

// Faults that leave a store fit for something.
func TestStoresToKnowOf(t *testing.T) {
	r := doctor.Store(t.Context(), far{files(t)}, tell(t))
	wantAll(t, r, doctor.Good, map[string]doctor.Result{"speed of puts": doctor.Warning})
	wantWords(t, r, "too slow for the express class", "fit for the standard class; not for a zone of the express class (speed of puts)")
	r = doctor.Store(t.Context(), skewed{files(t)}, tell(t))
	wantAll(t, r, doctor.Good, map[string]doctor.Result{"clock": doctor.Warning})
	wantWords(t, r, "20m0s apart: signed requests are refused", "fit for the standard class and a zone of the express class")
}

func wantWords(t *testing.T, r doctor.Report, says, verdict string) {
	t.Helper()
	if !slices.ContainsFunc(r.Findings, func(f doctor.Finding) bool { return strings.Contains(f.Says, says) }) {
		t.Errorf("nothing says %q", says)
	}
	if !strings.Contains(r.Verdict(), verdict) {
		t.Errorf("the verdict is %q, without %q", r.Verdict(), verdict)
	}
}
