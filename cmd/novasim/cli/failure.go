package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/novastream/nova/sim/artifact"
	"github.com/novastream/nova/sim/scenario"
)

// failureFile is the file of an artifact that novasim replay takes.
const failureFile = "failure.nova"

// keepFailure leaves the file by which the run can be replayed.
func keepFailure(v *view, r scenario.Report) error {
	var text bytes.Buffer
	if err := artifact.Write(&text, artifact.Of(code(), v.Repeat, r)); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(v.Artifact, failureFile), text.Bytes(), 0o666)
}

// code is the version of the code that runs here.
func code() artifact.Code {
	c := artifact.Code{Course: artifact.Course()}
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, s := range build.Settings {
			switch s.Key {
			case "vcs.revision":
				c.Revision = s.Value
			case "vcs.modified":
				c.Modified = s.Value == "true"
			}
		}
	}
	return c
}
