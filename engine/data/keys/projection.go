package keys

// projection numbers masked packed codes. The first word is looked up directly, each half of a further word
// together with the number so far, so that codes of any length are distinguished exactly.
type projection struct{ steps []*index }

func newProjection(words int) *projection {
	p := &projection{steps: make([]*index, 2*words-1)}
	for i := range p.steps {
		p.steps[i] = newIndex(0)
	}
	return p
}

// reset empties the projection, with room for n codes.
func (p *projection) reset(n int) {
	for _, step := range p.steps {
		step.reset(n)
	}
}

// insert returns the number of a masked code, adding it if new. Numbers are in order of insertion.
func (p *projection) insert(packed, keep []uint64) uint32 {
	number := p.steps[0].insert(packed[0] & keep[0])
	for i, step := range p.steps[1:] {
		number = step.insert(uint64(number)<<32 | half(packed, keep, i))
	}
	return number
}

// find returns the number of a masked code, or -1 if it is not found.
func (p *projection) find(packed, keep []uint64) int {
	number := p.steps[0].find(packed[0] & keep[0])
	for i, step := range p.steps[1:] {
		if number < 0 {
			return -1
		}
		number = step.find(uint64(number)<<32 | half(packed, keep, i))
	}
	return number
}

// half returns the i-th masked half word after the first word.
func half(packed, keep []uint64, i int) uint64 {
	word := packed[1+i/2] & keep[1+i/2]
	if i%2 == 0 {
		return word >> 32
	}
	return word & (1<<32 - 1)
}
