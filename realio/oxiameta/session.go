package oxiameta

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// session is the client's one session. The servers know it as one session for each shard that holds rows of it, its parts,
// begun with the first row. A part that is lost loses the whole: its life ends, the next put is told so, and a new life
// begins with new parts. The parts of the old life are not kept alive any more: their rows go within the session time-out,
// but for those that the new life takes over.
//
// A leader that moves takes its sessions along, and so do splits: the heirs of a shard know its session by the same id.
type session struct {
	client *Client

	mu    sync.Mutex
	life  uint64
	lost  bool // this life began with a loss that nobody was told yet
	ended bool // the client closes
	parts map[*shard]*part
}

// part is the session on one shard.
type part struct {
	shard *shard
	life  uint64
	known chan struct{} // closed when id or err is there
	id    int64
	err   error
	stop  context.CancelFunc // ends the keep-alive
}

func newSession(c *Client) *session { return &session{client: c, parts: map[*shard]*part{}} }

// put writes an ephemeral row.
func (x *session) put(ctx context.Context, v view, put *oxiav1.PutRequest) outcome {
	life, err := x.enter()
	if err != nil {
		return outcome{err: err}
	}
	for {
		s, err := v.space.shardAt(ctx, v.route(put.GetKey()))
		if err != nil {
			return outcome{err: unavailable(err)}
		}
		id, err := x.on(ctx, s, life)
		switch {
		case errors.Is(err, errGone):
			continue
		case errors.Is(err, meta.ErrSessionExpired):
			return outcome{err: err}
		case err != nil:
			return outcome{err: unavailable(fmt.Errorf("session on %s: %w", s, err))}
		}
		put.SessionId = proto.Int64(id)
		break
	}
	o := v.write(ctx, &write{route: v.route(put.GetKey()), put: put})
	switch {
	case errors.Is(o.err, errSession):
		x.lose(life, true)
		return outcome{err: meta.ErrSessionExpired}
	case o.err == nil && !x.lives(life):
		return outcome{err: unknown(errors.New("the session ended while the put was on its way: the row goes with it"))}
	default:
		return o
	}
}

// enter gives the life that a new row belongs to. The first to come after a loss is told of it.
func (x *session) enter() (life uint64, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.lost {
		x.lost = false
		return 0, meta.ErrSessionExpired
	}
	return x.life, nil
}

func (x *session) lives(life uint64) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.life == life && !x.ended
}

// lose ends a life: the servers have ended a part of it. told says that a caller is told at once.
func (x *session) lose(life uint64, told bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.life != life {
		return
	}
	x.client.cfg.Log.Warn("session lost", "identity", x.client.identity, "shards", len(x.parts))
	x.life++
	x.lost = !told
	for _, p := range x.parts {
		p.stop()
	}
	clear(x.parts)
}

