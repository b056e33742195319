package records

// Announce names the process life that is registered from now on.
func (x *Liveness) Announce(star, boot string, startedUs int64) {
	x.Star, x.Boot, x.StartedUs = star, boot, startedUs
}

// Advertise says where and what the star is.
func (x *Liveness) Advertise(address, location, version string) {
	x.Address, x.Location, x.Version = address, location, version
}

// Route says whether the star takes new leadership.
func (x *Liveness) Route(saturated, draining bool) { x.Saturated, x.Draining = saturated, draining }
