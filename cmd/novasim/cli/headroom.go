package cli

// Headroom is memory that is never touched, so that it takes none, but that the garbage collector counts as in use. Worlds
// hold little and make garbage fast: with it the collector runs a tenth as often, at the price of as much memory again as
// it is large. Keep it alive while worlds run. gogc is the environment's GOGC; where a user sets that, it is left alone.
func Headroom(gogc string) []byte {
	const sizeBytes = 256 << 20
	if gogc != "" {
		return nil
	}
	return make([]byte, sizeBytes)
}
