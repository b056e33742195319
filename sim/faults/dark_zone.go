package faults

import (
	"math/rand/v2"
	"time"
)

// darkZone takes a whole zone away for long, its store and sometimes its stars, as many of them as may be gone. There is
// one dark zone at a time.
func darkZone() kind {
	return kind{Info{"dark-zone", "one zone is dark for long: its store, and sometimes its stars", []string{"blob.dark"}},
		func(p *Plan, chance *rand.Rand) {
			dark := false
			p.strikes(between(chance, 30*time.Second, 2*time.Minute), func(chance *rand.Rand) {
				if dark {
					return
				}
				dark = true
				zone := oneOf(chance, p.fleet.Zones)
				light := func() { zone.SetDark(false) }
				zone.SetDark(true)
				p.onHeal(light)
				if chance.IntN(2) == 0 {
					light = p.darkStars(zone.Endpoint(), light)
				}
				p.after(between(chance, 10*time.Second, 5*time.Minute), func() {
					light()
					dark = false
				})
			})
		}}
}

// darkStars isolates the free stars of a zone; the light that it returns ends that too.
func (p *Plan) darkStars(zone string, light func()) func() {
	for _, s := range p.fleet.Stars {
		if s.Zone != zone || !p.free(s) {
			continue
		}
		release, before := p.grab(s, "dark-zone"), light
		p.fleet.Net.Isolate(s.Name)
		light = func() {
			before()
			p.fleet.Net.Rejoin(s.Name)
			release()
		}
	}
	return light
}
