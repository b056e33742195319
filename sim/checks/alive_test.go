package checks

import (
	"testing"
	"time"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/sim/simmeta"
)

// TestAliveDefers has one star take another for dead, which for ten minutes wrote its stats every 5 s.
func TestAliveDefers(t *testing.T) {
	stats, live := &records.Stats{}, &records.Liveness{}
	for _, c := range []struct {
		name  string
		then  func(s *script) // what happens last
		wrong bool
	}{
		{"alive", func(*script) {}, true},
		{"deregistered", func(s *script) { s.put(simmeta.Ephemeral, keys.StarRow("dead"), live, nil) }, false},
		{"registered again a while ago", func(s *script) {
			s.put(simmeta.Ephemeral, keys.StarRow("dead"), live, nil)
			s.put(simmeta.Ephemeral, keys.StarRow("dead"), nil, live)
			s.pass(time.Minute)
		}, false},
		{"silent for less than twice the session time-out", func(s *script) { s.pass(2*s.fleet.SessionTimeOut() - time.Second) }, true},
		{"silent for twice the session time-out", func(s *script) { s.pass(2 * s.fleet.SessionTimeOut()) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(t)
			judge := s.world.Process("star-2")
			s.noted(judge, "star serves", []any{"star", keys.StarID("judge")})
			s.put(simmeta.Ephemeral, keys.StarRow("dead"), nil, live)
			for range 120 {
				s.put(simmeta.Ephemeral, keys.StatsRow("dead"), stats, stats)
				s.pass(5 * time.Second)
			}
			s.put(simmeta.Ephemeral, keys.StatsRow("dead"), stats, stats)
			c.then(s)
			s.noted(judge, "gate fences", []any{"star", keys.StarID("dead")})
			s.noted(judge, "lease taken over", []any{"held-by", "dead"})
			if found := s.found(); (len(found) == 2) != c.wrong || (len(found) == 0) == c.wrong {
				t.Errorf("found %v", s.Violations())
			}
		})
	}
}

// TestStanding has a star say that it is registered. It may as long as its record stands, and for a session time-out more.
func TestStanding(t *testing.T) {
	s := newScript(t)
	s.fleet.Start()
	s.pass(time.Minute)
	star := s.fleet.Stars[0]
	s.standing(star.Name)
	p := s.pulse(star.Serving.ID())
	*p = pulse{gone: s.world.Now() - s.fleet.SessionTimeOut()}
	s.standing(star.Name)
	if found := s.found(); len(found) > 0 {
		t.Errorf("found %v", s.Violations())
	}
	*p = pulse{gone: s.world.Now() - 2*s.fleet.SessionTimeOut()}
	if s.standing(star.Name); len(s.found()) != 1 {
		t.Errorf("found %v", s.Violations())
	}
}

// pass lets time go by.
func (s *script) pass(d time.Duration) {
	s.t.Helper()
	if err := s.world.RunFor(d); err != nil {
		s.t.Fatal(err)
	}
}
