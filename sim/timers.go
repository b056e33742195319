package sim

import "math"

// Event is something that happens at an instant. Fire must not wait.
type Event interface{ Fire(arg uint32) }

// callback makes a plain function an Event. A function value is one word, so this allocates nothing of its own.
type callback func()

// Fire calls the function.
func (f callback) Fire(uint32) { f() }

// TimerID names a pending event. The zero value names none.
type TimerID struct {
	slot int32
	gen  uint32
}

// timerQueue is a 4-ary heap of small keys over a table of slots. Events at one instant fire in the order in which they
// were added. Removing is exact, so that the many deadlines that never pass leave nothing behind.
type timerQueue struct {
	heap  []timerKey
	slots []timerSlot
	free  []int32
	added uint64
}

type timerKey struct {
	at   int64
	seq  uint64
	slot int32
}

type timerSlot struct {
	ev  Event
	arg uint32
	gen uint32
	pos int32
}

func (k timerKey) before(o timerKey) bool { return k.at < o.at || (k.at == o.at && k.seq < o.seq) }

func (q *timerQueue) len() int { return len(q.heap) }

// next is the time of the earliest event, or the end of time.
func (q *timerQueue) next() int64 {
	if len(q.heap) == 0 {
		return math.MaxInt64
	}
	return q.heap[0].at
}

func (q *timerQueue) add(at int64, ev Event, arg uint32) TimerID {
	var slot int32
	if n := len(q.free); n > 0 {
		slot = q.free[n-1]
		q.free = q.free[:n-1]
	} else {
		slot = int32(len(q.slots))
		q.slots = append(q.slots, timerSlot{gen: 1})
	}
	s := &q.slots[slot]
	s.ev, s.arg = ev, arg
	q.added++
	q.heap = append(q.heap, timerKey{at, q.added, slot})
	q.up(len(q.heap) - 1)
	return TimerID{slot, s.gen}
}

// pop takes the earliest event out. The queue must not be empty.
func (q *timerQueue) pop() (at int64, ev Event, arg uint32) {
	top := q.heap[0]
	s := &q.slots[top.slot]
	ev, arg = s.ev, s.arg
	q.drop(0)
	return top.at, ev, arg
}

// remove takes a pending event out; one that is not pending is left alone.
func (q *timerQueue) remove(id TimerID) bool {
	if id.gen == 0 || q.slots[id.slot].gen != id.gen {
		return false
	}
	q.drop(int(q.slots[id.slot].pos))
	return true
}

// drop removes the key at heap position i and frees its slot.
func (q *timerQueue) drop(i int) {
	slot := q.heap[i].slot
	s := &q.slots[slot]
	s.ev = nil
	s.gen++
	q.free = append(q.free, slot)
	last := len(q.heap) - 1
	moved := q.heap[last]
	q.heap = q.heap[:last]
	if i == last {
		return
	}
	q.heap[i] = moved
	if !q.up(i) {
		q.down(i)
	}
}

// up moves the key at i towards the root and says whether it moved.
func (q *timerQueue) up(i int) bool {
	k, start := q.heap[i], i
	for i > 0 {
		parent := (i - 1) / 4
		if !k.before(q.heap[parent]) {
			break
		}
		q.place(i, q.heap[parent])
		i = parent
	}
	q.place(i, k)
	return i != start
}

func (q *timerQueue) down(i int) {
	k, n := q.heap[i], len(q.heap)
	for {
		child := 4*i + 1
		if child >= n {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, n); c++ {
			if q.heap[c].before(q.heap[least]) {
				least = c
			}
		}
		if !q.heap[least].before(k) {
			break
		}
		q.place(i, q.heap[least])
		i = least
	}
	q.place(i, k)
}

func (q *timerQueue) place(i int, k timerKey) {
	q.heap[i] = k
	q.slots[k.slot].pos = int32(i)
}
