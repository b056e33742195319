package checks

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/simblob"
	"github.com/novastream/nova/sim/simmeta"
)

// Violation is one broken promise.
type Violation struct {
	Check    string
	Sentence string
}

// maxOfOne is how many violations of one check are kept: the first tell the story.
const maxOfOne = 5

// Findings collects violations and counts looks.
type Findings struct {
	world      *sim.World
	violations []Violation
	of         map[string]int
	looks      map[string]uint64
	onFind     func() // nil: nobody is told of violations as they come
}

func newFindings(w *sim.World) *Findings {
	return &Findings{world: w, of: map[string]int{}, looks: map[string]uint64{}}
}

// Violations are what was found, in order.
func (f *Findings) Violations() []Violation { return f.violations }

// OnFind has fn called with every violation that is noted from now on.
func (f *Findings) OnFind(fn func()) { f.onFind = fn }

// Looks counts what each check looked at.
func (f *Findings) Looks() []sim.Count { return sim.Sorted(f.looks) }

// Add notes a violation.
func (f *Findings) Add(check, format string, args ...any) {
	if f.of[check]++; f.of[check] > maxOfOne {
		return
	}
	sentence := fmt.Sprintf("at %v ", f.world.Now()) + fmt.Sprintf(format, args...)
	if step := f.world.Acting(); step != "" {
		sentence += ", after step " + step
	}
	f.violations = append(f.violations, Violation{check, sentence})
	if f.onFind != nil {
		f.onFind()
	}
	if f.world.Tracing() {
		f.world.Emit("", "violation", append([]any{"check", check, "sentence", sentence}, about(args)...)...)
	}
}

// looked counts a look of a check.
func (f *Findings) looked(check string) { f.looks[check]++ }

// Observer holds the invariants against every write and acknowledgement of a run.
type Observer struct {
	*Findings
	*naming
	fleet   *fleets.Fleet
	heads   map[epochKey]minted
	epochs  map[epochKey]*epoch
	streams map[keys.StreamID]*stream
	ids     map[string]keys.StreamID     // by name
	stores  map[keys.StoreID]int         // place among the fleet's, by id
	stars   map[*sim.Process]keys.StarID // who serves in which process
	sights  map[string][]*sights         // of each life, by the name of the process
	pulses  map[keys.StarID]*pulse
	serving map[string]*fleets.Star // the place where it serves, by the name of its processes
	ended   map[lifeEpoch]bool      // who wrote the epoch knows that it has ended
	rowEnds map[string]rowEnd       // of ref rows as read last, by key
	asked   map[asked]string        // appends under way: the names of their streams
	moves   []string                // writes since the last call of watch
	moved   int
	seen    [situations]uint64
}

// Observe begins to watch a fleet of which nothing has been started.
func Observe(f *fleets.Fleet) *Observer {
	o := &Observer{
		Findings: newFindings(f.World), naming: newNaming(), fleet: f,
		heads: map[epochKey]minted{}, epochs: map[epochKey]*epoch{}, streams: map[keys.StreamID]*stream{},
		ids: map[string]keys.StreamID{}, asked: map[asked]string{},
		stores: map[keys.StoreID]int{}, stars: map[*sim.Process]keys.StarID{}, sights: map[string][]*sights{}, rowEnds: map[string]rowEnd{},
		pulses: map[keys.StarID]*pulse{}, ended: map[lifeEpoch]bool{}, serving: map[string]*fleets.Star{},
	}
	f.World.OnNote(o.noted)
	f.World.OnStep(func(p *sim.Process, step string) {
		if step == "register.stats" {
			o.standing(p.Name())
		}
	})
	f.Meta.OnWrite(o.row)
	f.Meta.OnFloor(o.floor)
	for i, store := range f.Stores() {
		store.OnWrite(func(w simblob.Write) { o.object(i, w) })
	}
	return o
}

// row is told every change of the metastore.
func (o *Observer) row(w simmeta.Write) {
	if w.Space != simmeta.Ephemeral || !strings.HasPrefix(w.Key, keys.StatsPrefix) {
		o.note("row", w.Key, w.By)
	}
	o.fieldsKept(w)
	parts := strings.Split(w.Key, "/")
	switch {
	case w.Space == simmeta.Naming && parts[0] == "streams":
		o.named(w)
	case w.Space == simmeta.Ephemeral:
		o.pulseRow(w)
	case w.Space != simmeta.Records:
	case parts[0] == "chains" && len(parts) == 2:
		o.counted(keys.StarID(parts[1]), w)
	case parts[0] == "chains" && len(parts) == 3:
		o.epochRow(keys.StarID(parts[1]), w)
	case parts[0] == "streams" && len(parts) == 3 && parts[2] == "writer":
		o.writerRow(keys.StreamID(parts[1]), w)
	case parts[0] == "streams" && len(parts) == 3 && parts[2] == "producer":
		o.tokenRow(keys.StreamID(parts[1]), w)
	case parts[0] == "streams" && len(parts) == 4 && parts[2] == "refs":
		o.refRow(keys.StreamID(parts[1]), w)
	}
}

// note remembers a write for Quiet.
func (o *Observer) note(what, key, by string) {
	o.moved++
	const most = 5
	if len(o.moves) < most {
		o.moves = append(o.moves, fmt.Sprintf("%s %s by %s", what, key, by))
	}
}

// watch forgets the writes so far.
func (o *Observer) watch() { o.moves, o.moved = nil, 0 }

// named learns the id of a stream.
func (o *Observer) named(w simmeta.Write) {
	if w.New == nil {
		return
	}
	d := &records.Stream{}
	if err := records.Decode(w.Key, w.New.Value, d); err != nil {
		o.Add("rows-decode", "the descriptor %s does not decode: %v", w.Key, err)
		return
	}
	name := d.GetBucket() + "/" + d.GetKey()
	o.ids[name] = keys.StreamID(d.GetId())
	o.stream(keys.StreamID(d.GetId())).name = name
}

// decode reads the old and the new value of a row; false where there is nothing to compare any more.
func decode[T any, P interface {
	*T
	proto.Message
}](o *Observer, w simmeta.Write) (old, now P, ok bool) {
	if w.New == nil {
		o.Add("rows-stay", "the row %s was deleted by %s", w.Key, o.who(w.By))
		return nil, nil, false
	}
	old, now = new(T), new(T)
	if w.Old != nil {
		if err := records.Decode(w.Key, w.Old.Value, old); err != nil {
			return nil, nil, false // told when it was written
		}
	}
	if err := records.Decode(w.Key, w.New.Value, now); err != nil {
		o.Add("rows-decode", "the row %s was written by %s and does not decode: %v", w.Key, o.who(w.By), err)
		return nil, nil, false
	}
	return old, now, true
}
