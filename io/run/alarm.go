package run

// Alarm says whether a note tells of something that must never be: a rule of the core is broken, or a store lost data.
// Whoever keeps notes makes these the loudest, and a simulated run that has one fails.
func Alarm(what string) bool {
	switch what {
	case "two flights in one slot", "broken refs", "record lost", "cut differs":
		return true
	default:
		return false
	}
}
