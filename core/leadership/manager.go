package leadership

import (
	"context"
	"time"

	"github.com/novastream/nova/core/absorb"
	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/fleet"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
)

// The numbers of the leadership page.
const (
	// IdleTimeout is how long an Any stream outlives its last producer handle.
	IdleTimeout = 30 * time.Second
	// TransferGrace is how long an open waits at the designate for a departing holder's lease to go.
	TransferGrace = 2 * time.Second
	// FinishPatience is how long one try of a Finish may take before its leadership is in limbo.
	FinishPatience = 2 * time.Second
)

// Limits bound what producers may hold of a star.
type Limits struct {
	Sessions      int // producer sessions
	WindowBytes   int // unacknowledged bytes of one session
	RetainedBytes int // bytes admitted and not yet covered by refs, over all streams
	RecordBytes   int // one record, headers included
	BatchBytes    int // one batch
	BatchRecords  int
}

// DefaultLimits are the limits of a star without flags.
func DefaultLimits() Limits {
	return Limits{
		Sessions: 4096, WindowBytes: 8 << 20, RetainedBytes: 256 << 20,
		RecordBytes: 1 << 20, BatchBytes: 4 << 20, BatchRecords: 16384,
	}
}

// Line is how streams of one class reach storage at this star.
type Line struct {
	Writer *chain.Writer
	Absorb *absorb.Absorber
}

// Config is what a Manager needs.
type Config struct {
	Env            env.Env
	Addr           string // this star's advertised address
	Lines          map[records.Class]Line
	Stores         *chain.Stores
	Peers          peer.Network
	Registry       *fleet.Registry
	Judge          *fleet.Judge
	SessionTimeout time.Duration // the metastore's; how long a dead star's lease survives
	Limits         Limits
}

// Manager holds the leaderships of one star.
type Manager struct {
	cfg Config
	env env.Env

	led      map[keys.StreamID]*Leadership
	byName   map[peer.StreamName]*Leadership
	busy     map[keys.StreamID]run.Signal // single flight: who works on a stream now
	idle     []idleMark                   // first in, first due: the time-out is one constant
	idled    run.Signal
	stopping bool
	offered  uint64 // bytes that producers appended since the start
	appended uint64 // records that they appended
	sessions int
	retained int // bytes admitted and not yet covered
	limbo    int
	relieved run.Signal // broadcast when retained falls
	heals    uint64
}

// NewManager makes the manager of a star that leads nothing yet.
func NewManager(cfg Config) *Manager {
	return &Manager{
		cfg: cfg, env: cfg.Env,
		led:      map[keys.StreamID]*Leadership{},
		byName:   map[peer.StreamName]*Leadership{},
		busy:     map[keys.StreamID]run.Signal{},
		idled:    cfg.Env.Run.NewSignal(),
		relieved: cfg.Env.Run.NewSignal(),
	}
}

// Leading is how many streams this star leads, and how many of them are in limbo.
func (m *Manager) Leading() (led, limbo int) { return len(m.led), m.limbo }

// Offered is how many bytes producers have appended here since the start.
func (m *Manager) Offered() uint64 { return m.offered }

// Find is the leadership of a stream, where this star has one that may answer.
func (m *Manager) Find(name peer.StreamName) (*Leadership, bool) {
	l, ok := m.byName[name]
	return l, ok && l.phase == leading
}

// alone waits until nobody else at this star works on the stream, and holds it until release is called.
// Inside one star nothing fences: two leaderships of one stream would share a live chain.
func (m *Manager) alone(ctx context.Context, id keys.StreamID) (release func(), err error) {
	for m.busy[id] != nil && !m.env.Bugs.Has(planted.TwoAtOnce) {
		if err := m.busy[id].Wait(ctx); err != nil {
			return nil, err
		}
	}
	signal := m.env.Run.NewSignal()
	m.busy[id] = signal
	return func() {
		if m.busy[id] == signal {
			delete(m.busy, id)
			signal.Broadcast()
		}
	}, nil
}

// records is the durable namespace, within the stream's locality.
func (m *Manager) records(id keys.StreamID) meta.Metastore {
	return m.env.Meta.Records.Within(keys.StreamLocality(id))
}

// leases is the ephemeral namespace, within the stream's locality.
func (m *Manager) leases(id keys.StreamID) meta.Metastore {
	return m.env.Meta.Ephemeral.Within(keys.StreamLocality(id))
}

func (m *Manager) line(class records.Class) (Line, bool) {
	line, ok := m.cfg.Lines[class]
	return line, ok
}

func (m *Manager) nowUs() int64 { return m.env.Run.Now().UnixMicro() }
