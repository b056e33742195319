package main_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/novastream/nova/client"
	"github.com/novastream/nova/cmd/nova/rig"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/history/record"
	"github.com/novastream/nova/io/peer"
)

// session is how long a star of these fleets may be silent before it counts as dead.
const session = 3 * time.Second

// member is one star of a fleet: a process that reaches everything, and is reached, by ways of its own.
type member struct {
	*server
	face  *ways // clients and other stars come by it
	addr  string
	meta  *ways // to every server of Oxia
	store *ways // to the S3 server, as the region's store
	zones *ways // to the S3 server, as the stores of the zones
	relay *rig.Relay
}

// newMember is a star that is not started yet.
func newMember(t *testing.T, w *world) *member {
	t.Helper()
	m := &member{face: &ways{t: t}, meta: &ways{t: t}, store: &ways{t: t}, zones: &ways{t: t}}
	m.relay = rig.NewRelay(m.meta.to)
	t.Cleanup(func() {
		if err := m.relay.Close(); err != nil {
			t.Error(err)
		}
	})
	relayed := func(servers []string) string {
		addrs := make([]string, len(servers))
		for i, server := range servers {
			var err error
			if addrs[i], err = m.relay.To(server); err != nil {
				t.Fatal(err)
			}
		}
		return strings.Join(addrs, ",")
	}
	args := []string{
		"--oxia", relayed(w.records), "--oxia-naming", relayed(w.naming), "--oxia-session-timeout", session.String(),
		"--exit-drain-budget", (3 * session).String(),
		"--objects", "s3://nova/region?endpoint=http://" + m.store.must(w.s3),
	}
	for i, of := range []string{"records", "work", "ephemeral", "naming"} {
		args = append(args, "--oxia-"+of+"-namespace", w.namespaces[i])
	}
	for _, zone := range zones {
		args = append(args, "--express", fmt.Sprintf("%s=s3://%s?endpoint=http://%s", zone, zone, m.zones.must(w.s3)))
	}
	m.server = newServer(t, args...)
	m.env = w.env
	m.addr = m.face.must(m.server.addr)
	m.args = append(m.args, "--advertise", m.addr)
	return m
}

// pause stops the process in its tracks.
func (m *member) pause() {
	m.t.Helper()
	m.signal(syscall.SIGSTOP)
	eventually(m.t, "the star at "+m.addr+" does not stand still", m.still)
}

// still says whether every thread of the process is stopped: the signal takes a moment to reach them, in which what comes may still
// be served. Where there is no /proc, they are taken to be.
func (m *member) still() bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", m.cmd.Process.Pid)) // the pattern is well-formed
	for _, path := range threads {
		stat, err := os.ReadFile(path)
		_, state, _ := strings.Cut(string(stat), ") ")
		if err == nil && !strings.HasPrefix(state, "T") {
			return false
		}
	}
	return true
}

// resume lets it go on, as if no time had passed.
func (m *member) resume() { m.signal(syscall.SIGCONT) }

func (m *member) signal(s syscall.Signal) {
	m.t.Helper()
	if err := m.cmd.Process.Signal(s); err != nil {
		m.t.Errorf("star at %s: %v: %v\n%s", m.addr, s, err, m.logged())
	}
}

// runs says whether the process has not ended.
func (m *member) runs() bool {
	select {
	case <-m.exited:
		return false
	default:
		return true
	}
}

// fleet is stars as processes on one Oxia and one S3 server.
type fleet struct {
	*testing.T
	world *world
	stars []*member
}

// newFleet starts n stars and the buckets that the tests use.
func newFleet(t *testing.T, n int) *fleet {
	t.Helper()
	f := &fleet{T: t, world: newWorld(t)}
	for range n {
		m := newMember(t, f.world)
		m.start()
		f.stars = append(f.stars, m)
	}
	s := f.stars[0]
	s.must("", "bucket", "create", "any", "--create-on-open")
	s.must("", "bucket", "create", "fenced", "--create-on-open", "--mode", "fenced")
	s.must("", "bucket", "create", "express", "--create-on-open", "--class", "express")
	return f
}

// addrs are where clients reach the stars.
func (f *fleet) addrs() (addrs []string) {
	for _, m := range f.stars {
		addrs = append(addrs, m.addr)
	}
	return addrs
}

// connect is a client that knows these stars, or all.
func (f *fleet) connect(addrs ...string) *client.Fleet {
	f.Helper()
	if len(addrs) == 0 {
		addrs = f.addrs()
	}
	c, err := client.Connect(client.Config{Addrs: addrs})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = c.Close() })
	return c
}

