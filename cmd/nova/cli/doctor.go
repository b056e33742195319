package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/cmd/nova/host"
	"github.com/novastream/nova/cmd/nova/output"
	"github.com/novastream/nova/realio/doctor"
	"github.com/novastream/nova/realio/oxiameta"
	"github.com/novastream/nova/realio/s3blob"
)

// examined is what nova doctor is to look at.
type examined struct {
	objects        string
	express        []string
	oxia           oxiaFlags
	sessionTimeout time.Duration
	splitProbe     bool
	admin          string
}

// findingView is one thing that the doctor found. The last of each target is its verdict.
type findingView struct {
	Target string `json:"target"`
	Check  string `json:"check"`
	Result string `json:"result"` // good, warning, bad or skipped; of a verdict fit or unfit
	Says   string `json:"says"`
	Try    string `json:"try"`
}

// verdict is the name of the check that sums up a target.
const verdict = "verdict"

func (a *app) doctorCommand() *cobra.Command {
	x := &examined{}
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Find out whether an Oxia and object stores are fit for Nova",
		Long: `Use an Oxia and object stores as a star does, with rows and objects of the doctor's own, and say what they are fit for.
Nothing else is read or changed, and what the doctor writes it takes away; it may run beside stars.

Of Oxia: that its addresses, namespaces and key orders are right, conditional puts, versions that never repeat, fresh reads, secondary
indexes, sessions, clock and speed. Of stores: conditional puts, also by 32 creators at once, ranges, listings, deletes, clock and speed.

With --split-probe it also makes a namespace by the coordinator at --oxia-admin, splits its shard while records in it change, sees
whether acknowledged changes are lost, and deletes it. Only where this passes may shards be split.

The flags are those of nova serve, and so are their variables. It ends with 0 where all is fit.`,
		Example: `  nova doctor --objects 's3://nova?endpoint=http://10.0.0.5:9000'
  nova doctor --oxia oxia:6648 --oxia-naming oxia-naming:6648 -o json
  nova doctor --oxia oxia:6648 --oxia-naming-namespace naming --split-probe --oxia-admin oxia-coordinator:6651`,
		Args:        arguments(),
		Annotations: map[string]string{variables: "yes"},
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context(), x) },
	}
	f := c.Flags()
	f.StringVar(&x.objects, "objects", "", "URL of an object store, file:///DIRECTORY or s3://BUCKET/PREFIX")
	f.StringSliceVar(&x.express, "express", nil, "zone=URL of a zonal store of the express class")
	f.DurationVar(&x.sessionTimeout, "oxia-session-timeout", 5*time.Second, "time-out of the sessions that are tried")
	x.oxia.flags(f)
	f.BoolVar(&x.splitProbe, "split-probe", false, "also split a shard of a scratch namespace, and see whether that loses changes")
	f.StringVar(&x.admin, "oxia-admin", "", "HOST:PORT of Oxia's coordinator, which makes and deletes the scratch namespace")
	return c
}

func (a *app) doctor(ctx context.Context, x *examined) error {
	targets, err := x.targets()
	if err != nil {
		return err
	}
	cfg, err := x.oxia.config()
	if err != nil {
		return err
	}
	printer, err := a.printer()
	if err != nil {
		return err
	}
	d := &diagnosis{app: a, printer: printer}
	if cfg != nil {
		cfg.SessionTimeout = x.sessionTimeout
		d.oxia(ctx, x, *cfg)
	}
	for _, t := range targets {
		d.store(ctx, t)
	}
	if err := errors.Join(d.broken, printer.End()); err != nil {
		return err
	}
	return d.outcome()
}

// targets are the stores to look at, once the flags make sense.
func (x *examined) targets() ([]host.Target, error) {
	switch {
	case x.objects == "" && len(x.express) == 0 && len(x.oxia.addrs) == 0:
		return nil, usagef("nova doctor --objects s3://BUCKET --oxia HOST:PORT", "there is nothing to look at")
	case x.splitProbe && (x.admin == "" || len(x.oxia.addrs) == 0):
		return nil, usagef("--oxia HOST:PORT and --oxia-admin HOST:PORT", "--split-probe needs an Oxia and its coordinator")
	}
	if err := x.oxia.check(x.sessionTimeout); err != nil {
		return nil, err
	}
	targets, err := host.Targets(x.objects, x.express)
	if err != nil {
		return nil, usagef("--objects file:///DIRECTORY or s3://BUCKET, --express ZONE=URL", "%v", err)
	}
	return targets, nil
}

// diagnosis tells findings as they come, and keeps what the command ends with.
type diagnosis struct {
	*app
	printer *output.Printer
	broken  error    // the output
	failed  error    // the first target that could not be opened
	unfit   []string // targets that were, and are not fit
	targets int
}

