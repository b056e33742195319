package shrink

// minimize looks for a small part of items for which test still holds, given that it holds for all of them: it leaves out
// ever smaller pieces, until no single item can be left out or more says that it is enough.
func minimize[T any](items []T, more func() bool, test func([]T) bool) []T {
	if len(items) > 0 && test(nil) {
		return nil
	}
	for pieces := 2; len(items) > 0 && more(); {
		pieces = min(pieces, len(items))
		shorter := leaveOut(items, pieces, more, test)
		switch {
		case len(shorter) < len(items):
			items, pieces = shorter, max(pieces-1, 2)
		case pieces == len(items):
			return items
		default:
			pieces *= 2
		}
	}
	return items
}

// leaveOut goes through the pieces once, from the last to the first, and leaves out each that can be missed.
func leaveOut[T any](items []T, pieces int, more func() bool, test func([]T) bool) []T {
	size := (len(items) + pieces - 1) / pieces
	for end := len(items); end > 0 && more(); end -= size {
		from := max(end-size, 0)
		rest := append(append([]T{}, items[:from]...), items[end:]...)
		if len(rest) > 0 && test(rest) {
			items = rest
		}
	}
	return items
}

// leastOf halves its way to a small n up to most for which test holds, and stops where it is as near as near to one for which
// it does not. It holds for most.
func leastOf(most, near int, more func() bool, test func(n int) bool) int {
	for low := 0; low+near < most && more(); {
		if middle := (low + most) / 2; test(middle) {
			most = middle
		} else {
			low = middle + 1
		}
	}
	return most
}