// leader is the star that leads a stream, and the others.
func (f *fleet) leader(stream peer.StreamName) (leader *member, others []*member) {
	f.Helper()
	ctx, cancel := context.WithTimeout(f.Context(), patience)
	defer cancel()
	info, err := f.connect().DescribeStream(ctx, stream)
	if err != nil {
		f.Fatal(err)
	}
	for _, m := range f.stars {
		if m.addr == info.LeaderAddr {
			leader = m
		} else {
			others = append(others, m)
		}
	}
	if leader == nil {
		f.Fatalf("nobody of the fleet leads %v: %+v", stream, info)
	}
	return leader, others
}

// mend heals every way, and starts what has ended.
func (f *fleet) mend() {
	f.Helper()
	for _, m := range f.stars {
		for _, w := range []*ways{m.face, m.meta, m.store, m.zones} {
			w.set(rig.Fault{})
		}
	}
	for _, m := range f.stars {
		if !m.runs() {
			m.start()
		}
	}
}

// serves waits until a client that knows one star alone is answered about the streams, for every star: the fleet has
// recovered. What it appends goes into the history.
func (f *fleet) serves(r *recorder, streams ...peer.StreamName) {
	f.Helper()
	var asking sync.WaitGroup
	for _, m := range f.stars {
		asking.Go(func() {
			began := time.Now()
			for _, stream := range streams {
				w := &worker{t: f.T, r: r, by: r.client(), stream: stream}
				if err := w.insists(f.Context(), m.addr); err != nil {
					f.Errorf("after %v an append to %v through the star at %s: %v", time.Since(began), stream, m.addr, err)
				}
			}
		})
	}
	asking.Wait()
}

// insists appends until an append is acknowledged.
func (w *worker) insists(ctx context.Context, addr string) (err error) {
	if w.fleet, err = client.Connect(client.Config{Addrs: []string{addr}}); err != nil {
		return err
	}
	defer w.fleet.Close()
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	for i := 0; ; i++ {
		call, cancel := context.WithTimeout(ctx, opTimeout)
		err = w.append(call, i)
		cancel()
		if err == nil || ctx.Err() != nil {
			break
		}
	}
	if w.session != nil {
		err = errors.Join(err, w.session.Close(ctx))
	}
	return err
}

// reader reads streams from their begin to their end, each time at another star, and follows redirects by itself.
type reader struct {
	*fleet
	r       *recorder
	by      *record.Client
	streams []peer.StreamName
}

func (x *reader) run(ctx context.Context) {
	c := x.connect()
	for turn := 0; ctx.Err() == nil; turn++ {
		stream := x.streams[turn%len(x.streams)]
		for from, more := uint64(0), true; more && ctx.Err() == nil; {
			from, more = x.page(c, x.stars[turn%len(x.stars)].addr, stream, from)
		}
	}
}

// page reads once, and says where to go on, and whether there is more.
func (x *reader) page(c *client.Fleet, addr string, stream peer.StreamName, from uint64) (next uint64, more bool) {
	ctx, cancel := context.WithTimeout(x.Context(), opTimeout)
	defer cancel()
	x.r.do(x.by, record.Read(stream, from, true), func() (history.Complete, error) {
		reply, err := fetch(ctx, c, addr, peer.FetchRequest{Stream: stream, From: from, Linearizable: true, MaxCount: 200})
		if err == nil {
			next, more = reply.Next, !reply.AtTail
		}
		return record.Got(reply), err
	})
	return next, more
}

// fetch asks one star, and then the one that it names.
func fetch(ctx context.Context, c *client.Fleet, addr string, q peer.FetchRequest) (reply peer.FetchReply, err error) {
	for range 3 {
		reply, err = c.Direct(addr).Fetch(ctx, q)
		var refused *peer.Error
		if !errors.As(err, &refused) || refused.Code != peer.NotOwner || refused.Addr == "" {
			return reply, err
		}
		addr = refused.Addr
	}
	return reply, err
}

// judge has the history checked and reads every stream through every star: they agree, and nothing acknowledged is lost.
func (f *fleet) judge(r *recorder) {
	f.Helper()
	judge(f.T, f.stars[0].server, r)
	for stream := range r.acked {
		bucket, key, _ := strings.Cut(stream, "/")
		name := peer.StreamName{Bucket: bucket, Key: key}
		want := text(readAll(f.T, f.connect(f.stars[0].addr), name))
		for _, m := range f.stars[1:] {
			if got := text(readAll(f.T, f.connect(m.addr), name)); got != want {
				f.Errorf("%v read through the star at %s: %d bytes that differ from the %d through another", name, m.addr, len(got), len(want))
			}
		}
	}
}

// port is what tells one star from another in a log.
func (m *member) port() string {
	_, port, err := net.SplitHostPort(m.addr)
	if err != nil {
		return m.addr
	}
	return port
}
