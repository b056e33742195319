// Package planted names the deliberate bugs that the simulator can switch on to prove that it finds them. Each removes one
// protective rule of the design. A running star has none of them: Set's zero value is the correct core.
//
// Design: simulation.md ("Mutation check of the checkers"). Read planted.go first: the bugs with their rules; then set.go.
package planted

// Bug is one planted bug.
type Bug uint8

// The bugs, each with the page of the rule that it removes, and what the core does wrong without it.
const (
	NoPrefixAck          Bug = iota // chains.md: a slot is acknowledged once it is durable, whatever the earlier ones are
	AckBeforeQuorum                 // chains.md: one copy less than the quorum is taken for durable
	NoPoison                        // chains.md: a fencer takes an empty slot for the cut without poisoning it
	PoisonDeleted                   // chains.md: the poison at the cut is swept while its writer may live
	NoOwnCopyCheck                  // chains.md: what exists in a slot is taken for a rival's, one's own copy included
	CountingIsDefinite              // chains.md: batches of a dead slot fail as definite before the cut is known
	IdentityIsProcess               // chains.md: the own star id is taken for the own process
	FencerTrustsOneStore            // chains.md: a fencer decides from the first store that answers
	SkipReleaseFlush                // leadership.md: a departure stamps the clean mark without flushing
	LeaseIsTheGuard                 // leadership.md: whoever has the lease leads; the gate is skipped
	GateByScan                      // leadership.md: the gate judges the newest epoch of the star, not the one in the writer row
	TailBeforeCAS                   // leadership.md: the tail is read before the writer row is taken
	LeadPastEpoch                   // leadership.md: a leadership goes on in the star's next chain epoch
	AckAfterMark                    // leadership.md: a departure whose mark did not land takes up acknowledging again
	RefuseUnconfirmed               // chains.md: a failed match is answered from the sequencer, unconfirmed
	NoTailBarrier                   // leadership.md: the leader answers a tail read from its memory
	CreateIsCoverage                // refs.md: a created row counts as coverage, without a read after it
	CheckpointBeforeRows            // refs.md: the checkpoint moves before the rows are committed
	EpochInMemory                   // leadership.md: a reopen by the same star does not bump the stream epoch
	CutOffByOne                     // chains.md: a fencer publishes the slot before the cut that it found
	FencerGuesses                   // chains.md: a slot that the stores leave open is guessed to be the cut
	MinorityIsCut                   // chains.md: a flight in fewer stores than the quorum is cut off, not completed
	WritesCount                     // chains.md: a fencer counts what it wrote, without looking again
	CloseOverCut                    // chains.md: an owner publishes its cut over one that is there already
	CutInclusive                    // chains.md: the slot at the cut counts as part of the chain
	DeadGoesOn                      // chains.md: a writer goes on in an epoch of which a slot is dead
	NoWindow                        // chains.md: slots are sealed however far the durable prefix is behind
	DamagedIsRival                  // chains.md: what does not decode in the own slot is taken for a rival's
	UnreadIsRival                   // chains.md: what cannot be read in the own slot is taken for a rival's
	ExistsIsCopy                    // chains.md: what exists in a slot is taken for the own copy, poison included
	UnknownIsCopy                   // chains.md: a put of unknown outcome counts as a copy
	MarkerAssumed                   // chains.md: a star takes the marker that it tried to put for the store's, whatever is there
	MintWithoutCAS                  // chains.md: the mint counter is written without regard to what is there
	RebootProvesDeath               // chains.md: an epoch minted by another boot counts as the end of the owner's epoch
	SweepByCheckpoint               // chains.md: slots below the checkpoint are swept, not only trimmed ones
	BarrierInFlight                 // leadership.md: a flight that was sealed before a tail was asked for confirms it
	FlightsNotAwaited               // leadership.md: a flush does not wait for the flights that are under way
	MatchDurable                    // leadership.md: an expected seq is compared with the durable tail, not with the sequencer
	StampsForgotten                 // refs.md: a new leadership forgets the stamp of the last record
	TailStale                       // leadership.md: the gate trusts a read of the tail that may be stale
	ClaimWithoutCAS                 // leadership.md: the writer row is taken without regard to what is there
	ClaimByContent                  // leadership.md: a claim of unknown outcome that reads back the same is taken for done
	TailUnproven                    // leadership.md: the tail of a vacant stream is told without evidence that refs cover it
	VacantTailStale                 // leadership.md: the tail of a vacant stream is told from a read that may be stale
	TokenUnchecked                  // leadership.md: a producer with an older fencing token is let in
	TokenInMemory                   // leadership.md: the next fencing token is handed out without being written
	OlderNotFenced                  // leadership.md: the older producer of a Fenced stream stays beside the newer one
	LeaseLeaked                     // leadership.md: an open that fails keeps the lease
	JoinUnconfirmed                 // chains.md: a joining producer is told the sequencer's next seq, unconfirmed
	AnyMarkCounts                   // leadership.md: the clean mark of an earlier epoch lets the gate pass
	DeletedOpens                    // leadership.md: a stream whose writer row says deleted is led again
	LeaderCertifies                 // leadership.md: a star certifies a stream that it leads
	TwoAtOnce                       // leadership.md: two opens of one stream run at the same time at one star
	FinishAdmits                    // leadership.md: a departure goes on taking appends
	StaleHole                       // refs.md: a hole is judged on a read that may be stale
	SettleShort                     // refs.md: settling stops one slot before the cut
	ReadPastCover                   // leadership.md: a leader reads from refs what they do not cover yet
	WindowSkipped                   // refs.md: a reader skips to the end of a window
	OneStoreRead                    // chains.md: a reader asks one store of the set alone
	StaleLoss                       // refs.md: a record is called lost on reads that may be stale
	OutcomeShifts                   // leadership.md: the client takes an outcome that came late for the next batch's
	AppendTwice                     // leadership.md: the client sends a batch of unknown outcome again
	BreakIsDefinite                 // chains.md: the client calls what a broken session had not appended
	Unreconciled                    // leadership.md: an exactly-once client sends again without comparing the tail
	NeverAlone                      // leadership.md: an exactly-once client takes itself for the only writer of any stream
	bugs
)