// on gives the session's id on a shard, and begins that part if there is none.
func (x *session) on(ctx context.Context, s *shard, life uint64) (int64, error) {
	x.mu.Lock()
	if x.life != life {
		x.mu.Unlock()
		return 0, meta.ErrSessionExpired
	}
	p := x.parts[s]
	if p == nil {
		if p = x.add(s); p == nil {
			x.mu.Unlock()
			return 0, errClosed
		}
	}
	x.mu.Unlock()
	select {
	case <-p.known:
		return p.id, p.err
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// add begins a part: a task asks for a session and keeps it alive. The caller holds mu. Nil if the client is closed.
func (x *session) add(s *shard) *part {
	p := &part{shard: s, life: x.life, known: make(chan struct{})}
	if x.ended || !x.run(p, func(ctx context.Context) { x.begin(ctx, p) }) {
		return nil
	}
	x.parts[s] = p
	return p
}

// run starts the part's task under a context that stop ends.
func (x *session) run(p *part, task func(context.Context)) bool {
	ctx, cancel := context.WithCancel(x.client.ctx)
	p.stop = cancel
	started := x.client.start(func(context.Context) {
		defer cancel()
		task(ctx)
	})
	if !started {
		cancel()
	}
	return started
}

// begin asks the servers for the part's session. Callers wait for it as long as they like; the part gives up when a request
// would, so that the next caller tries anew.
func (x *session) begin(ctx context.Context, p *part) {
	asking, cancel := context.WithTimeoutCause(ctx, x.client.cfg.RequestTimeout, errTimeout)
	defer cancel()
	var asked time.Time
	if p.id, asked, p.err = x.create(asking, p.shard); p.err != nil {
		x.mu.Lock()
		if x.parts[p.shard] == p {
			delete(x.parts, p.shard)
		}
		x.mu.Unlock()
		close(p.known)
		return
	}
	close(p.known)
	x.keep(ctx, p, asked)
}

// create asks a shard for a session, and says when the request went out that was answered.
func (x *session) create(ctx context.Context, s *shard) (id int64, asked time.Time, err error) {
	req := &oxiav1.CreateSessionRequest{
		Shard: s.id, SessionTimeoutMs: uint32(x.client.cfg.SessionTimeout.Milliseconds()), ClientIdentity: x.client.identity,
	}
	id, err = askShard(ctx, s, false, func(ctx context.Context, srv *server, _ int64) (int64, error) {
		asked = time.Now()
		resp, err := srv.rpc.CreateSession(ctx, req)
		return resp.GetSessionId(), err
	})
	return id, asked, err
}

// keep keeps a part alive from when it was last heard of: every third of the time-out, and in between as often as the
// shard's pace allows while it fails.
func (x *session) keep(ctx context.Context, p *part, heard time.Time) {
	every := x.client.cfg.SessionTimeout / 3
	req := &oxiav1.SessionHeartbeat{Shard: p.shard.id, SessionId: p.id}
	for {
		if waitFor(ctx, nil, time.Until(heard.Add(every))) != nil {
			return
		}
		asking, cancel := context.WithTimeout(ctx, every)
		asked := time.Now()
		_, err := askShard(asking, p.shard, false, func(ctx context.Context, srv *server, _ int64) (struct{}, error) {
			asked = time.Now()
			_, err := srv.rpc.KeepAlive(ctx, req)
			return struct{}{}, err
		})
		cancel()
		switch {
		case ctx.Err() != nil, errors.Is(err, errGone): // the heirs keep it
			return
		case err == nil:
			heard = asked
		case classify(err).kind == sessionGone:
			x.lose(p.life, false)
			return
		default: // it may have expired by now; only the servers can say so
			heard = time.Now().Add(-every + firstPause)
		}
	}
}

// inherit gives the part on a shard that is gone to the shards that have its keys now.
func (x *session) inherit(gone *shard, heirs []*shard) {
	x.mu.Lock()
	defer x.mu.Unlock()
	p := x.parts[gone]
	if p == nil {
		return
	}
	delete(x.parts, gone)
	select {
	case <-p.known:
	default:
		return // it has no rows yet; its callers ask the heirs
	}
	p.stop()
	for _, s := range heirs {
		if x.parts[s] != nil {
			continue
		}
		h := &part{shard: s, life: p.life, known: p.known, id: p.id}
		if x.run(h, func(ctx context.Context) { x.keep(ctx, h, time.Now().Add(-x.client.cfg.SessionTimeout)) }) {
			x.parts[s] = h
		}
	}
}

// close ends the session at the servers, as far as they can be reached.
func (x *session) close(ctx context.Context) {
	x.mu.Lock()
	x.ended = true
	parts := x.parts
	x.parts = map[*shard]*part{}
	x.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	var closing sync.WaitGroup
	for _, p := range parts {
		p.stop()
		select {
		case <-p.known:
		default:
			continue
		}
		closing.Go(func() {
			if err := closeAt(ctx, p.shard, p.id); err != nil {
				x.client.cfg.Log.Info("session not closed: it ends by its time-out", "shard", p.shard.String(), "error", err)
			}
		})
	}
	closing.Wait()
}

// closeAt ends a session on a shard, or on the heirs of one that turns out to be gone.
func closeAt(ctx context.Context, s *shard, id int64) error {
	req := &oxiav1.CloseSessionRequest{Shard: s.id, SessionId: id}
	_, err := askShard(ctx, s, false, func(ctx context.Context, srv *server, _ int64) (struct{}, error) {
		_, err := srv.rpc.CloseSession(ctx, req)
		return struct{}{}, err
	})
	if err == nil || classify(err).kind == sessionGone {
		return nil
	}
	if !errors.Is(err, errGone) {
		return err
	}
	table, err := s.space.shards(ctx)
	for _, heir := range heirs(table, s) {
		err = errors.Join(err, closeAt(ctx, heir, id))
	}
	return err
}
