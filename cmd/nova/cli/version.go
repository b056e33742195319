package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is what the Go toolchain stamped into the binary: a module version, or the revision it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Example: `  nova version
  nova version -o json`,
		Args: arguments(),
		RunE: func(*cobra.Command, []string) error {
			return a.one(versionView{Version: version(), Go: runtime.Version()})
		},
	}
}
