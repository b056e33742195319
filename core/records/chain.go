package records

// Mint takes the next chain epoch for a process life and names it the head of its class.
func (x *Chain) Mint(class Class, boot string) uint64 {
	x.Counter++
	head := x.Head(class)
	if head == nil {
		head = &Head{Class: class}
		x.Heads = append(x.Heads, head)
	}
	head.Epoch, head.Boot = x.Counter, boot
	return x.Counter
}

// Head is the head of a class, or nil where none was minted yet.
func (x *Chain) Head(class Class) *Head {
	for _, head := range x.GetHeads() {
		if head.GetClass() == class {
			return head
		}
	}
	return nil
}
