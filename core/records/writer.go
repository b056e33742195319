package records

// Take names a new leadership: the next stream epoch, at this star, in this chain epoch of the class.
func (x *Writer) Take(star string, class Class, chainEpoch uint64) {
	x.Star, x.Class, x.ChainEpoch = star, class, chainEpoch
	x.StreamEpoch++
	x.CleanEpoch = 0
}

// Mark stamps the clean-release mark of a stream without ref rows.
func (x *Writer) Mark(epoch uint64) { x.CleanEpoch = epoch }

// Delete makes the row the tombstone of its stream id.
func (x *Writer) Delete() { x.Deleted = true }
