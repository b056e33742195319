package stage

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/novastream/nova/core/fleet"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/checks"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/workload"
)

// Bucket is the bucket of all streams of a stage. Opening an unknown stream creates it.
const Bucket = "b"

// Patience bounds every wait of a stage, in virtual time.
const Patience = 10 * time.Minute

// Stage is a fleet set up for a story.
type Stage struct {
	*fleets.Fleet
	Observer *checks.Observer

	log     *history.Log
	journal *workload.Journal
	streams []*workload.Stream // those that exist in the end
	scribes []*Scribe
	lines   int
	made    int

	forgotten map[string]bool // names of streams whose history is not checked
}

// New sets a stage up in a world. Nothing of it runs yet.
func New(w *sim.World, cfg fleets.Config) *Stage {
	s := &Stage{Fleet: fleets.New(w, cfg), log: &history.Log{}, forgotten: map[string]bool{}}
	s.Observer = checks.Observe(s.Fleet)
	s.journal = workload.New(s.Fleet, workload.Config{Record: both{s.log, s.Observer}}).Journal()
	return s
}

// both tells two recorders.
type both [2]history.Recorder

func (b both) Invoke(e history.Invoke) {
	b[0].Invoke(e)
	b[1].Invoke(e)
}

func (b both) Complete(e history.Complete) {
	b[0].Complete(e)
	b[1].Complete(e)
}

func (b both) Final(e history.Final) {
	b[0].Final(e)
	b[1].Final(e)
}

// Remember tells a recorder what clients asked and were told so far.
func (s *Stage) Remember(r history.Recorder) {
	for e, err := range s.log.Events() {
		if err != nil {
			return // its check tells
		}
		switch e := e.(type) {
		case history.Invoke:
			r.Invoke(e)
		case history.Complete:
			r.Complete(e)
		case history.Final:
			r.Final(e)
		}
	}
}

// Boot starts every star, and creates the bucket once they serve.
func (s *Stage) Boot() error {
	s.Start()
	if err := s.World.RunUntil(Patience, s.Serves); err != nil {
		return err
	}
	return s.Do("setup", func(ctx context.Context, c *Scribe) error {
		_, err := c.Client.CreateBucket(ctx, peer.Bucket{Name: Bucket, CreateOnOpen: true})
		if peer.Is(err, peer.AlreadyExists) {
			return nil // an earlier try of its own, whose answer was lost
		}
		return err
	})
}

// Serves says whether every star serves.
func (s *Stage) Serves() bool {
	for _, star := range s.Stars {
		if !star.Alive() || star.Serving == nil {
			return false
		}
	}
	return true
}

// Do runs one task of a new client until it returns.
func (s *Stage) Do(name string, task func(ctx context.Context, c *Scribe) error) error {
	c := s.Scribe(name)
	defer c.Kill()
	return c.Do(func(ctx context.Context) error { return task(ctx, c) })
}

// Create creates a stream, which exists until Forget.
func (s *Stage) Create(key string, mode peer.Mode, class peer.Class) (*workload.Stream, error) {
	stream := s.Stream(key, mode, class)
	return stream, s.Do("setup", func(ctx context.Context, c *Scribe) error {
		_, err := c.Client.CreateStream(ctx, peer.CreateStreamRequest{Stream: stream.Name, Mode: mode, Class: class})
		return err
	})
}

// CreateFor creates a stream whose designate is a star that serves.
func (s *Stage) CreateFor(star *fleets.Star, mode peer.Mode, class peer.Class) (*workload.Stream, error) {
	for {
		s.made++
		stream, err := s.Create(fmt.Sprintf("s%d", s.made), mode, class)
		if err != nil || s.Designate(stream) == star {
			return stream, err
		}
		s.Forget(stream)
	}
}

