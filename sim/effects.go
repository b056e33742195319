package sim

// Effect is one act of a process on the world outside it: what crash points are made of.
type Effect struct {
	Process *Process
	Step    string // the last named step of the task
	Kind    string // "meta.put", "blob.put-if-absent", "peer.certify", "disk.save"
	Target  string // the key or address
	Ordinal uint64 // counts the effects of processes of this name, from 1
}

// Fate says how an effect goes wrong.
type Fate uint8

// The fates. Normal leaves it to the binding and its faults.
const (
	Normal  Fate = iota
	Before       // it does not happen; the process dies
	After        // it happens, the answer is lost; the process dies
	Late         // the process dies; it happens only when the world releases what it holds
	Lost         // it happens, the answer is lost; the process lives on with an unknown outcome
	Refused      // it does not happen, the answer is lost; the process lives on with an unknown outcome
	fates
)

var fateNames = [fates]string{"normal", "before", "after", "late", "lost", "refused"}

func (f Fate) String() string { return fateNames[f] }

// Kills says whether the process dies of it.
func (f Fate) Kills() bool { return f == Before || f == After || f == Late }

// Fates are the fates but Normal, in order.
func Fates() []Fate { return []Fate{Before, After, Late, Lost, Refused} }

// JudgeEffects sets who decides the fate of every effect; nil leaves all to be normal. It must not wait.
func (w *World) JudgeEffects(judge func(Effect) Fate) { w.judge = judge }

// Effect announces an effect and gives its fate. Bindings call it as the first act of every effect; with the fate Before the
// process is dead when it returns, and the caller unwinds.
func (p *Process) Effect(kind, target string) Fate {
	p.Enter()
	w := p.world
	if w.judge == nil {
		return Normal
	}
	w.effects[p.name]++
	fate := w.judge(Effect{p, w.current.step, kind, target, w.effects[p.name]})
	if fate != Normal {
		w.Emit(p.name, "fate", "fate", fate, "effect", kind, "target", target)
	}
	if fate == Before {
		p.Kill()
	}
	p.Enter()
	return fate
}

// WatchReads sets who is told when a process asks a service for something, before the request leaves; nil ends it. It must not
// wait. A process that it pauses gets the answer when it goes on.
func (w *World) WatchReads(watch func(Effect)) { w.reads = watch }

// Read announces a call that changes nothing. Bindings call it before the request leaves.
func (p *Process) Read(kind, target string) {
	if w := p.world; w.reads != nil {
		w.reads(Effect{Process: p, Step: w.current.step, Kind: kind, Target: target})
	}
}

// Hold keeps a late effect until Release.
func (w *World) Hold(land func()) { w.held = append(w.held, land) }

// Held counts the effects kept by Hold.
func (w *World) Held() int { return len(w.held) }

// Release lets the held effects happen now, in their order.
func (w *World) Release() {
	held := w.held
	w.held = nil
	for _, land := range held {
		w.After(0, land)
	}
}
