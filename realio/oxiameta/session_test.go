package oxiameta

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// putEphemerals puts a row into each of many localities, so that every shard has some.
func (w *world) putEphemerals() error {
	for i := range 12 {
		loc := fmt.Sprintf("streams/s%d", i)
		if _, err := w.client.Spaces().Ephemeral.Within(loc).PutEphemeral(w.ctx, loc+"/lease", nil, meta.Any()); err != nil {
			return err
		}
	}
	return nil
}

// ephemerals counts the rows that are left.
func (w *world) ephemerals() (count int) {
	w.Helper()
	for i := range 12 {
		loc := fmt.Sprintf("streams/s%d", i)
		_, err := w.client.Spaces().Ephemeral.Within(loc).Fresh().Get(w.ctx, loc+"/lease")
		switch {
		case err == nil:
			count++
		case !errors.Is(err, meta.ErrNotFound):
			w.Fatal(err)
		}
	}
	return count
}

// The session outlives its time-out, the moves of leaders and the splits of shards, without a word of its holder.
func TestSessionIsKept(t *testing.T) {
	w := newWorld(t, oxiatest.Config{Nodes: 2}, func(c *Config) { c.SessionTimeout = 2 * time.Second })
	if err := w.putEphemerals(); err != nil {
		t.Fatal(err)
	}
	if n := w.cluster.Sessions(w.client.Identity()); n != 3 {
		t.Errorf("%d sessions at 3 shards", n)
	}
	shards := w.cluster.Shards("ephemeral")
	w.cluster.MoveLeader(shards[0].ID, 1-shards[0].Leader)
	w.cluster.Split(shards[1].ID)
	began := time.Now()
	w.eventually("more than the time-out is over", func() bool { return time.Since(began) > 2500*time.Millisecond })
	if n := w.ephemerals(); n != 12 {
		t.Errorf("%d of 12 ephemeral rows are left", n)
	}
	if n := w.cluster.Sessions(w.client.Identity()); n != 4 {
		t.Errorf("%d sessions at 4 shards", n)
	}
	if err := w.putEphemerals(); err != nil {
		t.Errorf("put in the session that was kept: %v", err)
	}
	w.cluster.Split(w.cluster.Shards("ephemeral")[0].ID)
	if err := w.client.Close(w.ctx); err != nil {
		t.Fatal(err)
	}
	if n := w.cluster.Sessions(w.client.Identity()); n != 0 {
		t.Errorf("%d sessions are left after close", n)
	}
}

// The loss of one part is the loss of the session: the next put is told, once, wherever it goes; the one after begins anew.
// The rows at other shards go when their time is over.
func TestSessionIsLost(t *testing.T) {
	w := newWorld(t, oxiatest.Config{}, func(c *Config) { c.SessionTimeout = 2 * time.Second })
	if err := w.putEphemerals(); err != nil {
		t.Fatal(err)
	}
	lease := "streams/s0/lease"
	lost := w.cluster.ShardOf("ephemeral", "streams/s0")
	if n := w.cluster.ExpireSessionsOn(lost.ID, w.client.Identity()); n != 1 {
		t.Fatalf("%d sessions ended", n)
	}
	w.eventually("the keep-alive is told", func() bool { return !w.client.session.lives(0) })
	elsewhere := w.client.Spaces().Ephemeral
	for _, want := range []error{meta.ErrSessionExpired, nil, nil} {
		_, err := elsewhere.Within("streams/s1").PutEphemeral(w.ctx, "streams/s1/lease", []byte("again"), meta.Any())
		w.wants("put in another shard", err, want)
	}
	_, err := elsewhere.Within("streams/s0").PutEphemeral(w.ctx, lease, nil, meta.Absent())
	w.wants("put in the shard of the loss", err, nil)
	w.eventually("the rows of the old life are gone", func() bool { return w.ephemerals() == 2 })
}

// A put is the first to learn of the loss.
func TestPutFindsSessionLost(t *testing.T) {
	w := newWorld(t, oxiatest.Config{})
	eph := w.client.Spaces().Ephemeral
	v, err := eph.PutEphemeral(w.ctx, "p/k", nil, meta.Absent())
	w.wants("put", err, nil)
	w.cluster.ExpireSessions(w.client.Identity())
	_, err = eph.PutEphemeral(w.ctx, "p/k", nil, meta.At(v))
	w.wants("put at the version of a row that went with its session", err, meta.ErrConflict)
	_, err = eph.PutEphemeral(w.ctx, "p/k", nil, meta.Absent())
	w.wants("put after the session ended", err, meta.ErrSessionExpired)
	_, err = eph.PutEphemeral(w.ctx, "p/k", nil, meta.Absent())
	w.wants("put in a new session", err, nil)
	if n := w.cluster.Sessions(w.client.Identity()); n != 1 {
		t.Errorf("%d sessions for one row", n)
	}
}
