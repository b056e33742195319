package leadership

import (
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
)

// phase is where a leadership stands in its life.
type phase uint8

const (
	leading   phase = iota
	finishing       // a departure runs
	inLimbo         // a departure cannot land yet; the lease stays
	over
)

// Leadership is the live serving state of one stream at this star.
type Leadership struct {
	m     *Manager
	id    keys.StreamID
	name  peer.StreamName
	mode  records.Mode
	class records.Class
	epoch keys.StreamEpoch
	chain keys.Epoch   // the chain epoch that the writer row names; the leadership ends with it
	lease meta.Version // of the lease row as this process wrote it last

	phase    phase
	noReturn bool // the clean mark, or the deletion, was attempted: nothing is acknowledged or answered any more

	next      keys.Seq // the sequencer
	lastStamp int64    // microseconds; stamps never fall within a stream
	durable   tail     // everything below is acknowledged
	undecided int      // batches and barriers in the chain
	window    tailWindow

	sessions []*Session // open producer handles
	producer *Session   // Fenced: the one that may append
	token    uint64     // Fenced: its token
	idles    uint64     // generation of the idle mark
	changed  run.Signal // made when somebody waits first
}

// tail is where a stream ends, and the stamp of its last record (microseconds; 0 for an empty stream).
type tail struct {
	next    keys.Seq
	stampUs int64
}

// ID is the stream's id.
func (l *Leadership) ID() keys.StreamID { return l.id }

// Covered is the end of what refs cover: from there on the tail window has the records.
func (l *Leadership) Covered() keys.Seq {
	if len(l.window.runs) == 0 {
		return l.durable.next
	}
	return l.window.runs[0].First
}

// Leads says whether the leadership still answers.
func (l *Leadership) Leads() bool { return l.phase == leading }

// signal is broadcast when something about the leadership changed.
func (l *Leadership) signal() run.Signal {
	if l.changed == nil {
		l.changed = l.m.env.Run.NewSignal()
	}
	return l.changed
}

func (l *Leadership) broadcast() {
	if l.changed != nil {
		l.changed.Broadcast()
	}
}

// add makes the leadership known to the manager; drop ends that.
func (m *Manager) add(l *Leadership) {
	m.led[l.id] = l
	m.byName[l.name] = l
}

func (m *Manager) drop(l *Leadership) {
	if l.phase == inLimbo {
		m.limbo--
	}
	l.phase = over
	if m.led[l.id] == l {
		delete(m.led, l.id)
	}
	if m.byName[l.name] == l {
		delete(m.byName, l.name)
	}
	m.retain(-l.window.clear())
	l.broadcast()
}

// retain counts bytes that are admitted and not yet covered.
func (m *Manager) retain(bytes int) {
	m.retained += bytes
	if bytes < 0 {
		m.relieved.Broadcast()
	}
}
