package runtime

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/disk"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
)

// inner stands behind a wrapper. Every waiting call of it looks whether the baton is free.
type inner struct {
	r     *Runtime
	calls int
	held  int
}

func (i *inner) look() {
	i.calls++
	if i.r.baton.mu.TryLock() {
		i.r.baton.mu.Unlock()
	} else {
		i.held++
	}
}

type innerMeta struct{ *inner }

func (i innerMeta) Within(string) meta.Metastore { return i }
func (i innerMeta) Fresh() meta.Metastore        { return i }
func (i innerMeta) Get(context.Context, string) (r meta.Record, err error) {
	i.look()
	return
}

func (i innerMeta) Put(context.Context, string, []byte, meta.Expect) (v meta.Version, err error) {
	i.look()
	return
}

func (i innerMeta) PutIndexed(context.Context, string, []byte, meta.Expect, []meta.Index) (v meta.Version, err error) {
	i.look()
	return
}

func (i innerMeta) PutEphemeral(context.Context, string, []byte, meta.Expect) (v meta.Version, err error) {
	i.look()
	return
}
func (i innerMeta) Delete(context.Context, string, meta.Expect) error { i.look(); return nil }
func (i innerMeta) FloorGet(context.Context, string, string) (r meta.Record, err error) {
	i.look()
	return
}

func (i innerMeta) Scan(context.Context, string, string, int) (r []meta.Record, err error) {
	i.look()
	return
}
func (i innerMeta) DeleteChildren(context.Context, string) error              { i.look(); return nil }
func (i innerMeta) DeleteRange(context.Context, string, string, string) error { i.look(); return nil }
func (i innerMeta) FloorIndex(context.Context, string, string, string) (r meta.IndexHit, err error) {
	i.look()
	return
}

func (i innerMeta) ScanIndex(context.Context, string, string, string, int) (r []meta.IndexHit, err error) {
	i.look()
	return
}

func (i innerMeta) GetByIndex(context.Context, string, string) (r meta.Record, err error) {
	i.look()
	return
}

type innerNaming struct{ innerMeta }

func (i innerNaming) Fresh() meta.Naming { return i }
func (i innerNaming) List(context.Context, string, string, int) (r []meta.Record, err error) {
	i.look()
	return
}

type innerStore struct{ *inner }

func (i innerStore) PutIfAbsent(context.Context, string, []byte) (o blob.Outcome, err error) {
	i.look()
	return
}
func (i innerStore) Put(context.Context, string, []byte) error { i.look(); return nil }
func (i innerStore) Get(context.Context, string, blob.Range) (b []byte, err error) {
	i.look()
	return
}
func (i innerStore) Head(context.Context, string) (b blob.Info, err error) { i.look(); return }
func (i innerStore) List(context.Context, string, string, int) (b []blob.Info, err error) {
	i.look()
	return
}
func (i innerStore) Delete(context.Context, ...string) error { i.look(); return nil }

type innerDisk struct{ *inner }

func (i innerDisk) Load(context.Context, string) (b []byte, err error) { i.look(); return }
func (i innerDisk) Save(context.Context, string, []byte) error         { i.look(); return nil }

type innerStar struct{ *inner }

func (i innerStar) Dial(string) peer.Star { return i }
func (i innerStar) OpenSession(context.Context, peer.OpenRequest) (peer.Session, error) {
	i.look()
	return innerSession(i), nil
}

func (i innerStar) Fetch(context.Context, peer.FetchRequest) (r peer.FetchReply, err error) {
	i.look()
	return
}

func (i innerStar) Tail(context.Context, peer.StreamName) (r peer.TailReply, err error) {
	i.look()
	return
}

func (i innerStar) CreateBucket(context.Context, peer.Bucket) (r peer.Bucket, err error) {
	i.look()
	return
}

func (i innerStar) DescribeBucket(context.Context, string) (r peer.Bucket, err error) {
	i.look()
	return
}

func (i innerStar) ListBuckets(context.Context, peer.Page) (r []peer.Bucket, err error) {
	i.look()
	return
}

func (i innerStar) CreateStream(context.Context, peer.CreateStreamRequest) (r peer.Stream, err error) {
	i.look()
	return
}

func (i innerStar) DescribeStream(context.Context, peer.StreamName) (r peer.StreamInfo, err error) {
	i.look()
	return
}

