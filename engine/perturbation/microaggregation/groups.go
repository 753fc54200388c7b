package microaggregation

// groups are records parted into groups, one after the other.
type groups struct {
	records []uint32
	ends    []uint32 // of each group in records
}

// close ends a group with the records added since the last one.
func (g *groups) close() { g.ends = append(g.ends, uint32(len(g.records))) }

// len returns the number of groups.
func (g *groups) len() int { return len(g.ends) }

// at returns the records of a group.
func (g *groups) at(i int) []uint32 {
	from := uint32(0)
	if i > 0 {
		from = g.ends[i-1]
	}
	return g.records[from:g.ends[i]]
}

// consecutive parts records in their order: size each, the last group takes the
// remainder.
func consecutive(records []uint32, size int) groups {
	g := groups{records: records}
	for end := size; end <= len(records)-size; end += size {
		g.ends = append(g.ends, uint32(end))
	}
	g.ends = append(g.ends, uint32(len(records)))
	return g
}

// append adds groups whose records are numbered by others; nil: by themselves.
func (g *groups) append(more groups, numbers []uint32) {
	start := uint32(len(g.records))
	for _, record := range more.records {
		if numbers != nil {
			record = numbers[record]
		}
		g.records = append(g.records, record)
	}
	for _, end := range more.ends {
		g.ends = append(g.ends, start+end)
	}
}
