package cli

import (
	"errors"
	"io"

	"github.com/novastream/nova/sim/artifact"
)

// keptFailure reads a kept failure for a command. It says itself what is run, so no flag of the world may be given, nor one of
// those named. One that is of other code, or was changed, is wrong usage; with anyway, misfit says so alone.
func (w *worldFlags) keptFailure(
	command, file string, in io.Reader, anyway bool, names ...string,
) (f artifact.Failure, misfit, err error) {
	for _, name := range append(names, worldNames...) {
		if w.given(name) {
			return f, nil, usagef("novasim "+command+" "+file, "-%s: a kept failure says itself what is run", name)
		}
	}
	if f, err = artifact.Read(in); err != nil {
		return f, nil, usagef("novasim -seed N, which makes such files of what fails", "%s: %v", file, err)
	}
	misfit = f.Fits(code())
	var of interface{ Try() string }
	if errors.As(misfit, &of) && !anyway {
		return f, misfit, usagef(of.Try(), "%s: %v", file, misfit)
	}
	return f, misfit, nil
}
