package scenario

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/sim"
)

type filter struct{ words []string }

func (f filter) Event(at time.Duration, where, what string, kv []any) {
	line := string(sim.AppendEvent(nil, at, where, what, kv))
	if slices.ContainsFunc(f.words, func(w string) bool { return strings.Contains(line, w) }) {
		fmt.Println(line)
	}
}

func TestTrace(t *testing.T) {
	seed, _ := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	r, err := Run(Options{Seed: seed, Trace: filter{strings.Split(os.Getenv("WORDS"), "|")}})
	fmt.Println(err, r.FaultKinds)
	for _, v := range r.Violations {
		fmt.Println(v)
	}
}
