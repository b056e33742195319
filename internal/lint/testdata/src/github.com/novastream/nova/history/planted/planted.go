package planted

import (
	"context"
	_ "os" // want `import: history may not import os`
	"time"
)

func check(m map[string]int) {
	_ = time.Now() // want `clock: time.Now`
	for range m {  // want `map-order: range over a map`
	}
	go check(nil)            // want `go: go statement`
	_ = context.Background() // want `root: context.Background`
}
