package records

// Mark stamps the clean-release mark: everything acknowledged under this stream epoch is covered by refs. The row's own
// epoch and builder stay its maker's.
func (x *RefRow) Mark(epoch uint64) { x.CleanEpoch = epoch }
