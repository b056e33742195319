package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/checks"
	"github.com/novastream/nova/sim/faults"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/script"
	"github.com/novastream/nova/sim/workload"
)

// Run runs a scenario from start to verdict. The error is one of the Options; what the checks find is in the Report.
func Run(o Options) (Report, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return Report{}, err
	}
	began := time.Now() //nova:allow clock for people: it decides nothing
	w := sim.New(sim.Config{Seed: o.Seed, Trace: o.Trace, Strategy: o.strategy(), Script: o.Script, Acts: o.Acts})
	defer w.Close()
	r := newRun(w, o)
	err := r.play()
	r.asked = r.work.Journal().Asked()
	if err == nil {
		err = r.judge()
	}
	r.stopped(err)
	report := r.report()
	report.Wall = time.Since(began) //nova:allow clock for people: it decides nothing
	return report, nil
}

// errEnough ends a hasty run that has found something.
var errEnough = errors.New("a violation was found")

// errCut ends a run at the time at which it is cut.
var errCut = errors.New("the run was cut")

// run is one run under way.
type run struct {
	options  Options
	world    *sim.World
	fleet    *fleets.Fleet
	observer *checks.Observer
	work     *workload.Workload
	plan     *faults.Plan
	log      *history.Packed
	record   history.Recorder
	verdict  history.Result
	blamed   []Violation // of the history, with what the observer knows of their operations
	asked    int         // by clients, until the fleet was healed
	core     string      // what worked while the rest was left broken; empty: all healed at once
	detail   string      // of why the run ended early
	spreads  []Spread

	placement *checks.Placement // of a sparse fleet; else nil
	changes   []checks.Change
}

func newRun(w *sim.World, o Options) *run {
	r := &run{options: o, world: w, log: &history.Packed{}}
	r.fleet = fleets.New(w, fleets.Config{Stars: o.Stars, Zones: o.Zones, Bugs: o.Bugs})
	r.observer = checks.Observe(r.fleet)
	if o.Cut > 0 {
		w.At(o.Cut, func() { w.Fail(errCut) })
	}
	if o.Hasty {
		r.observer.OnFind(func() { w.Fail(errEnough) })
	}
	r.record = all{r.log, r.observer}
	if o.History != nil {
		r.record = append(r.record.(all), o.History)
	}
	work := workload.Config{Clients: o.Clients, Streams: o.Streams, Record: r.record, Tape: o.Tape}
	if o.Scenario == Sparse {
		work.Sparse = o.Duration
	}
	r.work = workload.New(r.fleet, work)
	return r
}

// all tells several recorders.
type all []history.Recorder

func (a all) Invoke(e history.Invoke) {
	for _, r := range a {
		r.Invoke(e)
	}
}

func (a all) Complete(e history.Complete) {
	for _, r := range a {
		r.Complete(e)
	}
}

func (a all) Final(e history.Final) {
	for _, r := range a {
		r.Final(e)
	}
}

const (
	bootLimit = time.Minute     // for stars to serve and streams to be created, before any fault
	restLimit = 2 * time.Minute // for clients to come to rest: their longest deadline and what they do after it
	quietTime = time.Minute     // of a fleet that has converged
	coreShare = 3               // of so many seeds, one heals only a core at first

	checkedAtOnce = 10_000 // streams whose history is judged at once

	searchedOps = 6000      // of one stream, that porcupine is given: nearly always all
	searchSteps = 2_000_000 // of its search on one stream
)

// play boots the fleet and lets the clients work while faults fire.
func (r *run) play() error {
	r.fleet.Start()
	if err := r.world.RunUntil(bootLimit, r.served); err != nil {
		return err
	}
	r.work.Setup()
	if err := r.world.RunUntil(bootLimit, r.work.Ready); err != nil {
		return err
	}
	r.plan = faults.Start(r.fleet, r.options.Faults, r.options.Duration)
	if r.options.Scenario == Sparse {
		return r.playSparse()
	}
	r.work.Start()
	return r.world.RunFor(r.options.Duration)
}

func (r *run) served() bool {
	for _, s := range r.fleet.Stars {
		if s.Serving == nil {
			return false
		}
	}
	return true
}

