package keys

// Distinct numbers combinations of codes in the order in which they come first: the
// groups of records that are read piece by piece, whose number nobody knows before. The
// zero value has none.
type Distinct struct {
	parts []*index // the first n+2 codes of a combination, by the number of the first n+1
	codes []uint32 // of all combinations, one behind the other
	width int
}

// NewDistinct returns what numbers combinations of so many codes, at least one.
func NewDistinct(width int) *Distinct {
	d := &Distinct{width: width, parts: make([]*index, max(1, width-1))}
	for i := range d.parts {
		d.parts[i] = newIndex(0)
	}
	return d
}

// Len returns the number of combinations.
func (d *Distinct) Len() int { return len(d.codes) / d.width }

// Of returns the codes of a combination. Not to be modified; good until the next Number.
func (d *Distinct) Of(number uint32) []uint32 {
	return d.codes[int(number)*d.width : int(number+1)*d.width]
}

// Number returns the number of a combination, from 0, which it has from now on.
func (d *Distinct) Number(codes []uint32) uint32 {
	number := uint64(codes[0])
	if d.width == 1 {
		number = uint64(d.parts[0].insert(number))
	}
	for i, code := range codes[1:] {
		number = uint64(d.parts[i].insert(number<<32 | uint64(code)))
	}
	if int(number) == d.Len() {
		d.codes = append(d.codes, codes...)
	}
	return uint32(number)
}

// Bytes returns about how much memory it takes.
func (d *Distinct) Bytes() int {
	bytes := 4 * cap(d.codes)
	for _, part := range d.parts {
		bytes += 16 * len(part.slots)
	}
	return bytes
}
