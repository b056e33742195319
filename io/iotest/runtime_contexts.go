package iotest

import (
	"context"
	"time"
)

func runtimeContextCases() []Case[RuntimeHarness] {
	return []Case[RuntimeHarness]{
		{"context/cancel", caseRunCancel},
		{"context/time-out", caseRunTimeout},
		{"context/children end with their parent", caseRunParents},
		{"context/values", caseRunValues},
	}
}

func caseRunCancel(h RuntimeHarness) {
	ctx, cancel := h.Run.WithCancel(h.Ctx)
	if ctx.Err() != nil {
		h.fatalf("a new context has ended: %v", ctx.Err())
	}
	cancel()
	cancel()
	h.wants(ctx.Err(), "cancelled context", context.Canceled)
	if h.Ctx.Err() != nil {
		h.fatalf("the parent ended with its child: %v", h.Ctx.Err())
	}
}

func caseRunTimeout(h RuntimeHarness) {
	const d = 20 * time.Millisecond
	before := h.Run.Elapsed()
	ctx, cancel := h.Run.WithTimeout(h.Ctx, d)
	defer cancel()
	if ctx.Err() != nil {
		h.fatalf("a new context has ended: %v", ctx.Err())
	}
	h.wants(h.Run.Sleep(ctx, time.Hour), "sleep", context.DeadlineExceeded)
	if took := h.Run.Elapsed() - before; took < d {
		h.fatalf("a time-out of %v came after %v", d, took)
	}
	h.wants(ctx.Err(), "timed out context", context.DeadlineExceeded)
	cancel()
	h.wants(ctx.Err(), "timed out context, then cancelled", context.DeadlineExceeded)
	past, cancelPast := h.Run.WithTimeout(h.Ctx, -time.Second)
	defer cancelPast()
	h.wants(h.Run.Sleep(past, time.Hour), "sleep in a context of the past", context.DeadlineExceeded)
}

func caseRunParents(h RuntimeHarness) {
	parent, cancelParent := h.Run.WithCancel(h.Ctx)
	child, cancelChild := h.Run.WithTimeout(parent, time.Hour)
	defer cancelChild()
	grandchild, cancelGrandchild := h.Run.WithCancel(child)
	defer cancelGrandchild()
	sibling, cancelSibling := h.Run.WithCancel(h.Ctx)
	defer cancelSibling()
	cancelParent()
	h.wants(h.Run.Sleep(grandchild, time.Hour), "sleep below a cancelled context", context.Canceled)
	h.wants(child.Err(), "child", context.Canceled)
	if sibling.Err() != nil {
		h.fatalf("a sibling ended too: %v", sibling.Err())
	}
	late, cancelLate := h.Run.WithCancel(parent)
	defer cancelLate()
	h.wants(h.Run.Sleep(late, time.Hour), "sleep in a child of an ended context", context.Canceled)
	short, cancelShort := h.Run.WithTimeout(h.Ctx, 10*time.Millisecond)
	defer cancelShort()
	long, cancelLong := h.Run.WithTimeout(short, time.Hour)
	defer cancelLong()
	h.wants(h.Run.Sleep(long, time.Hour), "sleep below a shorter time-out", context.DeadlineExceeded)
}

type valueKey struct{}

func caseRunValues(h RuntimeHarness) {
	ctx, cancel := h.Run.WithCancel(context.WithValue(h.Ctx, valueKey{}, "kept"))
	defer cancel()
	ctx, cancel = h.Run.WithTimeout(ctx, time.Hour)
	defer cancel()
	if ctx.Value(valueKey{}) != "kept" {
		h.fatalf("derived contexts lose values")
	}
}
