package artifact

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/sim/scenario"
	"github.com/novastream/nova/sim/script"
)

// full is a failure of which no field has its zero value.
func full() Failure {
	return Failure{
		Code: Code{Revision: "abc", Modified: true, Course: "12"}, MadeBy: "novasim shrink -seed 7",
		Options: scenario.Options{
			Seed: 7, Scenario: "default", Stars: 3, Zones: 1, Clients: 2, Streams: 4, Duration: 90 * time.Second,
			Faults: []string{"crash"}, Bugs: planted.Of(planted.NoPoison), Hasty: true, Strategy: "priorities",
			Script: &script.Script{
				Acts:    []script.Act{{At: 5, Line: "client-1 produce", N: 2, Sub: 3}, {At: 7, Line: "hit blob.late zone-a", N: 1, Pass: 2, Arg: 9}},
				Choices: script.Ranges{{From: 3, To: 5}}, Streams: []int{0, 2},
			},
		},
		Hash: 0xabcdef, Check: "history:lost-ack", Sentence: "it is lost",
	}
}

func written(t *testing.T, f Failure) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, f); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestRoundTrip reads what was written: with a script, with an empty one, without one; with faults, without, and a swarm.
func TestRoundTrip(t *testing.T) {
	plain, empty, swarm := full(), full(), full()
	plain.Options.Script, plain.Options.Faults = nil, []string{}
	empty.Options.Script = &script.Script{Streams: []int{}}
	swarm.Options.Faults, swarm.Options.Script.Streams = nil, nil
	for _, f := range []Failure{full(), plain, empty, swarm} {
		back, err := Read(strings.NewReader(written(t, f)))
		if err != nil || !reflect.DeepEqual(back, f) {
			t.Errorf("%v\n%+v\n%+v", err, back, f)
		}
	}
}

// TestEveryOption sees that the file has every option that says what runs: full sets each of them.
func TestEveryOption(t *testing.T) {
	o := reflect.ValueOf(full().Options)
	for i := range o.NumField() {
		switch name := o.Type().Field(i).Name; name {
		case "Acts", "Trace", "History": // who watches
		case "Tape", "Searched": // of replays, which are kept by their history
		case "Cut": // what fails has failed by then
		default:
			if o.Field(i).IsZero() {
				t.Errorf("scenario.Options has a field %s; a failure's file must hold it, and this test must set it", name)
			}
		}
	}
}

// TestDamaged refuses files that are cut off, or have what this code does not know.
func TestDamaged(t *testing.T) {
	whole := written(t, full())
	lines := strings.SplitAfter(whole, "\n")
	for name, text := range map[string]string{
		"more behind it": whole + "x", "a line behind it": whole + lines[1], "more in a line": strings.Replace(whole, "}\n", "} x\n", 1),
		"empty": "", "without its end": strings.Join(lines[:len(lines)-2], ""), "a torn line": whole[:len(whole)-5],
		"another version": strings.Replace(whole, `"nova_failure":2`, `"nova_failure":3`, 1),
		"unknown field":   strings.Replace(whole, `"seed"`, `"sead"`, 1),
		"unknown bug":     strings.Replace(whole, "no-poison", "no-such-bug", 1),
		"no script":       strings.Replace(whole, `"scripted":true,"choices":[{"from":3,"to":5}],"only_streams":[0,2]`, `"hasty":true`, 1),
	} {
		var bad *FileError
		if _, err := Read(strings.NewReader(text)); !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestChanged: whatever is changed in a file, it is known as changed.
func TestChanged(t *testing.T) {
	whole := written(t, full())
	for _, c := range [][2]string{{`"seed":`, `"seed":1`}, {`"n":`, `"n":1`}, {`"check":"`, `"check":"x`}, {`"sentence":"`, `"sentence":"x`}, {`"course":"`, `"course":"x`}} {
		f, err := Read(strings.NewReader(strings.Replace(whole, c[0], c[1], 1)))
		var changed *ChangedError
		if err != nil || !f.Changed || !errors.As(f.Fits(f.Code), &changed) {
			t.Errorf("%s instead of %s: changed %t, %v", c[1], c[0], f.Changed, err)
		}
	}
	if f, err := Read(strings.NewReader(whole)); err != nil || f.Changed {
		t.Errorf("what was not changed: changed %t, %v", f.Changed, err)
	}
}

// TestFits refuses what another version of the code made, and says how to get at it.
func TestFits(t *testing.T) {
	f := full()
	for _, c := range []struct {
		have Code
		fits bool
	}{
		{Code{Revision: "abc", Course: "12"}, true}, {Code{Course: "12"}, true},
		{Code{Revision: "abd", Course: "12"}, false}, {Code{Revision: "abc", Course: "13"}, false},
	} {
		err := f.Fits(c.have)
		if (err == nil) != c.fits {
			t.Errorf("%+v: %v", c.have, err)
		}
		var other *CodeError
		if errors.As(err, &other) && !strings.Contains(other.Try(), "git checkout abc") {
			t.Errorf("the advice is %q", other.Try())
		}
	}
}

// TestCourse is the same each time.
func TestCourse(t *testing.T) {
	if a, b := Course(), Course(); a != b || len(a) != 16 {
		t.Errorf("%s, %s", a, b)
	}
}
