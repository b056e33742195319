package records

// Refresh publishes what a star measured of itself, and moves the beat.
func (x *Stats) Refresh(star string, measured *Stats) {
	x.Star = star
	x.Beat++
	x.Leaders = measured.GetLeaders()
	x.AppendBytesPerSecond = measured.GetAppendBytesPerSecond()
	x.HotReadBytesPerSecond = measured.GetHotReadBytesPerSecond()
	x.Saturation = measured.GetSaturation()
	x.Stranded = measured.GetStranded()
	x.Drained = measured.GetDrained()
}