// judge heals the fleet and applies the checks of a healed one.
func (r *run) judge() error {
	r.work.Stop()
	asker := checks.NewAsker(r.observer, r.work.Journal(), r.work.Streams())
	if err := r.judgeCore(asker); err != nil {
		return err
	}
	r.plan.Heal()
	if err := asker.Live(); err != nil {
		return err
	}
	if err := r.world.RunUntil(restLimit, r.work.Resting); err != nil {
		return err
	}
	r.work.Kill()
	// Writes that the faults left under way land by then. What they disturb is put right by the next open.
	if err := r.world.RunFor(faults.LatestWrite); err != nil {
		return err
	}
	if err := asker.Live(); err != nil {
		return err
	}
	if err := asker.Converge(); err != nil {
		return err
	}
	if err := asker.Contents(r.record); err != nil {
		return err
	}
	if err := asker.Quiet(quietTime); err != nil {
		return err
	}
	asker.Rest()
	return r.checkHistory()
}

// judgeCore has a part of the fleet that is enough serve all streams, on a share of the seeds, while the rest stays broken.
func (r *run) judgeCore(asker *checks.Asker) error {
	chance := r.world.Rand("core")
	line := r.world.Line(script.FaultPrefix + "core")
	happens := chance.IntN(coreShare) == 0 && len(r.plan.Names()) > 0
	if acts, scripted := line.Scripted(); scripted {
		happens = len(acts) > 0
	}
	if !happens {
		return nil
	}
	line.Next()
	core := r.plan.HealCore(chance)
	r.core = core.String()
	return asker.LiveCore(r.core, len(core.Broken))
}

// checkHistory has the history of all clients judged.
func (r *run) checkHistory() error {
	verdict, err := history.Check(r.log, history.Config{
		MaxOps: max(cmp.Or(r.options.Searched, searchedOps), 0), MaxSteps: searchSteps, Parts: 1 + len(r.work.Streams())/checkedAtOnce,
		Names: r.observer.Client,
	})
	if err != nil {
		return fmt.Errorf("the recorded history is none: %w", err)
	}
	r.verdict = verdict
	for _, v := range verdict.Violations {
		sentence, about := r.blame(v)
		r.blamed = append(r.blamed, Violation{Check: historyCheck(v), Sentence: sentence})
		r.world.Emit("", "violation", about...)
	}
	return nil
}

// historyCheck is the name of the check that found a violation of a history.
func historyCheck(v history.Violation) string { return "history:" + string(v.Rule) }

// stopped tells why a run ended before its end.
func (r *run) stopped(err error) {
	var failure *sim.FailureError
	var stuck *sim.StuckError
	switch {
	case err == nil, errors.Is(err, errEnough), errors.Is(err, errCut):
		return
	case errors.As(err, &failure):
		r.detail = failure.Stack
		short := *failure
		short.Stack = ""
		r.observer.Add("failure", "%s", strings.TrimPrefix(short.Error(), fmt.Sprintf("at %v ", short.At)))
	case errors.As(err, &stuck):
		for _, task := range stuck.Waiting {
			r.detail += task.String() + "\n"
		}
		why := "the limit was reached"
		if stuck.Idle {
			why = "nothing can happen any more"
		}
		r.observer.Add("stuck", "the fleet did not come to where it should: %s, and %d tasks wait", why, len(stuck.Waiting))
	default:
		r.observer.Add("harness", "%v", err)
	}
}

// report sums up.
func (r *run) report() Report {
	w := r.world
	report := Report{
		Options: r.options, Strategy: r.options.strategy().String(), TraceHash: w.Hash(), Steps: w.Steps(), Choices: w.Choices(), Simulated: w.Now(),
		Faults: w.Counters().Faults(), StepsCrossed: w.Counters().Steps(), Sometimes: sometimes(w, r.observer.Sometimes()),
		Spreads: r.spreads, Changes: r.changes,
		Asked: r.asked, Ops: r.work.Journal().Ops(), Witness: r.verdict.Witness, Porcupine: r.verdict.Porcupine, Looks: r.observer.Looks(),
	}
	if r.plan != nil {
		report.FaultKinds = r.plan.Names()
		report.Core = r.core
	}
	for _, v := range r.observer.Violations() {
		one := Violation{Check: v.Check, Sentence: v.Sentence}
		if v.Check == "failure" || v.Check == "stuck" {
			one.Detail = r.detail
		}
		report.Violations = append(report.Violations, one)
	}
	for _, sentence := range r.work.Wrong() {
		report.Violations = append(report.Violations, Violation{Check: "answers", Sentence: sentence})
	}
	report.Violations = append(report.Violations, r.blamed...)
	for _, u := range r.verdict.Undecided {
		report.Undecided = append(report.Undecided, u.Text)
	}
	if len(report.Violations) == 0 && report.Witness.Ops() == 0 {
		report.Undecided = append(report.Undecided, "no operation was checked")
	}
	return report
}
