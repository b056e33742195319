package scenario

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/sim"
)

// nothing is a run in which nobody does anything.
func nothing(t *testing.T) *run {
	t.Helper()
	w := sim.New(sim.Config{})
	t.Cleanup(w.Close)
	return newRun(w, Options{Faults: []string{}}.withDefaults())
}

// TestNothingCheckedIsUndecided: a run that looked at no operation never passes.
func TestNothingCheckedIsUndecided(t *testing.T) {
	r := nothing(t)
	if err := r.checkHistory(); err != nil {
		t.Fatal(err)
	}
	if report := r.report(); report.Passed() || len(report.Violations) > 0 || len(report.Undecided) == 0 {
		t.Errorf("violations %v, undecided %v", report.Violations, report.Undecided)
	}
}

// TestDeadlock: where nothing can run and nothing is timed, the run fails and tells who waits for what.
func TestDeadlock(t *testing.T) {
	r := nothing(t)
	never := r.world.Driver().NewSignal()
	err := r.world.Do(time.Minute, func(ctx context.Context) { _ = never.Wait(ctx) })
	r.stopped(err)
	report := r.report()
	if len(report.Violations) != 1 || report.Violations[0].Check != "stuck" ||
		!strings.Contains(report.Violations[0].Sentence, "nothing can happen any more, and 1 tasks wait") ||
		!strings.Contains(report.Violations[0].Detail, "driver: do waits on signal") {
		t.Errorf("%+v", report.Violations)
	}
}

// TestCore heals only a core at first, on some seeds, and has it serve every stream.
func TestCore(t *testing.T) {
	for seed := range uint64(20) {
		r := mustRun(t, Options{Seed: 200 + seed, Duration: 30 * time.Second, Stars: 3, Clients: 3, Streams: 4})
		clean(t, r)
		if r.Core == "" {
			continue
		}
		if times(r.Looks, "live-core") != 4 || times(r.Looks, "live") != 8 {
			t.Errorf("of 4 streams, these were looked at: %v", r.Looks)
		}
		return
	}
	t.Error("no seed healed a core first")
}
