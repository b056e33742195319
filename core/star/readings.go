package star

import (
	"time"

	"github.com/novastream/nova/core/fleet"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/core/records"
)

// standingAge is the age at which a registration that was not refreshed counts no more, where sessions end sooner.
const standingAge = 3 * fleet.RefreshInterval

// Readings are a star's numbers at one moment, for those who watch it. Totals are since its start.
type Readings struct {
	Star       keys.StarID
	Boot       keys.BootID
	Location   string
	Version    string
	Registered bool // its liveness record stands, as far as it can know
	Stopping   bool
	Warnings   int // of Health
	leadership.Readings
	HotReadBytes uint64 // read from tail windows
	Lines        []LineReadings
}

// LineReadings are the numbers of one class.
type LineReadings struct {
	Class         records.Class
	Writing       bool          // a chain epoch is active
	AdmittedBytes int           // of batches that are not decided yet
	Backlog       time.Duration // the age of the oldest flight that is not absorbed
}

// Registered says whether the star's liveness record stands, as far as it can know without asking: what it asked for last was
// carried out, and that was asked within a session time-out.
func (s *Star) Registered() bool { return s.registry.Standing(max(s.cfg.SessionTimeout, standingAge)) }

// Readings are the numbers of now.
func (s *Star) Readings() Readings {
	r := Readings{
		Star: s.env.Star, Boot: s.env.Boot, Location: s.cfg.Location, Version: s.cfg.Version,
		Registered: s.Registered(), Stopping: s.stopping, Warnings: len(s.warnings()),
		Readings: s.leaders.Readings(), HotReadBytes: s.reader.Hot(),
	}
	for _, set := range s.sets {
		line := s.lines[set.Class]
		_, writing := line.Writer.Current()
		r.Lines = append(r.Lines, LineReadings{
			Class: set.Class, Writing: writing, AdmittedBytes: line.Writer.Admitted(), Backlog: line.Absorb.Backlog(),
		})
	}
	return r
}
