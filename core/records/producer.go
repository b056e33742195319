package records

// Raise moves the fencing token up.
func (x *Producer) Raise(token uint64) { x.Token = token }