// Designate is the star that should lead a stream, were it vacant and all that serve alike.
func (s *Stage) Designate(stream *workload.Stream) *fleets.Star {
	byID := map[keys.StarID]*fleets.Star{}
	var live []fleet.Star
	for _, star := range s.Stars {
		if star.Serving != nil {
			byID[star.Serving.ID()] = star
			live = append(live, fleet.Star{ID: star.Serving.ID()})
		}
	}
	chosen, _ := fleet.Designate(fleet.NewSnapshot(live...), s.ID(stream))
	return byID[chosen.ID]
}

// Stream names a stream that is created by whoever tells the story.
func (s *Stage) Stream(key string, mode peer.Mode, class peer.Class) *workload.Stream {
	stream := &workload.Stream{Name: peer.StreamName{Bucket: Bucket, Key: key}, Mode: mode, Class: class}
	s.streams = append(s.streams, stream)
	return stream
}

// Forget leaves a stream out of the judgement: it was deleted, and the history of its name is that of several streams.
func (s *Stage) Forget(stream *workload.Stream) {
	s.forgotten[stream.Name.String()] = true
	s.streams = slices.DeleteFunc(s.streams, func(other *workload.Stream) bool { return other == stream })
}

// ID is the id that a stream's name leads to now; empty where there is none.
func (s *Stage) ID(stream *workload.Stream) keys.StreamID {
	row := &records.Stream{}
	rec, _ := s.Meta.Peek(simmeta.Naming, keys.StreamRow(stream.Name.Bucket, stream.Name.Key))
	if records.Decode(rec.Key, rec.Value, row) != nil || row.GetTombstone() {
		return ""
	}
	return keys.StreamID(row.GetId())
}

// Writer is a stream's writer row as it is.
func (s *Stage) Writer(id keys.StreamID) *records.Writer {
	row := &records.Writer{}
	rec, _ := s.Meta.Peek(simmeta.Records, keys.WriterRow(id))
	_ = records.Decode(rec.Key, rec.Value, row) // checks tell of a row that does not decode
	return row
}

// Lease is the lease of a stream as it is; false where there is none.
func (s *Stage) Lease(id keys.StreamID) (*records.Lease, bool) {
	row := &records.Lease{}
	rec, found := s.Meta.Peek(simmeta.Ephemeral, keys.LeaseRow(id))
	_ = records.Decode(rec.Key, rec.Value, row) // as above
	return row, found
}

// At is the star that holds the lease of a stream and serves; nil where there is none.
func (s *Stage) At(stream *workload.Stream) *fleets.Star {
	lease, _ := s.Lease(s.ID(stream))
	for _, star := range s.Stars {
		if star.Serving != nil && string(star.Serving.ID()) == lease.GetStar() {
			return star
		}
	}
	return nil
}

// Noted counts how often the core took a note of this name.
func (s *Stage) Noted(note string) uint64 { return count(s.World.Counters().Notes(), note) }

// Crossed counts how often a named step was crossed.
func (s *Stage) Crossed(step string) uint64 { return count(s.World.Counters().Steps(), step) }

func count(all []sim.Count, name string) uint64 {
	for _, c := range all {
		if c.Name == name {
			return c.Times
		}
	}
	return 0
}

// Pass lets virtual time pass.
func (s *Stage) Pass(d time.Duration) error { return s.World.RunFor(d) }

// Heal ends every fault that a story left standing, releases what was held, and starts what is dead.
func (s *Stage) Heal() {
	w := s.World
	w.JudgeEffects(nil)
	s.Net.Heal()
	s.Meta.SetFaults(simmeta.Faults{})
	for _, store := range s.Stores() {
		store.SetDark(false)
	}
	for _, p := range append([]*sim.Process{}, w.Processes()...) {
		p.Resume()
	}
	w.Release()
	s.Start()
}

// VerdictError is what was found wrong in the end, or on the way.
type VerdictError struct{ Sentences []string }

func (e *VerdictError) Error() string {
	text := fmt.Sprintf("%d things are wrong", len(e.Sentences))
	for _, s := range e.Sentences {
		text += "\n  " + s
	}
	return text
}
