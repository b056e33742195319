package planted

import (
	old "math/rand" // want `import: core may not import math/rand: chance comes from run.Runtime.Rand`
	"math/rand/v2"
)

func chance() {
	_ = old.Intn(6)                    // want `chance: math/rand.Intn`
	_ = rand.IntN(6)                   // want `chance: math/rand/v2.IntN; take chance from run.Runtime.Rand`
	_ = rand.N(6)                      // want `chance: math/rand/v2.N`
	rand.Shuffle(0, func(_, _ int) {}) // want `chance: math/rand/v2.Shuffle`
}
