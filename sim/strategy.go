package sim

import (
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"
)

// Strategy is how the scheduler chooses among tasks that can run at one instant.
type Strategy uint8

// The strategies. Some bugs need one task to be late again and again, which equal chances hardly ever bring about.
const (
	Uniform    Strategy = iota
	Priorities          // probabilistic concurrency testing, with change points by chance
	StarveTask
	StarveProcess
	strategies
)

var strategyNames = [strategies]string{"uniform", "priorities", "starve-task", "starve-process"}

func (s Strategy) String() string { return strategyNames[s] }

// Doc is one line about the strategy.
func (s Strategy) Doc() string {
	return [strategies]string{
		"each task that can run has an equal chance",
		"each task has a priority, and the highest goes first; now and then one loses its own",
		"one task waits for all others, for a while; then another",
		"all tasks of one process wait for those of the others, for a while; then of another",
	}[s]
}

// Strategies are all strategies, in order.
func Strategies() []Strategy { return []Strategy{Uniform, Priorities, StarveTask, StarveProcess} }

// ParseStrategy finds a strategy by its name.
func ParseStrategy(name string) (Strategy, error) {
	i := slices.Index(strategyNames[:], name)
	if i < 0 {
		return 0, fmt.Errorf("strategy %q: there is none of that name; they are %v", name, Strategies())
	}
	return Strategy(i), nil
}

// chooser chooses other than by equal chances.
type chooser struct {
	strategy Strategy
	seed     uint64   // of priorities
	period   int      // choices between two changes, on average
	lost     []uint64 // tasks that lost their priority, the last one last

	process *Process // that is starved; nil: none yet
	task    string   // of it, by name; empty: all
}

// keptLost is how many tasks are remembered to have lost their priority; a task that is forgotten has it back.
const keptLost = 16

func newChooser(w *World, s Strategy) *chooser {
	if s == Uniform {
		return nil
	}
	chance := w.Dice("strategy")
	return &chooser{strategy: s, seed: chance.Uint64(), period: []int{30, 300, 3000}[chance.IntN(3)]}
}

// choose picks one of the tasks that can run.
func (c *chooser) choose(ready []*Task, chance *pcg) int {
	change := chance.below(c.period) == 0
	if c.strategy == Priorities {
		i := c.first(ready)
		if change {
			c.lost = append(c.lost, ready[i].id)
			c.lost = c.lost[max(0, len(c.lost)-keptLost):]
			i = c.first(ready)
		}
		return i
	}
	i := chance.below(len(ready))
	if change || c.process == nil {
		c.process, c.task = ready[i].process, ""
		if c.strategy == StarveTask {
			c.task = ready[i].name
		}
	}
	for range ready {
		if t := ready[i]; t.process != c.process || (c.task != "" && t.name != c.task) {
			break
		}
		i = (i + 1) % len(ready)
	}
	return i
}

// first is the task of the highest priority.
func (c *chooser) first(ready []*Task) int {
	best, highest := 0, uint64(0)
	for i, t := range ready {
		if p := c.priority(t.id); p > highest {
			best, highest = i, p
		}
	}
	return best
}

// priority of a task is drawn for it; one that has lost it comes behind all, and behind those that lost it before.
func (c *chooser) priority(id uint64) uint64 {
	if i := slices.Index(c.lost, id); i >= 0 {
		return uint64(len(c.lost) - i)
	}
	return keptLost + xxh3.HashSeed([]byte{byte(id), byte(id >> 8), byte(id >> 16), byte(id >> 24)}, c.seed)>>1
}
