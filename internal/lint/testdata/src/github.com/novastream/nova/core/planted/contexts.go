package planted

import "context"

func contexts(ctx context.Context) {
	_, _ = context.WithCancel(ctx)                    // want `context: context.WithCancel; derive contexts with run.Runtime`
	_, _ = context.WithCancelCause(ctx)               // want `context: context.WithCancelCause`
	_, _ = context.WithTimeout(ctx, 1)                // want `context: context.WithTimeout`
	_, _ = context.WithTimeoutCause(ctx, 1, nil)      // want `context: context.WithTimeoutCause`
	_, _ = context.WithDeadline(ctx, stamp)           // want `context: context.WithDeadline`
	_, _ = context.WithDeadlineCause(ctx, stamp, nil) // want `context: context.WithDeadlineCause`
	_ = context.WithValue(ctx, nil, nil)              // want `context: context.WithValue`
	_ = context.WithoutCancel(ctx)                    // want `context: context.WithoutCancel`
	_ = context.AfterFunc(ctx, func() {})             // want `context: context.AfterFunc`
	_ = context.Background()                          // want `root: context.Background; work that outlives its caller`
	_ = context.TODO()                                // want `root: context.TODO`
}
