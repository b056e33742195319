package keys

// Families of the fleet (ephemeral), and the installation's own row (records).
const (
	// StarsPrefix is the parent of liveness records; their names are star ids.
	StarsPrefix = "cluster/stars"
	// StatsPrefix is the parent of stats records; their names are star ids.
	StatsPrefix = "cluster/stats"
	// FleetLocality is the locality of liveness and stats records.
	FleetLocality = "cluster"
	// ClusterRow is the identity of the installation.
	ClusterRow = "cluster"
)

// StarRow is a star's liveness record.
func StarRow(star StarID) string { return StarsPrefix + "/" + string(star) }

// StatsRow is a star's stats record.
func StatsRow(star StarID) string { return StatsPrefix + "/" + string(star) }
