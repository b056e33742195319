// Package planted names the deliberate bugs that the simulator can switch on to prove that it finds them. Each removes one
// protective rule of the design. A running star has none of them: Set's zero value is the correct core.
//
// Design: simulation.md ("Mutation check of the checkers"). Read table.go first: the bugs with the rules that they remove.
package planted

// Bug is one planted bug.
type Bug uint8

// The bugs. The table says what each does.
const (
	NoPrefixAck Bug = iota
	AckBeforeQuorum
	NoPoison
	PoisonDeleted
	NoOwnCopyCheck
	CountingIsDefinite
	IdentityIsProcess
	FencerTrustsOneStore
	SkipReleaseFlush
	LeaseIsTheGuard
	GateByScan
	TailBeforeCAS
	LeadPastEpoch
	AckAfterMark
	RefuseUnconfirmed
	NoTailBarrier
	CreateIsCoverage
	CheckpointBeforeRows
	EpochInMemory
	CutOffByOne
	FencerGuesses
	MinorityIsCut
	WritesCount
	CloseOverCut
	CutInclusive
	DeadGoesOn
	NoWindow
	DamagedIsRival
	UnreadIsRival
	ExistsIsCopy
	UnknownIsCopy
	MarkerAssumed
	MintWithoutCAS
	RebootProvesDeath
	SweepByCheckpoint
	BarrierInFlight
	FlightsNotAwaited
	MatchDurable
	StampsForgotten
	TailStale
	ClaimWithoutCAS
	ClaimByContent
	TailUnproven
	VacantTailStale
	TokenUnchecked
	TokenInMemory
	OlderNotFenced
	LeaseLeaked
	JoinUnconfirmed
	AnyMarkCounts
	DeletedOpens
	LeaderCertifies
	TwoAtOnce
	FinishAdmits
	StaleHole
	SettleShort
	WindowSkipped
	OneStoreRead
	StaleLoss
	OutcomeShifts
	AppendTwice
	BreakIsDefinite
	Unreconciled
	NeverAlone
	DeadEpochLed
	ReadUnconfirmed
	GivenForgotten
	OtherRowTaken
	TokenByZombie
	SilenceUnseen
	StandingFromAnswer
	bugs
)
