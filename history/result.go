package history

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Rule is what a violation breaks.
type Rule string

// The rules.
const (
	LostAck        Rule = "lost-ack"        // acknowledged records are not in the final contents at their seqs
	DoubleAck      Rule = "double-ack"      // one seq was acknowledged to two appends
	BadAck         Rule = "bad-ack"         // an acknowledgement spans another number of records than its append has
	Duplicate      Rule = "duplicate"       // one append stands twice in the final contents
	Foreign        Rule = "foreign"         // a record that nobody appended
	FailedPresent  Rule = "failed-present"  // a record of an append that failed definitely
	TornBatch      Rule = "torn-batch"      // a batch is there in part, or a tail lies inside it
	Order          Rule = "order"           // an append precedes one that was acknowledged before it was invoked
	Stale          Rule = "stale"           // a linearizable answer misses what had been seen before it was asked for
	Ahead          Rule = "ahead"           // an answer reflects what was not there yet
	MatchIgnored   Rule = "match-ignored"   // a conditional append stands elsewhere than at the seq it named
	WrongRefusal   Rule = "wrong-refusal"   // a conditional append was refused although the tail matched
	ReadMismatch   Rule = "read-mismatch"   // a read returned something else than a run of the final contents
	WentBack       Rule = "went-back"       // an ordinary read told its reader of an earlier end than before
	Superseded     Rule = "superseded"      // a producer went on after a newer one had the stream, or was given a token that is not new
	UnknownToken   Rule = "unknown-token"   // a refusal names a token that no producer asked for or can have taken
	NotLinearizing Rule = "not-linearizing" // porcupine found no order that explains the answers
)

// Violation is one broken rule.
type Violation struct {
	Rule   Rule
	Stream string
	Ops    []Ref  // the operations that break it
	Text   string // one plain sentence, naming the stream, seqs, operations and clients
}

func (v Violation) String() string { return v.Text }

// Undecided is a check that could not be brought to an end.
type Undecided struct {
	Stream string // empty: the whole history
	Text   string // one plain sentence
}

func (u Undecided) String() string { return u.Text }

// Counts is what a checker looked at.
type Counts struct {
	Streams      int
	Opens        int // answered
	Appends      int // acknowledged
	Refusals     int // appends and opens that failed with a reason that tells of the stream's state
	Reads        int // ordinary
	Linearizable int // linearizable reads
	Tails        int
	Unknown      int // appends with unknown outcome
	Records      int // records of acknowledged appends
	Skipped      int // operations beyond the bound of the checker
}

// Ops is the number of operations that were checked.
func (c Counts) Ops() int {
	return c.Opens + c.Appends + c.Refusals + c.Reads + c.Linearizable + c.Tails + c.Unknown
}

func (c Counts) String() string {
	text := fmt.Sprintf("%d operations on %d streams: %d appends (%d records), %d unknown, %d refusals, %d opens, %d tails, %d linearizable and %d ordinary reads",
		c.Ops(), c.Streams, c.Appends, c.Records, c.Unknown, c.Refusals, c.Opens, c.Tails, c.Linearizable, c.Reads)
	if c.Skipped > 0 {
		text += fmt.Sprintf("; %d beyond the bound", c.Skipped)
	}
	return text
}

// join adds what a checker looked at in other streams.
func (c *Counts) join(other Counts) {
	c.Streams += other.Streams
	c.Opens += other.Opens
	c.Appends += other.Appends
	c.Refusals += other.Refusals
	c.Reads += other.Reads
	c.Linearizable += other.Linearizable
	c.Tails += other.Tails
	c.Unknown += other.Unknown
	c.Records += other.Records
	c.Skipped += other.Skipped
}

func (c *Counts) add(o *op, done Complete) {
	switch {
	case done.Outcome == Unknown && o.Kind == Append:
		c.Unknown++
	case done.Outcome == Failed && (done.Code == MatchFailed || done.Code == Fenced):
		c.Refusals++
	case done.Outcome != OK:
	case o.Kind == Open:
		c.Opens++
	case o.Kind == Append:
		c.Appends++
		c.Records += len(o.Hashes)
	case o.Kind == Read && o.Linearizable:
		c.Linearizable++
	case o.Kind == Read:
		c.Reads++
	case o.Kind == Tail:
		c.Tails++
	}
}

// Verdict is the outcome of a check.
type Verdict uint8

// The verdicts.
const (
	Passed Verdict = iota + 1
	Violated
	NotDecided
)

func (v Verdict) String() string {
	return [...]string{"", "passed", "violated", "undecided"}[v]
}

// Result is what the checks of a history found.
type Result struct {
	Violations []Violation // the first few of each stream
	Found      int         // violations in all, listed or not
	Undecided  []Undecided
	Witness    Counts
	Porcupine  Counts
}

// Verdict is Violated if anything is, else NotDecided if anything is not decided, else Passed.
func (r Result) Verdict() Verdict {
	switch {
	case r.Found > 0:
		return Violated
	case len(r.Undecided) > 0:
		return NotDecided
	default:
		return Passed
	}
}

// OK says that every check came to its end and found nothing.
func (r Result) OK() bool { return r.Verdict() == Passed }

func (r Result) String() string {
	lines := []string{r.Verdict().String(), "witness: " + r.Witness.String(), "porcupine: " + r.Porcupine.String()}
	for _, v := range r.Violations {
		lines = append(lines, "violation: "+v.Text)
	}
	if more := r.Found - len(r.Violations); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more violations", more))
	}
	for _, u := range r.Undecided {
		lines = append(lines, "undecided: "+u.Text)
	}
	return strings.Join(lines, "\n")
}

// maxListed is how many violations of one stream are listed.
const maxListed = 10

// telling is a part of a sentence in which clients are named.
type telling interface{ in(Names) string }

// sink collects the findings on one stream.
type sink struct {
	stream     string
	names      Names
	violations []Violation
	found      int
	undecided  []Undecided
}

// violate notes a violation. The text follows the name of the stream.
func (s *sink) violate(rule Rule, ops []Ref, format string, args ...any) {
	s.found++
	if len(s.violations) < maxListed {
		for i, arg := range args {
			if t, ok := arg.(telling); ok {
				args[i] = t.in(s.names)
			}
		}
		s.violations = append(s.violations, Violation{
			Rule: rule, Stream: s.stream, Ops: ops, Text: "stream " + told(s.stream) + ": " + fmt.Sprintf(format, args...),
		})
	}
}

func (s *sink) undecide(format string, args ...any) {
	s.undecided = append(s.undecided, Undecided{Stream: s.stream, Text: "stream " + told(s.stream) + ": " + fmt.Sprintf(format, args...)})
}

func (r *Result) take(s *sink) {
	r.Violations = append(r.Violations, s.violations...)
	r.Found += s.found
	r.Undecided = append(r.Undecided, s.undecided...)
}

// How much of the name of a stream a sentence tells: its start and its end. Violation.Stream has all of it.
const (
	toldStart = 80
	toldEnd   = 20
)

// told is the name of a stream in a sentence.
func told(stream string) string {
	if len(stream) <= toldStart+toldEnd {
		return stream
	}
	start, end := toldStart, len(stream)-toldEnd
	for start > 0 && !utf8.RuneStart(stream[start]) {
		start--
	}
	for end < len(stream) && !utf8.RuneStart(stream[end]) {
		end++
	}
	return fmt.Sprintf("%s…%s (%d bytes)", stream[:start], stream[end:], len(stream))
}
