package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Version is the version of the line format that Writer writes and Stored reads.
const Version = 1

// Header is the first line of a stored history.
type Header struct {
	Version int    `json:"nova_history"`
	Clock   string `json:"clock"`             // "virtual" or "wall"
	MadeBy  string `json:"made_by,omitempty"` // for people: the command that made it
}

func decodeHeader(text []byte) (Header, error) {
	var h Header
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&h)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("more text follows after the object")
		}
	}
	if err != nil {
		return Header{}, fmt.Errorf("not the header of a history (%s); the first line must be like {\"nova_history\":%d,\"clock\":\"virtual\"}",
			strings.TrimPrefix(err.Error(), "json: "), Version)
	}
	if h.Version != Version {
		return Header{}, fmt.Errorf("nova_history is version %d; this reader knows version %d", h.Version, Version)
	}
	return h, h.validate()
}

func (h Header) validate() error {
	if h.Clock != "virtual" && h.Clock != "wall" {
		return fmt.Errorf("clock is %q; it must be \"virtual\" or \"wall\"", h.Clock)
	}
	return nil
}

// line is any line after the header:
//
//	{"at":1,"invoke":"append","client":1,"op":1,"stream":"logs/app","hashes":["00000000000000ab"],"match":0,"token":3}
//	{"at":2,"complete":"append","outcome":"ok","client":1,"op":1,"first":0,"next":1}
//	{"at":3,"invoke":"read","client":2,"op":1,"stream":"logs/app","from":0,"linearizable":true}
//	{"at":4,"complete":"read","outcome":"ok","client":2,"op":1,"first":0,"next":1,"hashes":["00000000000000ab"],"at_tail":true}
//	{"at":5,"final":"logs/app","first":0,"hashes":["00000000000000ab"]}
//
// It is a flat object: its values are whole numbers, strings, true or false, and one array of hashes. shapes.go says which
// fields each kind of line has.
type line struct {
	has          fields
	at           int64
	kind         Kind // of invoke or complete
	outcome      Outcome
	client       Client
	op           OpID
	stream       string // also the value of final
	hashes       []Hash
	match        Seq
	token        Token
	from         Seq
	linearizable bool
	first, next  Seq
	atTail       bool
	tail         Seq
	code         string
}

func decodeEvent(text []byte) (Event, error) {
	var l line
	if err := l.scan(text); err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	switch {
	case l.has&fInvoke != 0:
		return l.invoke(), nil
	case l.has&fComplete != 0:
		return l.complete(), nil
	default:
		return Final{At: l.at, Stream: l.stream, First: l.first, Hashes: l.hashes}, nil
	}
}

func (l *line) scan(text []byte) error {
	s := scanner{text: text}
	return s.object(func(name []byte) error {
		f := fieldOf(name)
		if f == 0 {
			return fmt.Errorf("unknown field %q", name)
		}
		if l.has&f != 0 {
			return fmt.Errorf("the field %q is there twice", name)
		}
		l.has |= f
		if err := l.value(&s, f); err != nil {
			return fmt.Errorf("field %q: %w", name, err)
		}
		return nil
	})
}

func (l *line) value(s *scanner, f fields) (err error) {
	switch f {
	case fAt:
		l.at, err = s.signed()
	case fInvoke, fComplete:
		l.kind, err = word[Kind](s, kindNames[:])
	case fOutcome:
		l.outcome, err = word[Outcome](s, outcomeNames[:])
	case fFinal, fStream:
		l.stream, err = s.str()
	case fCode:
		l.code, err = s.str()
	case fHashes:
		l.hashes, err = s.hashes()
	case fLinearizable:
		l.linearizable, err = s.boolean()
	case fAtTail:
		l.atTail, err = s.boolean()
	case fClient:
		l.client, err = number[Client](s)
	case fOp:
		l.op, err = number[OpID](s)
	case fMatch:
		l.match, err = number[Seq](s)
	case fToken:
		l.token, err = number[Token](s)
	case fFrom:
		l.from, err = number[Seq](s)
	case fFirst:
		l.first, err = number[Seq](s)
	case fNext:
		l.next, err = number[Seq](s)
	case fTail:
		l.tail, err = number[Seq](s)
	default:
		err = errors.New("more than one field") // not reachable: f is one of the names
	}
	return err
}

func (l *line) invoke() Invoke {
	in := Invoke{
		At: l.at, Client: l.client, Op: l.op, Kind: l.kind, Stream: l.stream,
		Hashes: l.hashes, Token: l.token, From: l.from, Linearizable: l.linearizable,
	}
	if l.has&fMatch != 0 {
		match := l.match
		in.Match = &match
	}
	return in
}

func (l *line) complete() Complete {
	return Complete{
		At: l.at, Client: l.client, Op: l.op, Kind: l.kind, Outcome: l.outcome, Code: l.code,
		First: l.first, Next: l.next, Hashes: l.hashes, AtTail: l.atTail, Tail: l.tail, Token: l.token,
	}
}
