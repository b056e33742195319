package planted

// entry tells a bug.
type entry struct {
	name string
	page string // of the rule that it removes
	does string // wrong, without the rule
}

var table = [bugs]entry{
	NoPrefixAck:          {"no-prefix-ack", "chains.md", "a slot is acknowledged once it is durable, whatever the earlier ones are"},
	AckBeforeQuorum:      {"ack-before-quorum", "chains.md", "one copy less than the quorum is taken for durable"},
	NoPoison:             {"no-poison", "chains.md", "a fencer takes an empty slot for the cut without poisoning it"},
	PoisonDeleted:        {"poison-deleted", "chains.md", "the poison at the cut is swept while its writer may live"},
	NoOwnCopyCheck:       {"no-own-copy-check", "chains.md", "what exists in a slot is taken for a rival's, one's own copy included"},
	CountingIsDefinite:   {"counting-is-definite", "chains.md", "batches of a dead slot fail as definite before the cut is known"},
	IdentityIsProcess:    {"identity-is-process", "chains.md", "the own star id is taken for the own process"},
	FencerTrustsOneStore: {"fencer-trusts-one-store", "chains.md", "a fencer decides from the first store that answers"},
	SkipReleaseFlush:     {"skip-release-flush", "leadership.md", "a departure stamps the clean mark without flushing"},
	LeaseIsTheGuard:      {"lease-is-the-guard", "leadership.md", "whoever has the lease leads; the gate is skipped"},
	GateByScan:           {"gate-by-scan", "leadership.md", "the gate judges the newest epoch of the star, not the one in the writer row"},
	TailBeforeCAS:        {"tail-before-cas", "leadership.md", "the tail is read before the writer row is taken"},
	LeadPastEpoch:        {"lead-past-epoch", "leadership.md", "a leadership goes on in the star's next chain epoch"},
	AckAfterMark:         {"ack-after-mark", "leadership.md", "a departure whose mark did not land takes up acknowledging again"},
	RefuseUnconfirmed:    {"refuse-unconfirmed", "chains.md", "a failed match is answered from the sequencer, unconfirmed"},
	NoTailBarrier:        {"no-tail-barrier", "leadership.md", "the leader answers a tail read from its memory"},
	CreateIsCoverage:     {"create-is-coverage", "refs.md", "a created row counts as coverage, without a read after it"},
	CheckpointBeforeRows: {"checkpoint-before-rows", "refs.md", "the checkpoint moves before the rows are committed"},
	EpochInMemory:        {"epoch-in-memory", "leadership.md", "a reopen by the same star does not bump the stream epoch"},
	CutOffByOne:          {"cut-off-by-one", "chains.md", "a fencer publishes the slot before the cut that it found"},
	FencerGuesses:        {"fencer-guesses", "chains.md", "a slot that the stores leave open is guessed to be the cut"},
	MinorityIsCut:        {"minority-is-cut", "chains.md", "a flight in fewer stores than the quorum is cut off, not completed"},
	WritesCount:          {"writes-count", "chains.md", "a fencer counts what it wrote, without looking again"},
	CloseOverCut:         {"close-over-cut", "chains.md", "an owner publishes its cut over one that is there already"},
	CutInclusive:         {"cut-inclusive", "chains.md", "the slot at the cut counts as part of the chain"},
	DeadGoesOn:           {"dead-goes-on", "chains.md", "a writer goes on in an epoch of which a slot is dead"},
	NoWindow:             {"no-window", "chains.md", "slots are sealed however far the durable prefix is behind"},
	DamagedIsRival:       {"damaged-is-rival", "chains.md", "what does not decode in the own slot is taken for a rival's"},
	UnreadIsRival:        {"unread-is-rival", "chains.md", "what cannot be read in the own slot is taken for a rival's"},
	ExistsIsCopy:         {"exists-is-copy", "chains.md", "what exists in a slot is taken for the own copy, poison included"},
	UnknownIsCopy:        {"unknown-is-copy", "chains.md", "a put of unknown outcome counts as a copy"},
	MarkerAssumed:        {"marker-assumed", "chains.md", "a star takes the marker that it tried to put for the store's, whatever is there"},
	MintWithoutCAS:       {"mint-without-cas", "chains.md", "the mint counter is written without regard to what is there"},
	RebootProvesDeath:    {"reboot-proves-death", "chains.md", "an epoch minted by another boot counts as the end of the owner's epoch"},
	SweepByCheckpoint:    {"sweep-by-checkpoint", "chains.md", "slots below the checkpoint are swept, not only trimmed ones"},
	BarrierInFlight:      {"barrier-in-flight", "leadership.md", "a flight that was sealed before a tail was asked for confirms it"},
	FlightsNotAwaited:    {"flights-not-awaited", "leadership.md", "a flush does not wait for the flights that are under way"},
	MatchDurable:         {"match-durable", "leadership.md", "an expected seq is compared with the durable tail, not with the sequencer"},
	StampsForgotten:      {"stamps-forgotten", "refs.md", "a new leadership forgets the stamp of the last record"},
	TailStale:            {"tail-stale", "leadership.md", "the gate trusts a read of the tail that may be stale"},
	ClaimWithoutCAS:      {"claim-without-cas", "leadership.md", "the writer row is taken without regard to what is there"},
	ClaimByContent:       {"claim-by-content", "leadership.md", "a claim of unknown outcome that reads back the same is taken for done"},
	TailUnproven:         {"tail-unproven", "leadership.md", "the tail of a vacant stream is told without evidence that refs cover it"},
	VacantTailStale:      {"vacant-tail-stale", "leadership.md", "the tail of a vacant stream is told from a read that may be stale"},
	TokenUnchecked:       {"token-unchecked", "leadership.md", "a producer with an older fencing token is let in"},
	TokenInMemory:        {"token-in-memory", "leadership.md", "the next fencing token is handed out without being written"},
	OlderNotFenced:       {"older-not-fenced", "leadership.md", "the older producer of a Fenced stream stays beside the newer one"},
	LeaseLeaked:          {"lease-leaked", "leadership.md", "an open that fails keeps the lease"},
	JoinUnconfirmed:      {"join-unconfirmed", "chains.md", "a joining producer is told the sequencer's next seq, unconfirmed"},
	AnyMarkCounts:        {"any-mark-counts", "leadership.md", "the clean mark of an earlier epoch lets the gate pass"},
	DeletedOpens:         {"deleted-opens", "leadership.md", "a stream whose writer row says deleted is led again"},
	LeaderCertifies:      {"leader-certifies", "leadership.md", "a star certifies a stream that it leads"},
	TwoAtOnce:            {"two-at-once", "leadership.md", "two opens of one stream run at the same time at one star"},
	FinishAdmits:         {"finish-admits", "leadership.md", "a departure goes on taking appends"},
	StaleHole:            {"stale-hole", "refs.md", "a hole is judged on a read that may be stale"},
	SettleShort:          {"settle-short", "refs.md", "settling stops one slot before the cut"},
	WindowSkipped:        {"window-skipped", "refs.md", "a reader skips to the end of a window"},
	OneStoreRead:         {"one-store-read", "chains.md", "a reader asks one store of the set alone"},
	StaleLoss:            {"stale-loss", "refs.md", "a record is called lost on reads that may be stale"},
	OutcomeShifts:        {"outcome-shifts", "leadership.md", "the client takes an outcome that came late for the next batch's"},
	AppendTwice:          {"append-twice", "leadership.md", "the client sends a batch of unknown outcome again"},
	BreakIsDefinite:      {"break-is-definite", "chains.md", "the client calls what a broken session had not appended"},
	Unreconciled:         {"unreconciled", "leadership.md", "an exactly-once client sends again without comparing the tail"},
	NeverAlone:           {"never-alone", "leadership.md", "an exactly-once client takes itself for the only writer of any stream"},
	DeadEpochLed:         {"dead-epoch-led", "leadership.md", "a leadership begins in a chain epoch that ended meanwhile"},
	ReadUnconfirmed:      {"read-unconfirmed", "leadership.md", "a linearizable read that finds nothing is not confirmed"},
	GivenForgotten:       {"given-forgotten", "leadership.md", "a producer that cannot go on calls what a session was given not appended"},
	OtherRowTaken:        {"other-row-taken", "leadership.md", "another writer row is replaced than the gate judged"},
	TokenByZombie:        {"token-by-zombie", "leadership.md", "a star that was superseded moves the fencing token"},
	SilenceUnseen:        {"silence-unseen", "leadership.md", "a star that is looked at for the first time is taken to have been silent before"},
	StandingFromAnswer:   {"standing-from-answer", "leadership.md", "a star counts how long it is registered from the answer to a refresh, not from its request"},
}

func (b Bug) String() string { return table[b].name }

// Page is the design page of the rule that the bug removes.
func (b Bug) Page() string { return table[b].page }

// Does says what the core does wrong with the bug.
func (b Bug) Does() string { return table[b].does }
