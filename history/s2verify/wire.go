package s2verify

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/novastream/nova/history"
)

// line is one line of the format.
type line struct {
	Event  event  `json:"event"`
	Client uint64 `json:"client_id"`
	Op     uint64 `json:"op_id"`
}

// event is the start or the end of an operation: one of the two is not nil.
type event struct {
	Start  *start  `json:"Start,omitempty"`
	Finish *finish `json:"Finish,omitempty"`
}

// start is what is asked for: an append, or one of the words.
type start struct {
	word  string // "Read", "CheckTail"
	batch *batch
}

type batch struct {
	Records  uint64   `json:"num_records"`
	Hashes   []uint64 `json:"record_hashes"`
	SetToken *string  `json:"set_fencing_token"`
	Token    *string  `json:"fencing_token"`
	Match    *uint64  `json:"match_seq_num"`
}

// finish is what was answered: a word alone for a failure, else a word and the tail, of a read with the fold.
type finish struct {
	word string
	tail uint64
	fold uint64
}

// The words of ends.
const (
	appended    = "AppendSuccess"
	refused     = "AppendDefiniteFailure"
	nobodyKnows = "AppendIndefiniteFailure"
	readDone    = "ReadSuccess"
	readFailed  = "ReadFailure"
	tailDone    = "CheckTailSuccess"
	tailFailed  = "CheckTailFailure"
)

// The words of starts.
const (
	reads     = "Read"
	checkTail = "CheckTail"
	appends   = "Append"
)

// MarshalJSON writes a word, or an append.
func (s start) MarshalJSON() ([]byte, error) {
	if s.batch == nil {
		return json.Marshal(s.word)
	}
	return json.Marshal(map[string]*batch{appends: s.batch})
}

// UnmarshalJSON reads a word, or an append.
func (s *start) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &s.word) == nil {
		if s.word != reads && s.word != checkTail {
			return fmt.Errorf("unknown start %q", s.word)
		}
		return nil
	}
	var object struct{ Append *batch }
	if err := json.Unmarshal(text, &object); err != nil {
		return err
	}
	s.batch = object.Append
	switch {
	case s.batch == nil:
		return errors.New("a start that is neither Read, CheckTail nor Append")
	case s.batch.Records == 0 || uint64(len(s.batch.Hashes)) != s.batch.Records:
		return fmt.Errorf("an append of %d records with %d hashes", s.batch.Records, len(s.batch.Hashes))
	}
	return nil
}

// answer is what a success holds.
type answer struct {
	Tail uint64  `json:"tail"`
	Fold *uint64 `json:"stream_hash,omitempty"`
}

// MarshalJSON writes a word, or a word with what was answered.
func (f finish) MarshalJSON() ([]byte, error) {
	switch f.word {
	case appended, tailDone:
		return json.Marshal(map[string]answer{f.word: {Tail: f.tail}})
	case readDone:
		return json.Marshal(map[string]answer{f.word: {Tail: f.tail, Fold: &f.fold}})
	default:
		return json.Marshal(f.word)
	}
}

// UnmarshalJSON reads a word, or a word with what was answered.
func (f *finish) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &f.word) == nil {
		switch f.word {
		case refused, nobodyKnows, readFailed, tailFailed:
			return nil
		}
		return fmt.Errorf("unknown finish %q", f.word)
	}
	var object struct{ AppendSuccess, ReadSuccess, CheckTailSuccess *answer }
	if err := json.Unmarshal(text, &object); err != nil {
		return err
	}
	switch {
	case object.AppendSuccess != nil:
		f.word, f.tail = appended, object.AppendSuccess.Tail
	case object.CheckTailSuccess != nil:
		f.word, f.tail = tailDone, object.CheckTailSuccess.Tail
	case object.ReadSuccess != nil && object.ReadSuccess.Fold != nil:
		f.word, f.tail, f.fold = readDone, object.ReadSuccess.Tail, *object.ReadSuccess.Fold
	default:
		return errors.New("an unknown finish, or a read without its stream_hash")
	}
	return nil
}

// fold adds records to the hash of all before them.
func fold(all uint64, records ...history.Hash) uint64 {
	var eight [8]byte
	for _, h := range records {
		binary.LittleEndian.PutUint64(eight[:], uint64(h))
		all = xxh3.HashSeed(eight[:], all)
	}
	return all
}
