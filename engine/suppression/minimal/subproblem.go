package minimal

// subproblem is the part of the relaxation for one group at a time: which records the group serves so that their
// multipliers exceed its price by most. It must be used by one goroutine only.
type subproblem struct {
	c          *cover
	multiplier []int64 // per client, in parts of a price
	served     []int64 // per client: records
	sum        int64   // sum of the gains of the groups, negative

	filling []unprofitable // clients that the last group serves at a loss to reach k records, least loss first
	held    int64          // records of filling
	gain    int64          // total of the last group, negative if it is a gain
	gaining int64          // records that the last group serves at a gain
}

// unprofitable is a client whose records a group serves at a loss.
type unprofitable struct {
	loss   int64 // per record
	client uint32
}

// serveAll lets the groups from one index up to another serve clients if that is a gain.
func (s *subproblem) serveAll(multiplier []int64, from, to int) {
	s.multiplier, s.sum = multiplier, 0
	clear(s.served)
	for g := from; g < to; g++ {
		if s.weigh(g) && s.gain < 0 {
			s.sum += s.gain
			s.serve(g)
		}
	}
}

// weigh computes the gain of a group from all clients that it serves at a gain and as many others as it needs to
// reach k records. It reports whether it reaches k and serves at least one client at a gain.
func (s *subproblem) weigh(g int) bool {
	price := s.c.price[g] * s.c.parts
	s.gain, s.gaining, s.held, s.filling = 0, 0, 0, s.filling[:0]
	clients := s.c.groups.of(uint32(g))
	for _, i := range clients {
		if loss := price - s.multiplier[i]; loss < 0 {
			n := s.c.records[i]
			s.gain += loss * n
			s.gaining += n
		}
	}
	if s.gaining >= s.c.k || s.gaining == 0 {
		return s.gaining != 0
	}
	needed := s.c.k - s.gaining
	s.fill(clients, price, needed)
	if s.held < needed {
		return false
	}
	for _, f := range s.filling {
		n := min(needed, s.c.records[f.client])
		s.gain += f.loss * n
		needed -= n
	}
	return true
}

// fill lists the cheapest clients that provide the needed records, cheapest first.
func (s *subproblem) fill(clients []uint32, price, needed int64) {
	most := infinite
	for _, i := range clients {
		loss := price - s.multiplier[i]
		if loss < 0 || loss >= most {
			continue
		}
		at := len(s.filling)
		s.filling = append(s.filling, unprofitable{})
		for ; at > 0 && s.filling[at-1].loss > loss; at-- {
			s.filling[at] = s.filling[at-1]
		}
		s.filling[at] = unprofitable{loss, i}
		s.held += s.c.records[i]
		last := len(s.filling) - 1
		for ; s.held-s.records(last) >= needed; last-- {
			s.held -= s.records(last)
			s.filling = s.filling[:last]
		}
		if s.held >= needed {
			most = s.filling[last].loss
		}
	}
}

// records returns the number of records of a client in filling.
func (s *subproblem) records(at int) int64 { return s.c.records[s.filling[at].client] }

// serve records which clients a weighed group serves.
func (s *subproblem) serve(g int) {
	price := s.c.price[g] * s.c.parts
	for _, i := range s.c.groups.of(uint32(g)) {
		if price < s.multiplier[i] {
			s.served[i] += s.c.records[i]
		}
	}
	needed := s.c.k - s.gaining
	for at, f := range s.filling {
		n := min(needed, s.records(at))
		s.served[f.client] += n
		needed -= n
	}
}
