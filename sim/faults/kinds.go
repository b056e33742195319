package faults

// kinds are all kinds of faults, in the order in which they are listed.
func kinds() []kind {
	return []kind{
		crash(), crashPoint(), stayAway(), restart(), wipeDisk(), twin(), pause(), pausePoint(), stall(), slowCPU(), versions(),
		clockSkew(), clockDrift(), clockJump(),
		partition(), oneWay(), isolate(), frayed(), slowLink(), delay(), loss(), duplicate(), reset(),
		lateMeta(), lostMeta(), refuseMeta(), staleReads(), expiry(), lapse(), outlive(), wipeSessions(), metaDown(), failOver(), deposed(), split(), splitLoss(),
		lateStore(), lostStore(), errorStore(), throttle(), conflict(), repeat(), slowList(), bitFlip(), darkZone(),
		stopSignal(), scaleUp(), scaleDown(), rollingUpgrade(),
	}
}