func (i innerStar) ListStreams(context.Context, string, peer.Page) (r []peer.Stream, err error) {
	i.look()
	return
}
func (i innerStar) DeleteStream(context.Context, peer.StreamName) error { i.look(); return nil }
func (i innerStar) Certify(context.Context, peer.CertifyRequest) (r peer.CertifyReply, err error) {
	i.look()
	return
}
func (i innerStar) Health(context.Context) (r peer.Health, err error)     { i.look(); return }
func (i innerStar) Fleet(context.Context) (r []peer.FleetStar, err error) { i.look(); return }

type innerSession struct{ *inner }

func (i innerSession) Opened() peer.Opened                          { return peer.Opened{Star: "inner"} }
func (i innerSession) Send(context.Context, peer.Batch) error       { i.look(); return nil }
func (i innerSession) Recv(context.Context) (a peer.Ack, err error) { i.look(); return }
func (i innerSession) Close(context.Context) error                  { i.look(); return nil }

// callAll calls every method of an interface that takes a context, and gives their number.
func callAll[I any](t *testing.T, wrapped I) (calls int) {
	t.Helper()
	contract, v := reflect.TypeFor[I](), reflect.ValueOf(wrapped)
	for m := range contract.NumMethod() {
		method := v.MethodByName(contract.Method(m).Name)
		if method.Type().NumIn() == 0 || method.Type().In(0) != reflect.TypeFor[context.Context]() {
			continue
		}
		args, fixed := []reflect.Value{reflect.ValueOf(t.Context())}, method.Type().NumIn()
		if method.Type().IsVariadic() {
			fixed--
		}
		for a := 1; a < fixed; a++ {
			args = append(args, reflect.Zero(method.Type().In(a)))
		}
		method.Call(args)
		calls++
	}
	return calls
}

func TestWrappersReleaseTheBaton(t *testing.T) {
	r := New(Config{})
	in := &inner{r: r}
	want := 0
	err := r.Do(t.Context(), "caller", func(ctx context.Context) {
		spaces := r.Spaces(meta.Spaces{Records: innerMeta{in}, Work: innerMeta{in}, Ephemeral: innerMeta{in}, Naming: innerNaming{innerMeta{in}}})
		for _, m := range []meta.Metastore{spaces.Records, spaces.Work.Within("l"), spaces.Ephemeral.Fresh(), spaces.Records.Within("l").Fresh()} {
			want += callAll(t, m)
		}
		want += callAll(t, spaces.Naming) + callAll(t, spaces.Naming.Fresh())
		want += callAll[blob.Store](t, r.Blob(innerStore{in}))
		want += callAll[disk.Disk](t, r.Disk(innerDisk{in}))
		s := r.Network(innerStar{in}).Dial("addr")
		want += callAll(t, s)
		opened, err := s.OpenSession(ctx, peer.OpenRequest{})
		if err != nil || opened.Opened().Star != "inner" {
			t.Errorf("open session: %v", err)
		}
		want += 1 + callAll(t, opened)
		if r.baton.mu.TryLock() {
			t.Error("a wrapper did not take the baton again")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if in.calls != want || in.held != 0 {
		t.Errorf("%d calls reached the bindings of %d; %d came with the baton held", in.calls, want, in.held)
	}
}

func TestServeEntersWithTheBaton(t *testing.T) {
	r := New(Config{})
	in := &inner{r: r}
	s := r.Serve(innerStar{in})
	want := callAll(t, s)
	opened, err := s.OpenSession(t.Context(), peer.OpenRequest{})
	if err != nil || opened.Opened().Star != "inner" {
		t.Fatalf("open session: %v", err)
	}
	want += 1 + callAll(t, opened)
	if in.calls != want || in.held != want {
		t.Errorf("%d calls reached the star of %d; %d came with the baton held", in.calls, want, in.held)
	}
	if err := r.Stop(time.Minute); err != nil {
		t.Fatal(err)
	}
	_, err = s.Health(t.Context())
	if !peer.Is(err, peer.Unavailable) || !errors.Is(err, ErrStopped) {
		t.Errorf("call of a stopped star: %v", err)
	}
	if err := opened.Send(t.Context(), peer.Batch{}); !peer.Is(err, peer.Unavailable) {
		t.Errorf("send to a stopped star: %v", err)
	}
}

// The core may dial its own star: the call leaves by one wrapper and enters by the other.
func TestStarMayCallItself(t *testing.T) {
	r := New(Config{})
	in := &inner{r: r}
	err := r.Do(t.Context(), "caller", func(ctx context.Context) {
		if _, err := r.Star(r.Serve(innerStar{in})).Health(ctx); err != nil {
			t.Error(err)
		}
	})
	if err != nil || in.calls != 1 || in.held != 1 {
		t.Errorf("%v; %d calls, %d with the baton held", err, in.calls, in.held)
	}
}
