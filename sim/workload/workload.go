package workload

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

// Config is what a Workload is made from.
type Config struct {
	Clients int
	Streams int
	Record  history.Recorder // is told every operation
	Tape    *Tape            // what the clients ask, where it is not up to them; its streams are those there are
	Sparse  time.Duration    // above 0: many streams are each used now and then, for so long
}

// Stream is one stream of the workload. All are known from the start; those made on open may not exist yet.
type Stream struct {
	Name   peer.StreamName
	Mode   peer.Mode
	Class  peer.Class
	OnOpen bool   // created by the first producer that opens it
	seen   uint64 // how far readers have come
	gone   bool   // the script of the run does without it
}

// Fenced says whether the stream takes one producer at a time.
func (s *Stream) Fenced() bool { return s.Mode == peer.ModeFenced }

// Workload is the clients of a fleet at work.
type Workload struct {
	fleet    *fleets.Fleet
	world    *sim.World
	journal  *Journal
	streams  []*Stream
	clients  []*seat
	bodies   *bodies
	temper   temper
	torrents []*Stream // that somebody streams into now
	awaited  []*Stream // that somebody waits to open now
	standing []*standing
	tape     *Tape
	sparse   time.Duration
	slowest  time.Duration // of the opens of a sparse workload
	stopped  bool
	ready    bool
	wrong    []string
}

// New makes a workload of which nothing runs yet.
func New(f *fleets.Fleet, cfg Config) *Workload {
	w := &Workload{fleet: f, world: f.World, journal: newJournal(f.World, cfg.Record), sparse: cfg.Sparse}
	w.bodies, w.temper = newBodies(w.chance("bodies")), drawTemper(w.chance("temper"))
	w.world.OnNote(w.noted)
	script := w.world.Script()
	if w.tape = cfg.Tape; w.tape != nil {
		w.streams, cfg.Streams = w.tape.streams, 0
	}
	for i := range cfg.Streams {
		s := streamAt(i)
		if w.sparse > 0 {
			s = sparseAt(i)
		}
		s.gone = script != nil && !script.HasStream(i)
		w.streams = append(w.streams, s)
	}
	for i := range cfg.Clients {
		w.clients = append(w.clients, newSeat(w, i))
	}
	return w
}

// Streams are the streams, in order.
func (w *Workload) Streams() []*Stream {
	return slices.DeleteFunc(slices.Clone(w.streams), func(s *Stream) bool { return s.gone })
}

// Journal records the operations. Checks that ask on their own record through it.
func (w *Workload) Journal() *Journal { return w.journal }

// Ready says whether the buckets and streams exist.
func (w *Workload) Ready() bool { return w.ready }

// Wrong are the answers that had the wrong code, one sentence each.
func (w *Workload) Wrong() []string { return w.wrong }

// Start lets the clients work until Stop.
func (w *Workload) Start() {
	if w.sparse > 0 {
		w.startSparse(w.sparse)
		return
	}
	for _, s := range w.clients {
		s.begin()
	}
}

// Stop makes the clients ask nothing new. What they have asked goes on.
func (w *Workload) Stop() { w.stopped = true }

// Resting says whether every client has come to rest after Stop.
func (w *Workload) Resting() bool {
	for _, s := range w.clients {
		if s.tasks > 0 {
			return false
		}
	}
	return true
}

// Kill ends all client processes. What they had under way stays without an outcome.
func (w *Workload) Kill() {
	for _, s := range w.clients {
		s.kill()
	}
}

// complain tells of a wrong answer, and to whom it was given.
func (w *Workload) complain(format string, args ...any) {
	const most = 20
	if len(w.wrong) < most {
		sentence := fmt.Sprintf("at %v %s: ", w.world.Now(), w.journal.asker()) + fmt.Sprintf(format, args...)
		w.wrong = append(w.wrong, sentence)
		w.world.Emit("", "violation", "check", "answers", "sentence", sentence)
	}
}

// pick draws the stream for the next thing that a client does.
func (w *Workload) pick(rng *rand.Rand) *Stream {
	switch {
	case len(w.torrents) > 0 && percent(rng, 30):
		return one(rng, w.torrents)
	case len(w.awaited) > 0 && percent(rng, 15):
		return one(rng, w.awaited)
	case percent(rng, w.temper.hot):
		return w.streams[(len(w.streams)/2+3*rng.IntN(2))%len(w.streams)]
	default:
		return one(rng, w.streams)
	}
}

// one picks an element.
func one[T any](rng *rand.Rand, of []T) T { return of[rng.IntN(len(of))] }

// between draws a duration from low to high.
func between(rng *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(rng.Int64N(int64(high-low)+1))
}

// percent draws true in so many of a hundred cases.
func percent(rng *rand.Rand, n int) bool { return rng.IntN(100) < n }

// chance is a random stream of the workload for one purpose.
func (w *Workload) chance(purpose string) *rand.Rand { return w.world.Rand("workload/" + purpose) }

// Setup creates the buckets and streams, as a task of a process of its own.
func (w *Workload) Setup() {
	if w.sparse > 0 {
		w.setupSparse()
		return
	}
	p, c := w.fleet.Client("setup")
	p.Go("setup", func(ctx context.Context) {
		buckets := []peer.Bucket{{Name: bucketOfAll}, {Name: bucketOnOpen, Class: peer.ClassExpress, CreateOnOpen: true}}
		for _, b := range buckets {
			if _, err := c.CreateBucket(ctx, b); err != nil && !peer.Is(err, peer.AlreadyExists) {
				w.complain("creating bucket %s was refused: %v", b.Name, err)
			}
		}
		for _, s := range w.streams {
			if s.OnOpen || s.gone {
				continue
			}
			req := peer.CreateStreamRequest{Stream: s.Name, Mode: s.Mode, Class: s.Class}
			if _, err := c.CreateStream(ctx, req); err != nil && !peer.Is(err, peer.AlreadyExists) {
				w.complain("creating stream %s was refused: %v", s.Name, err)
			}
		}
		w.ready = true
	})
}

// The buckets of the workload.
const (
	bucketOfAll  = "all"     // its streams are created by name, mode and class
	bucketOnOpen = "on-open" // its streams come with their first producer
)

// streamAt is the stream at an index: of four neighbours, one of each mode and class; every sixth is created on open.
func streamAt(i int) *Stream {
	s := &Stream{Mode: peer.ModeAny, Class: peer.ClassStandard}
	if i%2 == 1 {
		s.Mode = peer.ModeFenced
	}
	if i/2%2 == 1 {
		s.Class = peer.ClassExpress
	}
	s.Name = peer.StreamName{Bucket: bucketOfAll, Key: fmt.Sprintf("%s/%s/%d", s.Class, s.Mode, i)}
	if i%6 == 2 { // any, express: what its bucket says
		s.OnOpen = true
		s.Mode, s.Class = peer.ModeAny, peer.ClassExpress
		s.Name = peer.StreamName{Bucket: bucketOnOpen, Key: fmt.Sprintf("%d", i)}
	}
	return s
}
