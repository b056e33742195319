//go:build race

package fleet

// The race detector makes the burst over 300 stars a matter of minutes, and has nothing to find in a pure function.
func init() { burstSizes = []int{3, 30} }
