package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/cmd/nova/output"
	"github.com/novastream/nova/io/peer"
)

// A shell waits for what these say: they take no longer than completionTimeout and then say nothing.
const (
	completionTimeout = time.Second
	completionNames   = 100
)

// completions gives root the command that prints completion scripts, which refuses a shell that it does not know, and
// completes the formats of --output. It comes after root's output is set: the scripts go there.
func completions(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			group(c)
		}
	}
	known := func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		formats := output.Formats()
		if cmd.Name() == "read" {
			formats = append(formats, string(output.Raw))
		}
		return formats, cobra.ShellCompDirectiveNoFileComp
	}
	if err := root.RegisterFlagCompletionFunc("output", known); err != nil {
		panic(err) // the flag is there, and nobody else completes it
	}
}

// completeBucket completes the name of a bucket.
func (a *app) completeBucket(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.bucketNames(cmd, typed), cobra.ShellCompDirectiveNoFileComp
}

// completeStream completes the name of a stream: first its bucket, then its key.
func (a *app) completeStream(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	bucket, prefix, ok := strings.Cut(typed, "/")
	if !ok {
		names := a.bucketNames(cmd, typed)
		for i := range names {
			names[i] += "/"
		}
		return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	var names []string
	a.ask(cmd, func(ctx context.Context, fleet peer.Star) {
		streams, _ := fleet.ListStreams(ctx, bucket, peer.Page{Prefix: prefix, Limit: completionNames})
		for _, s := range streams {
			names = append(names, s.Name.String())
		}
	})
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (a *app) bucketNames(cmd *cobra.Command, prefix string) (names []string) {
	a.ask(cmd, func(ctx context.Context, fleet peer.Star) {
		buckets, _ := fleet.ListBuckets(ctx, peer.Page{Prefix: prefix, Limit: completionNames})
		for _, b := range buckets {
			names = append(names, b.Name)
		}
	})
	return names
}

// ask asks the fleet for a moment.
func (a *app) ask(cmd *cobra.Command, question func(ctx context.Context, fleet peer.Star)) {
	if a.fromEnv(cmd) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), completionTimeout)
	defer cancel()
	fleet, close, err := a.connect(ctx)
	if err != nil {
		return
	}
	defer close()
	question(ctx, fleet)
}
