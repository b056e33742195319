package history

import (
	"encoding/binary"
	"iter"
)

// Packed is a history in memory that takes a fraction of what a Log takes: its events lie encoded in one piece, so that the
// garbage collector has nothing to follow in it. The zero value is ready for use.
//
// An event is its tag, then its fields in order as varints. Texts are numbered as they come; lists have their length plus one
// in front, 0 being none.
type Packed struct {
	events []byte
	count  int
	texts  []string
	number map[string]uint64 // of each text
}

var (
	_ Recorder = (*Packed)(nil)
	_ Source   = (*Packed)(nil)
)

// Tags of events.
const (
	packedInvoke byte = iota
	packedComplete
	packedFinal
)

// Len is the number of events.
func (p *Packed) Len() int { return p.count }

// Invoke records the start of an operation.
func (p *Packed) Invoke(e Invoke) {
	p.begin(packedInvoke, e.At)
	p.put(uint64(e.Client), uint64(e.Op), uint64(e.Kind), p.text(e.Stream))
	p.hashes(e.Hashes)
	match := uint64(0)
	if e.Match != nil {
		match = 1
	}
	if p.put(match); e.Match != nil {
		p.put(uint64(*e.Match))
	}
	p.put(uint64(e.Token), uint64(e.From), bit(e.Linearizable))
}

// Complete records the end of an operation.
func (p *Packed) Complete(e Complete) {
	p.begin(packedComplete, e.At)
	p.put(uint64(e.Client), uint64(e.Op), uint64(e.Kind), uint64(e.Outcome), p.text(e.Code), uint64(e.First), uint64(e.Next))
	p.hashes(e.Hashes)
	p.put(bit(e.AtTail), uint64(e.Tail), uint64(e.Token))
}

// Final records a part of a stream's final contents.
func (p *Packed) Final(e Final) {
	p.begin(packedFinal, e.At)
	p.put(p.text(e.Stream), uint64(e.First))
	p.hashes(e.Hashes)
}

func (p *Packed) begin(tag byte, at int64) {
	p.count++
	p.events = binary.AppendVarint(append(p.events, tag), at)
}

func (p *Packed) put(values ...uint64) {
	for _, v := range values {
		p.events = binary.AppendUvarint(p.events, v)
	}
}

func (p *Packed) hashes(all []Hash) {
	if all == nil {
		p.put(0)
		return
	}
	p.put(uint64(len(all)) + 1)
	for _, h := range all {
		p.events = binary.LittleEndian.AppendUint64(p.events, uint64(h))
	}
}

// text is the number of a text.
func (p *Packed) text(s string) uint64 {
	n, known := p.number[s]
	if !known {
		if p.number == nil {
			p.number = map[string]uint64{}
		}
		n = uint64(len(p.texts))
		p.texts = append(p.texts, s)
		p.number[s] = n
	}
	return n
}

func bit(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

// Events yields the recorded events; a *BadEventError where one breaks a rule.
func (p *Packed) Events() iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		var r rules
		line := 1 // the header's
		for e := range p.unpacked() {
			line++
			if reason := r.admit(e); reason != "" {
				yield(nil, &BadEventError{Line: line, Reason: reason})
				return
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Finals yields the Final events. Rules are checked by Events.
func (p *Packed) Finals() iter.Seq2[Final, error] {
	return func(yield func(Final, error) bool) {
		for e := range p.unpacked() {
			if f, ok := e.(Final); ok && !yield(f, nil) {
				return
			}
		}
	}
}

func (p *Packed) unpacked() iter.Seq[Event] {
	return func(yield func(Event) bool) {
		for r := (unpacker{p.events, p.texts}); len(r.rest) > 0; {
			if !yield(r.event()) {
				return
			}
		}
	}
}

// unpacker reads what a Packed has written.
type unpacker struct {
	rest  []byte
	texts []string
}

func (u *unpacker) event() Event {
	tag := u.rest[0]
	at, n := binary.Varint(u.rest[1:])
	u.rest = u.rest[1+n:]
	switch tag {
	case packedInvoke:
		e := Invoke{At: at, Client: Client(u.next()), Op: OpID(u.next()), Kind: Kind(u.next()), Stream: u.text(), Hashes: u.hashes()}
		if u.next() == 1 {
			match := Seq(u.next())
			e.Match = &match
		}
		e.Token, e.From, e.Linearizable = Token(u.next()), Seq(u.next()), u.next() == 1
		return e
	case packedComplete:
		e := Complete{At: at, Client: Client(u.next()), Op: OpID(u.next()), Kind: Kind(u.next()), Outcome: Outcome(u.next()), Code: u.text()}
		e.First, e.Next, e.Hashes = Seq(u.next()), Seq(u.next()), u.hashes()
		e.AtTail, e.Tail, e.Token = u.next() == 1, Seq(u.next()), Token(u.next())
		return e
	default:
		return Final{At: at, Stream: u.text(), First: Seq(u.next()), Hashes: u.hashes()}
	}
}

func (u *unpacker) next() uint64 {
	v, n := binary.Uvarint(u.rest)
	u.rest = u.rest[n:]
	return v
}

func (u *unpacker) text() string { return u.texts[u.next()] }

func (u *unpacker) hashes() []Hash {
	n := u.next()
	if n == 0 {
		return nil
	}
	all := make([]Hash, n-1)
	for i := range all {
		all[i] = Hash(binary.LittleEndian.Uint64(u.rest[8*i:]))
	}
	u.rest = u.rest[8*len(all):]
	return all
}
