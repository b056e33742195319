package records

// Fence moves an active epoch to fenced, and marks that a fencer was here: a resumed fence is a touch.
func (x *ChainEpoch) Fence() {
	x.State = ChainState_CHAIN_STATE_FENCED
	x.Touches++
}

// Publish names the first slot that is not part of a fenced epoch. A cut that is there already holds; the caller looks.
func (x *ChainEpoch) Publish(cut uint64) { x.Cut = &cut }

// Close is the owner's end of its own epoch.
func (x *ChainEpoch) Close(cut uint64) {
	x.State = ChainState_CHAIN_STATE_FENCED
	x.Cut = &cut
	x.ClosedByOwner = true
}

// Advance moves the checkpoint up, never down.
func (x *ChainEpoch) Advance(checkpoint uint64) { x.Checkpoint = max(x.Checkpoint, checkpoint) }

// Settle says that every slot below the cut is covered by refs.
func (x *ChainEpoch) Settle() {
	x.Checkpoint = x.GetCut()
	x.State = ChainState_CHAIN_STATE_SETTLED
}
