package oxiameta

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// maxStale is how often in a row assignments may look stale before they are believed: then it is the earlier ones that were
// taken back.
const maxStale = 5

// follow keeps the table until the client closes, asking one server after another.
func (sp *space) follow(ctx context.Context) {
	failures, stale := 0, 0
	for turn := 0; ctx.Err() == nil; turn++ {
		addr := sp.seed(turn)
		took, err := sp.followAt(ctx, addr, stale >= maxStale)
		if ctx.Err() != nil {
			return
		}
		if took {
			failures = 0
		}
		if errors.Is(err, errStale) {
			stale++
		} else if took {
			stale = 0
		}
		failures++
		sp.troubled(addr, err)
		if waitFor(ctx, nil, pause(failures)) != nil {
			return
		}
	}
}

// seed is the server to ask: the configured ones in turn, then those that were heard of.
func (sp *space) seed(turn int) string {
	addrs := slices.Clone(sp.servers.cfg.Addresses)
	known := sp.servers.known()
	slices.Sort(known)
	for _, addr := range known {
		if !slices.ContainsFunc(addrs, func(seed string) bool { return bare(seed) == addr }) {
			addrs = append(addrs, addr)
		}
	}
	return addrs[turn%len(addrs)]
}

// followAt follows the assignments that one server tells, and says whether it told any that were taken.
func (sp *space) followAt(ctx context.Context, addr string, force bool) (took bool, err error) {
	srv, err := sp.servers.at(addr)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// A server that neither answers nor hangs up is left for another one.
	silence := time.AfterFunc(attemptTimeout, func() { cancel(errSilent) })
	defer silence.Stop()
	stream, err := srv.rpc.GetShardAssignments(ctx, &oxiav1.ShardAssignmentsRequest{Namespace: sp.namespace})
	if err != nil {
		return false, err
	}
	for {
		msg, err := stream.Recv()
		switch {
		case errors.Is(context.Cause(ctx), errSilent):
			return took, fmt.Errorf("no assignments within %v: %w", attemptTimeout, errSilent)
		case err != nil:
			return took, err
		}
		silence.Stop()
		all := msg.GetNamespaces()[sp.namespace]
		if all == nil {
			return took, fmt.Errorf("assignments without namespace %s", sp.namespace)
		}
		if err := sp.apply(all, force); err != nil {
			return took, err
		}
		took = true
	}
}

// troubled notes why assignments do not come. Those known stay in use.
func (sp *space) troubled(addr string, err error) {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	if sp.trouble == nil {
		sp.client.cfg.Log.Warn("assignments do not come", "namespace", sp.namespace, "address", addr, "error", plain(err))
	}
	reason, _ := reasonOf(err)
	sp.trouble = &OpenError{Address: addr, Namespace: sp.namespace, Reason: reason, Err: err}
	sp.change()
}

// ready waits until the first assignments are there. It gives up early when every configured server was asked and one says
// what waiting does not heal.
func (sp *space) ready(ctx context.Context) error {
	var certain *OpenError
	for asked := 0; ; {
		sp.mu.Lock()
		table, changed, trouble := sp.table, sp.changed, sp.trouble
		sp.mu.Unlock()
		if len(table) > 0 {
			return nil
		}
		var why *OpenError
		if errors.As(trouble, &why) {
			asked++
			if _, sure := reasonOf(why.Err); sure {
				found := *why
				certain = &found
			}
		}
		if certain != nil && asked >= len(sp.servers.cfg.Addresses) {
			if certain.Reason == NotOxia && sp.speaksOldName(ctx, certain.Address) {
				certain.Reason = TooOld
			}
			return certain
		}
		if err := waitFor(ctx, changed, time.Hour); err != nil {
			if why == nil {
				why = &OpenError{Address: sp.servers.cfg.Addresses[0], Namespace: sp.namespace, Reason: Silent, Err: err}
			}
			return why
		}
	}
}
