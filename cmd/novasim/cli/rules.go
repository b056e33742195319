package cli

import "github.com/novastream/nova/core/planted"

// rules say for each planted bug what the core does wrong with it.
func rules() map[planted.Bug]string {
	return map[planted.Bug]string{
		planted.NoPrefixAck:          "a slot is acknowledged once it is durable, whatever the earlier ones are",
		planted.AckBeforeQuorum:      "one copy less than the quorum is taken for durable",
		planted.NoPoison:             "a fencer takes an empty slot for the cut without poisoning it",
		planted.PoisonDeleted:        "the poison at the cut is swept while its writer may live",
		planted.NoOwnCopyCheck:       "what exists in a slot is taken for a rival's, one's own copy included",
		planted.CountingIsDefinite:   "batches of a dead slot fail as definite before the cut is known",
		planted.IdentityIsProcess:    "the own star id is taken for the own process",
		planted.FencerTrustsOneStore: "a fencer decides from the first store that answers",
		planted.SkipReleaseFlush:     "a departure stamps the clean mark without flushing",
		planted.LeaseIsTheGuard:      "whoever has the lease leads; the gate is skipped",
		planted.GateByScan:           "the gate judges the newest epoch of the star, not the one in the writer row",
		planted.TailBeforeCAS:        "the tail is read before the writer row is taken",
		planted.LeadPastEpoch:        "a leadership goes on in the star's next chain epoch",
		planted.AckAfterMark:         "a departure whose mark did not land takes up acknowledging again",
		planted.RefuseUnconfirmed:    "a failed match is answered from the sequencer, unconfirmed",
		planted.NoTailBarrier:        "the leader answers a tail read from its memory",
		planted.CreateIsCoverage:     "a created row counts as coverage, without a read after it",
		planted.CheckpointBeforeRows: "the checkpoint moves before the rows are committed",
		planted.EpochInMemory:        "a reopen by the same star does not bump the stream epoch",
	}
}
