package history

// acknowledged judges an append that was told its seqs.
func (s *stream) acknowledged(o *op, c Complete) {
	by := o.ref()
	if c.Next < c.First || c.Next-c.First != Seq(len(o.Hashes)) {
		s.violate(BadAck, []Ref{by}, "%s has %d records and was acknowledged from seq %d to before seq %d", by, len(o.Hashes), c.First, c.Next)
		return
	}
	if s.readBack && !s.kept(o, c) {
		return
	}
	s.inPlace(o, c.First, "was acknowledged at")
	s.placed = append(s.placed, placed{c.First, c.Next, o.Token, by})
	s.floor = s.floor.raise(floor{c.Next, by, acknowledged})
	s.tokenFloor = s.tokenFloor.raise(o.Token, by)
}

// kept says whether the final contents have the records of an acknowledged append where it was told.
func (s *stream) kept(o *op, c Complete) bool {
	by := o.ref()
	for i, h := range o.Hashes {
		seq := c.First + Seq(i)
		if seq >= Seq(len(s.final)) {
			s.violate(LostAck, []Ref{by}, "%s was acknowledged at %s, but %s", by, seqs(c.First, c.Next), s.ends())
			return false
		}
		if s.final[seq] != h {
			s.violate(LostAck, []Ref{by}, "%s was acknowledged at %s, but the final contents have another record at seq %d", by, seqs(c.First, c.Next), seq)
			return false
		}
	}
	return true
}

// inPlace judges the place of an append that is in the stream, whether it was acknowledged or found there.
func (s *stream) inPlace(o *op, first Seq, how string) {
	by := o.ref()
	next := first + Seq(len(o.Hashes))
	if o.Match != nil && *o.Match != first {
		s.violate(MatchIgnored, []Ref{by}, "%s was to match seq %d, but %s %s", by, *o.Match, how, seqs(first, next))
	}
	if first < o.floor.tail {
		rule := Ahead
		if o.floor.how == acknowledged {
			rule = Order
		}
		s.violate(rule, []Ref{by, o.floor.by}, "%s %s %s, although %s before it was invoked", by, how, seqs(first, next), o.floor)
	}
	if o.Token != 0 && o.Token < o.tokenFloor.token {
		s.violate(Superseded, []Ref{by, o.tokenFloor.by}, "%s with token %d %s %s, although %s before it was invoked",
			by, o.Token, how, seqs(first, next), o.tokenFloor)
	}
}

// atMost judges an answer that the tail is not beyond a seq.
func (s *stream) atMost(end floor, o *op) {
	if end.tail < o.floor.tail {
		s.violate(Stale, []Ref{end.by, o.floor.by}, "%s found nothing from seq %d on, although %s before it was invoked", end.by, end.tail, o.floor)
	}
}

// sight judges what an operation said of the tail, and says whether it can be true.
func (s *stream) sight(seen floor, o *op) bool {
	if seen.tail < o.floor.tail {
		s.violate(Stale, []Ref{seen.by, o.floor.by}, "%s, although %s before it was invoked", said(seen), o.floor)
		return false
	}
	if s.readBack && seen.tail > Seq(len(s.final)) {
		s.violate(Ahead, []Ref{seen.by}, "%s, but %s", said(seen), s.ends())
		return false
	}
	s.sightings = append(s.sightings, seen)
	s.floor = s.floor.raise(seen)
	return true
}

// refused judges a conditional append that failed because the tail did not match.
func (s *stream) refused(o *op, c Complete) {
	by := o.ref()
	if c.Tail == *o.Match {
		s.violate(WrongRefusal, []Ref{by}, "%s was to match seq %d and was refused with exactly that tail", by, *o.Match)
		return
	}
	s.sight(floor{c.Tail, by, refused}, o)
}

// read judges the records of a read, and the end it tells.
func (s *stream) read(o *op, c Complete) {
	by := o.ref()
	if !s.readRun(o, c) {
		return
	}
	end := c.AtTail && c.Next >= o.From
	switch {
	case !o.Linearizable || !end:
	case len(c.Hashes) == 0: // the tail is at or below what was asked for
		s.atMost(floor{c.Next, by, answered}, o)
	case !s.sight(floor{c.Next, by, answered}, o):
		return
	}
	if len(c.Hashes) > 0 {
		s.floor = s.floor.raise(floor{c.Next, by, returned})
	}
	if o.Linearizable {
		return
	}
	if end && c.Next < o.readerFloor.tail {
		s.violate(WentBack, []Ref{by, o.readerFloor.by}, "%s ended at tail %d, although %s to the same reader before", by, c.Next, o.readerFloor)
	}
	if len(c.Hashes) > 0 {
		s.readers[o.Client] = s.readers[o.Client].raise(floor{c.Next, by, returned})
	}
}

// readRun says whether a read returned one run of the final contents, beginning where it was asked to.
func (s *stream) readRun(o *op, c Complete) bool {
	by := o.ref()
	if len(c.Hashes) > 0 && c.First != o.From {
		s.violate(ReadMismatch, []Ref{by}, "%s asked for records from seq %d and got them from seq %d", by, o.From, c.First)
		return false
	}
	if c.Next < c.First || c.Next-c.First != Seq(len(c.Hashes)) {
		s.violate(ReadMismatch, []Ref{by}, "%s returned %d records from seq %d to before seq %d", by, len(c.Hashes), c.First, c.Next)
		return false
	}
	if !s.readBack {
		return true
	}
	for i, h := range c.Hashes {
		seq := c.First + Seq(i)
		if seq >= Seq(len(s.final)) {
			s.violate(ReadMismatch, []Ref{by}, "%s returned a record at seq %d, but %s", by, seq, s.ends())
			return false
		}
		if s.final[seq] != h {
			s.violate(ReadMismatch, []Ref{by}, "%s returned at seq %d another record than the final contents have there", by, seq)
			return false
		}
	}
	return true
}
