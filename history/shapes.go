package history

import "fmt"

// fields is a set of the fields of a line.
type fields uint32

const (
	fAt fields = 1 << iota
	fInvoke
	fComplete
	fFinal
	fOutcome
	fClient
	fOp
	fStream
	fHashes
	fMatch
	fToken
	fFrom
	fLinearizable
	fFirst
	fNext
	fAtTail
	fTail
	fCode

	invoked   = fAt | fInvoke | fClient | fOp | fStream
	completed = fAt | fComplete | fOutcome | fClient | fOp
)

var fieldNames = []string{
	"at", "invoke", "complete", "final", "outcome", "client", "op", "stream", "hashes", "match", "token", "from",
	"linearizable", "first", "next", "at_tail", "tail", "code",
}

func fieldOf(name []byte) fields {
	for i, n := range fieldNames {
		if string(name) == n {
			return 1 << i
		}
	}
	return 0
}

// first is the name of the first field of the set.
func (f fields) first() string {
	for i, name := range fieldNames {
		if f&(1<<i) != 0 {
			return name
		}
	}
	return ""
}

// shape is the fields that a kind of line must have, and those it may have.
type shape struct{ must, may fields }

// invokeShapes is the lines that begin an operation.
var invokeShapes = [kinds]shape{
	Open:   {invoked, fToken},
	Append: {invoked | fHashes, fMatch | fToken},
	Read:   {invoked | fFrom, fLinearizable},
	Tail:   {invoked, 0},
}

// okShapes is the lines that end an operation well.
var okShapes = [kinds]shape{
	Open:   {completed | fTail, fToken},
	Append: {completed | fFirst | fNext, 0},
	Read:   {completed | fFirst | fNext | fHashes, fAtTail},
	Tail:   {completed | fTail, 0},
}

// shape finds the shape that the line must have, and a name for it.
func (l *line) shape() (s shape, name string) {
	switch {
	case l.has&fInvoke != 0:
		return invokeShapes[l.kind], "an invoke of " + l.kind.String()
	case l.has&fFinal != 0:
		return shape{fAt | fFinal | fFirst | fHashes, 0}, "final contents"
	case l.outcome == OK:
		return okShapes[l.kind], "a complete of " + l.kind.String() + " that is ok"
	case l.outcome == Unknown:
		return shape{completed, fCode}, "a complete whose outcome is unknown"
	case l.outcome == Failed && l.code == MatchFailed:
		return shape{completed | fCode | fTail, 0}, "a complete that failed with " + MatchFailed
	case l.outcome == Failed && l.code == Fenced:
		return shape{completed | fCode | fToken, 0}, "a complete that failed with " + Fenced
	case l.outcome == Failed:
		return shape{completed | fCode, 0}, "a complete that failed"
	default:
		return shape{completed, ^fields(0)}, "a complete"
	}
}

// check says which field is missing from the line, or does not belong to it.
func (l *line) check() error {
	if l.has&(fInvoke|fComplete|fFinal) == 0 {
		return fmt.Errorf("it is neither %q nor %q nor %q", "invoke", "complete", "final")
	}
	s, name := l.shape()
	if missing := s.must &^ l.has; missing != 0 {
		return fmt.Errorf("%s lacks the field %q", name, missing.first())
	}
	if foreign := l.has &^ (s.must | s.may); foreign != 0 {
		return fmt.Errorf("%s cannot have the field %q", name, foreign.first())
	}
	return nil
}
