package microaggregation

import "github.com/sdcdesk/sdcdesk/engine/base/stat"

// builder halves records for a tree.
type builder struct {
	variables [][]float64
	variances []float64
	records   []uint32
}

// halve partitions the records at places in [from, to) at the middle, along the variable with the widest range
// relative to its standard deviation. Ties are broken by record.
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
	values := b.variables[widest]
	stat.Partition(b.records[from:to], middle-from,
		func(x, y uint32) bool { return values[x] < values[y] || values[x] == values[y] && x < y })
}
