package faults

// kinds are all kinds of faults, in the order in which they are listed.
func kinds() []kind {
	return []kind{
		crash(), stayAway(), pause(), stall(),
		partition(), oneWay(), isolate(),
		lateMeta(), lateStore(),
	}
}
