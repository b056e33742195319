package timeline

import "time"

// wrong takes an event that begins or ends something that is wrong with a place; false where it is none.
func (b *builder) wrong(l *lane, e *Event) bool {
	to := e.Get("to")
	switch e.What {
	case "pause":
		b.beginTo(l, "paused", e.Get("boot"), "life "+e.Get("boot")+" was held", e.At)
	case "resume":
		b.overKey(l.Name+" paused "+e.Get("boot"), e.At)
	case "slow":
		b.overKey(l.Name+" slow "+e.Get("boot"), e.At)
		if cost := e.Get("cost"); cost != "0s" {
			b.beginTo(l, "slow", e.Get("boot"), "each step of life "+e.Get("boot")+" took "+cost, e.At)
		}
	case "network.isolate":
		b.begin(l, "cut", "it was cut off from everything", e.At)
	case "network.rejoin":
		b.over(l, "cut", e.At)
	case "network.cut":
		b.beginTo(l, "cut", to, "its messages to "+to+" were lost", e.At)
	case "network.slow":
		b.beginTo(l, "slow", to, "its messages to "+to+" took "+e.Get("by")+" longer", e.At)
	case "network.lossy":
		b.beginTo(l, "cut", to, "messages to "+to+" were lost at "+e.Get("rate"), e.At)
	case "network.mend":
		b.overKey(l.Name+" cut "+to, e.At)
		b.overKey(l.Name+" slow "+to, e.At)
	case "network.heal":
		for _, l := range b.lanes {
			for _, band := range l.bands {
				if band.until == forever && (band.Kind == "cut" || band.Kind == "slow") {
					band.until = e.At
				}
			}
		}
	case "meta.down":
		what := e.Get("space") + " " + e.Get("shard")
		if e.Get("down") == "true" {
			b.beginTo(l, "down", what, "shard "+e.Get("shard")+" of "+e.Get("space")+" was unavailable", e.At)
		} else {
			b.overKey(l.Name+" down "+what, e.At)
		}
	default:
		return false
	}
	b.put(l.row("faults", "faults"), item{at: e.At, kind: "turn", label: e.What + pre(" ", to), by: e})
	return true
}

func pre(blank, text string) string {
	if text == "" {
		return ""
	}
	return blank + text
}

func (b *builder) begin(l *lane, kind, text string, at time.Duration) {
	b.beginTo(l, kind, "", text, at)
}

func (b *builder) beginTo(l *lane, kind, what, text string, at time.Duration) {
	key := l.Name + " " + kind + pre(" ", what)
	b.overKey(key, at)
	made := &band{Band: Band{At: int64(at), Kind: kind, Text: text}, until: forever}
	l.bands = append(l.bands, made)
	b.open[key] = made
}

func (b *builder) over(l *lane, kind string, at time.Duration) { b.overKey(l.Name+" "+kind, at) }

func (b *builder) overKey(key string, at time.Duration) {
	if made := b.open[key]; made != nil {
		if made.until == forever {
			made.until = at
		}
		delete(b.open, key)
	}
}
