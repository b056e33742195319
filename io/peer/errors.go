package peer

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Code says what kind of refusal an Error is.
type Code uint8

// The codes. Those marked definite promise that an append was not and will never be part of the stream.
const (
	Internal      Code = iota // a defect of the star; says nothing about what happened
	Invalid                   // definite: the request breaks a rule; sending it again will not help
	TooLarge                  // definite: a record or batch is over its limit
	NotFound                  // definite: no such bucket, stream or star
	AlreadyExists             // definite: the name is taken
	NotOwner                  // definite: another star leads, or should lead: Holder and Addr name it
	AtCapacity                // definite: no star of the fleet may take a new leadership
	Shed                      // definite: this star is at a bound of its own; try another or later
	Retry                     // definite: a wait is due that ends by itself (limbo, a dead star's session, a gate): Wait hints how long
	Fenced                    // definite: another producer has the stream: Token is its fencing token
	MatchFailed               // definite: the tail is not the expected seq: Tail is the confirmed tail
	NotAppended               // definite: the leadership ended before the batch became part of the stream
	Trimmed                   // the seq is below the trim point: First is the first readable seq
	Unavailable               // definite: the star could not be reached, or cannot reach what it needs
	Indeterminate             // the append may have happened, may not have, or may still happen
	codes
)

var codeNames = [codes]string{
	"internal", "invalid", "too-large", "not-found", "already-exists", "not-owner", "at-capacity", "shed", "retry", "fenced",
	"match-failed", "not-appended", "trimmed", "unavailable", "indeterminate",
}

func (c Code) String() string {
	if c < codes {
		return codeNames[c]
	}
	return fmt.Sprintf("code(%d)", uint8(c))
}

// Definite says whether an append that ended with this code is known not to be part of the stream, ever.
func (c Code) Definite() bool { return c != Internal && c != Indeterminate && c != Trimmed }

// Error is a refusal or failure of a call to a star.
type Error struct {
	Code   Code
	What   string        // what the call was about: "stream logs/app", "star 7f3"
	Reason string        // why, in plain words
	Try    string        // what the user can do, one line; may be empty
	Holder string        // NotOwner: the star id
	Addr   string        // NotOwner: its advertised address
	Token  uint64        // Fenced: the fencing token to which the producer lost the stream
	Tail   uint64        // MatchFailed: the confirmed tail
	First  uint64        // Trimmed: the first readable seq
	Wait   time.Duration // Retry: a hint
	Err    error         // the cause inside this process; it does not travel, so that Reason tells what the caller must know of it
}

func (e *Error) Error() string {
	text := e.Code.String()
	if e.What != "" {
		text += " " + e.What
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	if e.Err != nil && !strings.Contains(e.Reason, e.Err.Error()) {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// CodeOf is the code of the *Error in err's chain; Internal where there is none. It is asked of an error: of nil it says Internal too.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// Is says whether err is an *Error of this code.
func Is(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}
