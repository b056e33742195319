package planted

import (
	"context"
	"fmt"
	"log/slog"
)

func output(ctx context.Context, p *int) {
	fmt.Print()                       // want `output: fmt.Print; return text`
	fmt.Printf("")                    // want `output: fmt.Printf`
	fmt.Println()                     // want `output: fmt.Println`
	println()                         // want `output: println writes to standard error`
	print()                           // want `output: print writes to standard error`
	slog.Debug("")                    // want `output: log/slog.Debug;`
	slog.DebugContext(ctx, "")        // want `output: log/slog.DebugContext`
	slog.Info("")                     // want `output: log/slog.Info; tell of decisions with run.Runtime.Note`
	slog.InfoContext(ctx, "")         // want `output: log/slog.InfoContext`
	slog.Warn("")                     // want `output: log/slog.Warn;`
	slog.WarnContext(ctx, "")         // want `output: log/slog.WarnContext`
	slog.Error("")                    // want `output: log/slog.Error;`
	slog.ErrorContext(ctx, "")        // want `output: log/slog.ErrorContext`
	slog.Log(ctx, slog.LevelInfo, "") // want `output: log/slog.Log;`
	slog.LogAttrs(ctx, 0, "")         // want `output: log/slog.LogAttrs`
	_ = slog.With()                   // want `output: log/slog.With;`
	slog.SetDefault(slog.Default())   // want `output: log/slog.SetDefault` `output: log/slog.Default`
	_ = fmt.Sprintf("at %p", p)       // want `pointer: %p prints an address`
	_ = fmt.Sprintf(`at %-12p`, p)    // want `pointer: %p prints an address`
	//nova:allow clock the core has none // want `allow: core has no exceptions`
}
