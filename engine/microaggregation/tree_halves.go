package microaggregation

// builder halves records for a tree.
type builder struct {
	variables [][]float64
	variances []float64
	records   []uint32
}

// halve puts the records from place from to place to into two halves that meet in the
// middle, along the variable in which they are the widest apart, as a share of its
// standard deviation. Where values are equal the record decides.
func (b *builder) halve(from, middle, to int) {
	widest, width := 0, -1.0
	for j, values := range b.variables {
		if b.variances[j] == 0 {
			continue
		}
		least, most := values[b.records[from]], values[b.records[from]]
		for _, record := range b.records[from:to] {
			x := values[record]
			if x < least {
				least = x
			} else if x > most {
				most = x
			}
		}
		if w := (most - least) * (most - least) / b.variances[j]; w > width {
			widest, width = j, w
		}
	}
	b.part(b.variables[widest], from, middle, to)
}

// part is quickselect: no record from the middle on comes before one below it.
func (b *builder) part(values []float64, from, middle, to int) {
	records := b.records
	less := func(a, b uint32) bool { return values[a] < values[b] || values[a] == values[b] && a < b }
	for to-from > 1 {
		x, y, z := records[from], records[from+(to-from)/2], records[to-1]
		pivot := inMiddle(less, x, y, z)
		i, j := from, to-1
		for i <= j {
			for less(records[i], pivot) {
				i++
			}
			for less(pivot, records[j]) {
				j--
			}
			if i <= j {
				records[i], records[j] = records[j], records[i]
				i++
				j--
			}
		}
		switch {
		case middle <= j:
			to = j + 1
		case middle >= i:
			from = i
		default:
			return
		}
	}
}

// inMiddle returns the one of three records that is in the middle.
func inMiddle(less func(a, b uint32) bool, x, y, z uint32) uint32 {
	if less(y, x) {
		x, y = y, x
	}
	if less(z, y) {
		y = z
		if less(y, x) {
			y = x
		}
	}
	return y
}