// tell gives what shows the findings of a target.
func (d *diagnosis) tell(target string) func(doctor.Finding) {
	return func(f doctor.Finding) {
		d.show(findingView{Target: target, Check: f.Check, Result: string(f.Result), Says: f.Says, Try: f.Try})
	}
}

// show shows a finding: at once, or in a table at the end, where a terminal shows meanwhile how far it is.
func (d *diagnosis) show(v findingView) {
	if d.broken != nil {
		return
	}
	d.broken = d.printer.Item(v)
	switch {
	case d.printer.Format() != output.Table:
		d.broken = errors.Join(d.broken, d.printer.Flush())
	case d.StderrTerminal:
		d.say("%s", d.paint().Dim(fmt.Sprintf("%s: %s: %s", v.Target, v.Check, v.Result)))
	}
}

// opened shows where a target is.
func (d *diagnosis) opened(target, where string) {
	d.show(findingView{Target: target, Check: "open", Result: string(doctor.Good), Says: where + " can be reached and used"})
}

// oxia examines the metastore.
func (d *diagnosis) oxia(ctx context.Context, x *examined, cfg oxiameta.Config) {
	const target = "oxia"
	needed := []string{doctor.Records, doctor.Work, doctor.Ephemeral, doctor.Naming}
	subject := doctor.Subject{SessionTimeout: x.sessionTimeout}
	if x.splitProbe {
		scratch, err := oxiameta.MakeScratch(ctx, x.admin, "nova-doctor-"+strings.ToLower(rand.Text()[:8]), cfg)
		if err != nil {
			d.cannot(target, err)
			return
		}
		defer func() {
			if err := scratch.Drop(context.WithoutCancel(ctx)); err != nil {
				d.say("the scratch namespace is left behind: %v", err)
			}
		}()
		subject.Split, needed = splitter{scratch}, append(needed, doctor.Splits)
	}
	first := true
	subject.Open = func(ctx context.Context) (doctor.Client, error) {
		c, err := oxiameta.Open(ctx, cfg)
		if err == nil && first {
			first = false
			d.opened(target, "Oxia at "+strings.Join(x.oxia.addrs, ","))
		}
		return c, err
	}
	r, err := doctor.Metastore(ctx, subject, d.tell(target))
	if err != nil {
		d.cannot(target, err)
		return
	}
	d.judge(target, r, needed...)
}

// splitter is a scratch namespace as the doctor sees it.
type splitter struct{ *oxiameta.Scratch }

// Open is a client of the scratch namespace.
func (s splitter) Open(ctx context.Context) (doctor.Client, error) { return s.Scratch.Open(ctx) }

// store examines an object store.
func (d *diagnosis) store(ctx context.Context, t host.Target) {
	opened, err := t.Open(ctx)
	if err != nil {
		d.cannot(t.Name, err)
		return
	}
	defer opened.Close() //nolint:errcheck // nothing of it is left to be written
	d.opened(t.Name, "the store "+t.URL)
	needed := doctor.Standard
	if t.Zone != "" {
		needed = doctor.Express
	}
	d.judge(t.Name, doctor.Store(ctx, opened, d.tell(t.Name)), needed)
}

// judge shows the verdict on a target.
func (d *diagnosis) judge(target string, r doctor.Report, needed ...string) {
	d.targets++
	v := findingView{Target: target, Check: verdict, Result: "fit", Says: r.Verdict()}
	for _, use := range needed {
		if !r.Fit(use) && v.Result == "fit" {
			v.Result = "unfit"
			d.unfit = append(d.unfit, target)
		}
	}
	d.show(v)
}

// cannot shows that a target cannot be opened.
func (d *diagnosis) cannot(target string, err error) {
	d.targets++
	task := &taskError{doing: "look at " + target, err: err}
	var oxia *oxiameta.OpenError
	var bucket *s3blob.OpenError
	switch {
	case errors.As(err, &oxia):
		task.try = oxiaTry(oxia.Reason)
	case errors.As(err, &bucket):
		task.try = bucket.Try
	default:
		task.try = "nova doctor --help, to see what it takes"
	}
	d.show(findingView{Target: target, Check: "open", Result: string(doctor.Bad), Says: err.Error(), Try: task.try})
	d.show(findingView{Target: target, Check: verdict, Result: "unfit", Says: "fit for nothing: it cannot be opened"})
	if d.failed == nil {
		d.failed = task
	}
}

// outcome is what the command ends with.
func (d *diagnosis) outcome() error {
	if d.failed != nil {
		return d.failed
	}
	if len(d.unfit) > 0 {
		return &taskError{
			doing: "call all fit", try: "what the lines that are bad say",
			err: fmt.Errorf("%d of %d are not: %s", len(d.unfit), d.targets, strings.Join(d.unfit, ", ")),
		}
	}
	return nil
}
