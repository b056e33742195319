package records

// Attach names the process life that holds the lease from now on.
func (x *Lease) Attach(star, boot string, nowUs int64) {
	x.Star, x.Boot, x.AcquiredUs = star, boot, nowUs
}
