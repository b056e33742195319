package cli

import "github.com/novastream/nova/cmd/terminal"

// follow tells on stderr what say says, now and then, until it is stopped. say is called by a goroutine of its own.
func follow(e Env, say func() string) *terminal.Progress {
	return terminal.Follow(e.Stderr, e.StderrTerminal, say)
}
