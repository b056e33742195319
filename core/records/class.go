package records

import "fmt"

// Word is the class as people call it.
func (x Class) Word() string {
	switch x {
	case Class_CLASS_STANDARD:
		return "standard"
	case Class_CLASS_EXPRESS:
		return "express"
	default:
		return fmt.Sprintf("class %d", int32(x))
	}
}
