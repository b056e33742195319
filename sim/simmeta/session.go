package simmeta

import (
	"fmt"
	"time"
)

// session is what binds ephemeral rows to the life of a client. Its keep-alives are events, not tasks: a process that is
// dead, paused or cut off sends none.
type session struct {
	client   *client
	id       uint64
	began    bool // the service knows it
	ended    bool
	deadline time.Duration
}

// stages of a session
const (
	keepAlive uint32 = iota // the client sends one
	extend                  // it arrives
	judge                   // the service looks whether the time is up
)

// open is the session of a client at the moment of a put: the one it has, or a new one.
func (c *client) open() *session {
	if c.session == nil {
		c.session = &session{client: c}
	}
	return c.session
}

// begin makes the session known at the service, at the arrival of its first put. It says whether the session is alive.
func (s *session) begin() bool {
	if s.began {
		return !s.ended
	}
	st := s.client.store
	s.began = true
	s.id = st.rng.Uint64()
	s.deadline = st.world.Now() + st.cfg.SessionTimeOut
	st.sessions = append(st.sessions, s)
	st.world.AfterEvent(st.cfg.SessionTimeOut/3, s, keepAlive)
	st.world.AfterEvent(st.cfg.SessionTimeOut, s, judge)
	return true
}

// Fire takes the session to its next stage.
func (s *session) Fire(stage uint32) {
	st := s.client.store
	w := st.world
	if s.ended {
		return
	}
	switch stage {
	case keepAlive:
		p := s.client.process
		if !p.Alive() {
			return
		}
		if !p.Paused() {
			if delay, arrives := st.net.Send(p.Name(), Endpoint); arrives {
				w.AfterEvent(delay, s, extend)
			}
		}
		w.AfterEvent(st.cfg.SessionTimeOut/3, s, keepAlive)
	case extend:
		if !st.spaces[Ephemeral].shards[0].down {
			s.deadline = w.Now() + st.cfg.SessionTimeOut
		}
	case judge:
		if left := s.deadline - w.Now(); left > 0 {
			w.AfterEvent(left, s, judge)
			return
		}
		st.end(s, "time-out")
	}
}

// end ends a session and removes its rows.
func (st *Store) end(s *session, why string) {
	s.ended = true
	for i, o := range st.sessions {
		if o == s {
			st.sessions = append(st.sessions[:i], st.sessions[i+1:]...)
			break
		}
	}
	name := s.client.process.Name()
	st.world.FoldString(name)
	st.world.Emit(name, "meta.session-end", "why", why)
	if outlives, by := st.world.HitBy("meta.outlive", name, st.faults.Outlive, st.rng, st.faults.OutliveUpto); outlives {
		st.world.After(by, func() { st.sweep(s) })
		return
	}
	st.sweep(s)
}

// sweep removes the rows of an ended session.
func (st *Store) sweep(s *session) {
	for _, sh := range st.spaces[Ephemeral].shards {
		var gone []rowKey
		for at, r := range sh.rows.Ascend(minRow, maxRow) {
			if r.session == s {
				gone = append(gone, at)
			}
		}
		for _, at := range gone {
			st.remove(sh, at, "session")
		}
	}
}

// Sessions tells which sessions are alive, in order of birth: the names of their processes.
func (st *Store) Sessions() []string {
	var names []string
	for _, s := range st.sessions {
		names = append(names, fmt.Sprintf("%s/%d", s.client.process.Name(), s.client.process.Boot()))
	}
	return names
}
