package records

// Bury makes the descriptor a tombstone: the name is free for one that replaces it.
func (x *Stream) Bury() { x.Tombstone = true }

// Replace turns a tombstone into the descriptor of a new stream of the same name, which remembers the ids before it.
func (x *Stream) Replace(id string, mode Mode, class Class, createdUs int64) {
	x.ReplacedIds = append(x.ReplacedIds, x.Id)
	x.Id, x.Mode, x.Class, x.CreatedUs = id, mode, class, createdUs
	x.Tombstone = false
}