var names = [bugs]string{
	NoPrefixAck:          "no-prefix-ack",
	AckBeforeQuorum:      "ack-before-quorum",
	NoPoison:             "no-poison",
	PoisonDeleted:        "poison-deleted",
	NoOwnCopyCheck:       "no-own-copy-check",
	CountingIsDefinite:   "counting-is-definite",
	IdentityIsProcess:    "identity-is-process",
	FencerTrustsOneStore: "fencer-trusts-one-store",
	SkipReleaseFlush:     "skip-release-flush",
	LeaseIsTheGuard:      "lease-is-the-guard",
	GateByScan:           "gate-by-scan",
	TailBeforeCAS:        "tail-before-cas",
	LeadPastEpoch:        "lead-past-epoch",
	AckAfterMark:         "ack-after-mark",
	RefuseUnconfirmed:    "refuse-unconfirmed",
	NoTailBarrier:        "no-tail-barrier",
	CreateIsCoverage:     "create-is-coverage",
	CheckpointBeforeRows: "checkpoint-before-rows",
	EpochInMemory:        "epoch-in-memory",
	CutOffByOne:          "cut-off-by-one",
	FencerGuesses:        "fencer-guesses",
	MinorityIsCut:        "minority-is-cut",
	WritesCount:          "writes-count",
	CloseOverCut:         "close-over-cut",
	CutInclusive:         "cut-inclusive",
	DeadGoesOn:           "dead-goes-on",
	NoWindow:             "no-window",
	DamagedIsRival:       "damaged-is-rival",
	UnreadIsRival:        "unread-is-rival",
	ExistsIsCopy:         "exists-is-copy",
	UnknownIsCopy:        "unknown-is-copy",
	MarkerAssumed:        "marker-assumed",
	MintWithoutCAS:       "mint-without-cas",
	RebootProvesDeath:    "reboot-proves-death",
	SweepByCheckpoint:    "sweep-by-checkpoint",
	BarrierInFlight:      "barrier-in-flight",
	FlightsNotAwaited:    "flights-not-awaited",
	MatchDurable:         "match-durable",
	StampsForgotten:      "stamps-forgotten",
	TailStale:            "tail-stale",
	ClaimWithoutCAS:      "claim-without-cas",
	ClaimByContent:       "claim-by-content",
	TailUnproven:         "tail-unproven",
	VacantTailStale:      "vacant-tail-stale",
	TokenUnchecked:       "token-unchecked",
	TokenInMemory:        "token-in-memory",
	OlderNotFenced:       "older-not-fenced",
	LeaseLeaked:          "lease-leaked",
	JoinUnconfirmed:      "join-unconfirmed",
	AnyMarkCounts:        "any-mark-counts",
	DeletedOpens:         "deleted-opens",
	LeaderCertifies:      "leader-certifies",
	TwoAtOnce:            "two-at-once",
	FinishAdmits:         "finish-admits",
	StaleHole:            "stale-hole",
	SettleShort:          "settle-short",
	ReadPastCover:        "read-past-cover",
	WindowSkipped:        "window-skipped",
	OneStoreRead:         "one-store-read",
	StaleLoss:            "stale-loss",
	OutcomeShifts:        "outcome-shifts",
	AppendTwice:          "append-twice",
	BreakIsDefinite:      "break-is-definite",
	Unreconciled:         "unreconciled",
	NeverAlone:           "never-alone",
}
