package leadership

// Readings are the numbers of the leaderships of one star at one moment. Totals are since its start.
type Readings struct {
	Leading       int    // streams
	Limbo         int    // of them
	Sessions      int    // of producers
	RetainedBytes int    // admitted and not yet covered by refs
	Records       uint64 // that were sequenced
	Bytes         uint64 // of them
	Heals         uint64 // of orphaned leases
}

// Readings are the numbers of now.
func (m *Manager) Readings() Readings {
	return Readings{
		Leading: len(m.led), Limbo: m.limbo, Sessions: m.sessions, RetainedBytes: m.retained, Records: m.appended,
		Bytes: m.offered, Heals: m.heals,
	}
}
