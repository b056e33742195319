package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// childPatience is how long a child that was told to end may take, before it is killed.
const childPatience = 5 * time.Second

// Exec is the ChildFunc of a real command line.
func Exec(ctx context.Context, program string, args, env []string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = childPatience
	cmd.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == exitFailed || exit.ExitCode() == exitUndecided) && len(stdout) > 0 {
		return stdout, nil
	}
	if ctx.Err() != nil || (exit != nil && exit.ExitCode() == exitUndecided) { // an interrupt at the terminal is one of both
		return nil, errInterrupted
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w%s", program, strings.Join(args, " "), err, strings.TrimRight("\n"+stderr.String(), "\n"))
	}
	return stdout, nil
}
