package cli

import (
	"fmt"
	"log/slog"
)

// logger logs to stderr: text on a terminal, JSON elsewhere. What has words of its own is logged in them.
func (a *app) logger() *slog.Logger {
	options := &slog.HandlerOptions{ReplaceAttr: func(_ []string, attr slog.Attr) slog.Attr {
		if s, ok := attr.Value.Any().(fmt.Stringer); ok && attr.Value.Kind() == slog.KindAny {
			attr.Value = slog.StringValue(s.String())
		}
		return attr
	}}
	if a.StderrTerminal {
		return slog.New(slog.NewTextHandler(a.Stderr, options))
	}
	return slog.New(slog.NewJSONHandler(a.Stderr, options))
}

// announce says how a star comes and goes: in words on a terminal, elsewhere in the log, so that all lines there are of one kind.
func (a *app) announce(format string, args ...any) {
	if a.StderrTerminal {
		a.say(format, args...)
		return
	}
	a.logger().Info(fmt.Sprintf(format, args...))
}
