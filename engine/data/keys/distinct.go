package keys

// Distinct numbers combinations of codes in the order in which they come first: the
// groups of records that are read piece by piece, whose number nobody knows before.
type Distinct struct {
	parts []*index   // the first n+2 codes of a combination, by the number of the first n+1
	codes [][]uint32 // of all combinations, by their places
}

// NewDistinct returns what numbers combinations of so many codes, at least one, with room for some combinations.
func NewDistinct(width, room int) *Distinct {
	d := &Distinct{parts: make([]*index, max(1, width-1)), codes: make([][]uint32, width)}
	for i := range d.parts {
		d.parts[i] = newIndex(0)
	}
	d.parts[len(d.parts)-1].reset(room)
	for place := range d.codes {
		d.codes[place] = make([]uint32, 0, room)
	}
	return d
}

// Len returns the number of combinations.
func (d *Distinct) Len() int { return len(d.codes[0]) }

// Codes returns the codes of all combinations, by their places in them. Not to be modified; good until the next Number.
func (d *Distinct) Codes() [][]uint32 { return d.codes }

// Number returns the numbers of combinations, from 0, which they have from now on. Their codes stand at their places in
// each of the columns. One column after the other waits for the memory of many combinations at a time.
func (d *Distinct) Number(columns [][]uint32) (numbers []uint32) {
	numbers = make([]uint32, len(columns[0]))
	if copy(numbers, columns[0]); len(columns) == 1 {
		for i, code := range columns[0] {
			numbers[i] = d.parts[0].insert(uint64(code))
		}
	}
	for part, column := range columns[1:] {
		for i, code := range column {
			numbers[i] = d.parts[part].insert(uint64(numbers[i])<<32 | uint64(code))
		}
	}
	for i, number := range numbers {
		if int(number) == d.Len() {
			for place := range d.codes {
				d.codes[place] = append(d.codes[place], columns[place][i])
			}
		}
	}
	return numbers
}

// Bytes returns about how much memory it takes.
func (d *Distinct) Bytes() int {
	bytes := 4 * cap(d.codes[0]) * len(d.codes)
	for _, part := range d.parts {
		bytes += 16 * len(part.slots)
	}
	return bytes
}
