package inference

import "slices"

// crossing has the counts of one target.
type crossing struct {
	*target
	counts []int
}

// cross counts the records of all targets by level and cell. It reads rows from all over the file. A target for
// which suppressed cells decide is dropped, with empty counts, as soon as no level can make a claim about them.
func (p *partition) cross() {
	var open []crossing
	for _, t := range p.asked {
		if p.dense(len(t.counts)) {
			open = append(open, crossing{t, make([]int, (p.levels+1)*len(t.counts))})
			p.cells[t] = open[len(open)-1].counts
		}
	}
	if p.counts == nil {
		for first, levels := range p.blocks() {
			count(open, first, levels)
		}
		return
	}
	const parts, rows = 16, 1024
	var block [rows]uint32
	for part := 0; part < parts && len(open) > 0; part++ {
		for first := part * rows; first < p.codes[0].Len(); first += parts * rows {
			levels := block[:min(rows, p.codes[0].Len()-first)]
			p.codes[0].Read(levels, first)
			count(open, first, levels)
		}
		open = slices.DeleteFunc(open, func(c crossing) bool {
			silent := !c.recoded && c.known && p.silent(c.target, c.counts)
			if silent {
				p.cells[c.target] = []int{}
			}
			return silent
		})
	}
}

func count(open []crossing, first int, levels []uint32) {
	for _, c := range open {
		c.count(c.counts, first, levels, c.cells, len(c.target.counts))
	}
}

// count adds the records of the rows from first on to counts, by their levels and by numbers, which are below
// width.
func (t *target) count(counts []int, first int, levels []uint32, numbers rowCells, width int) {
	if numbers.narrow != nil {
		countRows(t, counts, first, levels, numbers.narrow, width)
	} else {
		countRows(t, counts, first, levels, numbers.wide, width)
	}
}

func countRows[T uint8 | uint32](t *target, counts []int, first int, levels []uint32, numbers []T, width int) {
	numbers = numbers[first:][:len(levels)]
	if t.weights != nil {
		for i, level := range levels {
			counts[int(level)*width+int(numbers[i])] += t.weights[first+i]
		}
		return
	}
	for i, level := range levels {
		counts[int(level)*width+int(numbers[i])]++
	}
}

// silent reports whether no level can make a claim about suppressed cells, even if all records not counted yet
// have its most frequent category.
func (p *partition) silent(t *target, counts []int) bool {
	width := len(t.counts)
	for level := 1; level <= p.levels; level++ {
		most := leader{}
		left := p.counts[level]
		for cell, n := range counts[level*width:][:width] {
			left -= n
			if cell > 0 && cell <= int(t.categories) {
				most.records, most.top = most.records+n, max(most.top, n)
			}
		}
		most.records, most.top = most.records+left, most.top+left
		if most.claim(p.least) != silent {
			return false
		}
	}
	return true
}
