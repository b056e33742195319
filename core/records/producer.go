package records

// Raise names the token of the producer that a leadership admits, and the stream epoch of that leadership.
func (x *Producer) Raise(token, streamEpoch uint64) { x.Token, x.StreamEpoch = token, streamEpoch }
