// Package planted names the deliberate bugs that the simulator can switch on to prove that it finds them. Each removes one
// protective rule of the design. A running star has none of them: Set's zero value is the correct core.
//
// Design: simulation.md ("Mutation check of the checkers").
package planted

import "slices"

// Bug is one planted bug.
type Bug uint8

// Set is a set of planted bugs.
type Set uint64

// Has says whether the bug is planted.
func (s Set) Has(b Bug) bool { return s&(1<<b) != 0 }

// With is the set with the bug added.
func (s Set) With(b Bug) Set { return s | 1<<b }

// The bugs, each with the rule that it removes.
const (
	NoPrefixAck          Bug = iota // chains.md: acknowledge a slot once it is durable, whatever the earlier ones are
	AckBeforeQuorum                 // chains.md: one copy less than the quorum is taken for durable
	NoPoison                        // chains.md: a fencer takes an empty slot for the cut without poisoning it
	PoisonDeleted                   // chains.md: the poison at the cut is swept while its writer may live
	NoOwnCopyCheck                  // chains.md: what exists is taken for a rival, one's own copy included
	CountingIsDefinite              // chains.md: batches of a dead slot fail as definite before the cut is known
	IdentityIsProcess               // chains.md: my StarID is taken for my process
	FencerTrustsOneStore            // chains.md: a fencer decides from the first store that answers
	SkipReleaseFlush                // leadership.md: a departure stamps the mark without flushing
	LeaseIsTheGuard                 // leadership.md: whoever has the lease leads; the gate is skipped
	GateByScan                      // leadership.md: the gate judges the newest epoch of the star, not the writer row's
	TailBeforeCAS                   // leadership.md: the tail is read before the writer row is taken
	LeadPastEpoch                   // leadership.md: a leadership goes on in the star's next chain epoch
	AckAfterMark                    // leadership.md: a departure whose mark did not land takes up acknowledging again
	RefuseUnconfirmed               // chains.md: a failed match is answered from the sequencer, unconfirmed
	NoTailBarrier                   // leadership.md: the leader answers a tail read from its memory
	CreateIsCoverage                // refs.md: a created row counts as coverage, without a read after it
	CheckpointBeforeRows            // refs.md: the checkpoint moves before the rows are committed
	EpochInMemory                   // leadership.md: a reopen by the same star does not bump the stream epoch
	bugs
)

var names = [bugs]string{
	"no-prefix-ack", "ack-before-quorum", "no-poison", "poison-deleted", "no-own-copy-check", "counting-is-definite",
	"identity-is-process", "fencer-trusts-one-store", "skip-release-flush", "lease-is-the-guard", "gate-by-scan",
	"tail-before-cas", "lead-past-epoch", "ack-after-mark", "refuse-unconfirmed", "no-tail-barrier", "create-is-coverage",
	"checkpoint-before-rows", "epoch-in-memory",
}

func (b Bug) String() string { return names[b] }

// All are the bugs, in order.
func All() []Bug {
	all := make([]Bug, bugs)
	for i := range all {
		all[i] = Bug(i)
	}
	return all
}

// Parse finds a bug by its name.
func Parse(name string) (Bug, bool) {
	i := slices.Index(names[:], name)
	return Bug(max(i, 0)), i >= 0
}
