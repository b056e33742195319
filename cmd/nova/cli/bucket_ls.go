package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/io/peer"
)

func (a *app) bucketListCommand() *cobra.Command {
	var prefix string
	c := &cobra.Command{
		Use:     "ls",
		Aliases: []string{"list"},
		Short:   "List buckets by name",
		Example: `  nova bucket ls
  nova bucket ls --prefix prod- -o json`,
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return list(cmd.Context(), a, "list buckets", prefix,
				func(ctx context.Context, fleet peer.Star, page peer.Page) ([]peer.Bucket, error) {
					return fleet.ListBuckets(ctx, page)
				},
				func(b peer.Bucket) string { return b.Name },
				func(b peer.Bucket) any { return viewBucket(b) })
		},
	}
	c.Flags().StringVar(&prefix, "prefix", "", "only names that start with it")
	return c
}

// list prints every page of a listing, each as soon as it is here.
func list[T any](
	ctx context.Context, a *app, doing, prefix string,
	next func(context.Context, peer.Star, peer.Page) ([]T, error), name func(T) string, view func(T) any,
) error {
	printer, fleet, close, err := a.asking(ctx)
	if err != nil {
		return err
	}
	defer close()
	page := peer.Page{Prefix: prefix}
	for {
		items, err := onePage(ctx, a, fleet, page, next)
		if err != nil {
			return &taskError{doing: doing, err: err}
		}
		if len(items) == 0 {
			return printer.End()
		}
		for _, item := range items {
			if err := printer.Item(view(item)); err != nil {
				return err
			}
			page.After = name(item)
		}
		if err := printer.Flush(); err != nil {
			return err
		}
	}
}

func onePage[T any](
	ctx context.Context, a *app, fleet peer.Star, page peer.Page, next func(context.Context, peer.Star, peer.Page) ([]T, error),
) ([]T, error) {
	ctx, cancel := a.answer(ctx)
	defer cancel()
	return next(ctx, fleet, page)
}
