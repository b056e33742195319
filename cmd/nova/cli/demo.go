package cli

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/cmd/nova/demo"
)

// demoBudget is the most that the story may take.
const demoBudget = 2 * time.Minute

func (a *app) demoCommand() *cobra.Command {
	var text string
	c := &cobra.Command{
		Use:    "demo",
		Short:  "Tell a story of three stars, one of which is killed",
		Hidden: true,
		Example: `  nova demo
  nova demo --text war-and-peace.txt`,
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), demoBudget)
			defer cancel()
			return a.demo(ctx, text)
		},
	}
	c.Flags().StringVar(&text, "text", "", "the text file to append (default: Nova's licence)")
	return c
}

func (a *app) demo(ctx context.Context, text string) error {
	dir, err := os.MkdirTemp("", "nova-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left is in the temporary directory
	cfg := demo.Config{Dir: dir, Out: a.Stdout}
	if text != "" {
		if cfg.Text, err = os.ReadFile(text); err != nil {
			return usagef("--text with the path of a text file", "cannot read --text: %v", err)
		}
		cfg.Name = filepath.Base(text)
	}
	if err := demo.Tell(ctx, cfg); err != nil {
		return &taskError{doing: "tell the story to its end", err: err}
	}
	return nil
}
