package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/sim/timeline"
)

// keepEvents leaves the events around the first violation of a run, those that led to its first violation, and its page. heard is its history.
func keepEvents(v *view, events *timeline.Collector, heard history.Source) error {
	trace := strings.Join(events.Lines(keptEvents, keptBehind), "\n") + "\n"
	if err := os.WriteFile(filepath.Join(v.Artifact, "trace.txt"), []byte(trace), 0o666); err != nil {
		return err
	}
	if told := explanation(events); told != "" {
		if err := os.WriteFile(filepath.Join(v.Artifact, "slice.txt"), []byte(told), 0o666); err != nil {
			return err
		}
	}
	return writePage(filepath.Join(v.Artifact, "timeline.html"), pageOf(v, events, heard))
}

// keptHistory is the history of an artifact, as far as it was written.
func keptHistory(v *view) (source history.Source, done func(), err error) {
	file, err := os.Open(filepath.Join(v.Artifact, "history.jsonl"))
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = file.Close() } // it was only read
	source, err = history.NewStored(file)
	if err != nil {
		done()
		return nil, nil, err
	}
	return source, done, nil
}

// explanation is what led to the first violation; empty where the trace has none.
func explanation(events *timeline.Collector) string {
	slice := timeline.Explain(events.Events())
	if slice == nil {
		return ""
	}
	var text strings.Builder
	_ = slice.Write(&text) // a Builder takes all
	return text.String()
}

// pageOf is the page of a run.
func pageOf(v *view, events *timeline.Collector, heard history.Source) *timeline.Page {
	run := timeline.Run{
		Title: fmt.Sprintf("novasim, seed %d", v.Seed), Verdict: string(v.Verdict), Undecided: v.Undecided,
		Facts: []timeline.Fact{
			{Name: "scenario", Text: v.Scenario},
			{Name: "fleet", Text: fmt.Sprintf("%d stars, %d zones, %d clients, %d streams, %s", v.Stars, v.Zones, v.Clients, v.Streams, v.Duration)},
			{Name: "faults", Text: strings.Join(v.FaultsOn, " ")}, {Name: "trace hash", Text: v.TraceHash}, {Name: "command", Text: v.Repeat},
		},
		Violations: toldOnPage(v.Violations),
	}
	run.Of, run.Porcupine = pictureOf(streamOfFirst(events), heard)
	return timeline.FromTrace(run, events)
}

func toldOnPage(found []violation) []timeline.Violation {
	var told []timeline.Violation
	for _, one := range found {
		told = append(told, timeline.Violation{Check: one.Check, Sentence: one.Sentence, Detail: one.Detail})
	}
	return told
}

// streamOfFirst is the stream that the first violation is about; empty where it names none.
func streamOfFirst(events *timeline.Collector) string {
	all := events.Events()
	for i := range all {
		if all[i].What == "violation" {
			if stream := all[i].Get("stream"); stream != "" {
				return stream
			}
		}
	}
	return ""
}

// pictureOf is porcupine's own page of a stream. Without it the page is still a page.
func pictureOf(stream string, heard history.Source) (of string, picture []byte) {
	if stream == "" || heard == nil {
		return "", nil
	}
	picture, err := history.Picture(heard, stream, history.DefaultConfig())
	if err != nil || picture == nil {
		return "", nil
	}
	return stream, picture
}

func writePage(name string, page *timeline.Page) error {
	file, err := createOutput(name)
	if err != nil {
		return err
	}
	return placePage(file, page)
}

// placePage writes a page into its file, and puts that in its place.
func placePage(file *output, page *timeline.Page) error {
	err := page.Write(file)
	return errors.Join(err, file.place(err == nil))
}

// draw writes the page of a history that was judged.
func (j *judgement) draw(file *output, source history.Source, result history.Result) error {
	run := timeline.Run{
		Title: "novasim check " + filepath.Base(j.File), Verdict: string(j.Verdict), Undecided: j.Undecided,
		Facts: []timeline.Fact{
			{Name: "made by", Text: j.MadeBy}, {Name: "witness", Text: j.Witness.Text}, {Name: "porcupine", Text: j.Porcupine.Text},
		},
		Violations: toldOnPage(j.Violations),
	}
	if len(result.Violations) > 0 {
		run.Of, run.Porcupine = pictureOf(result.Violations[0].Stream, source)
	}
	page, err := timeline.FromHistory(run, source, result)
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", j.File, err), file.place(false))
	}
	return placePage(file, page)
}
