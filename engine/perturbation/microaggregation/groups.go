package microaggregation

// groups stores a partition of records, group by group.
type groups struct {
	records []uint32
	ends    []uint32 // end of each group in records
}

// close ends the group of the records added since the last call.
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

// consecutive partitions records in their order into groups of size; the last group also takes the remainder.
func consecutive(records []uint32, size int) groups {
	g := groups{records: records}
	for end := size; end <= len(records)-size; end += size {
		g.ends = append(g.ends, uint32(end))
	}
	g.ends = append(g.ends, uint32(len(records)))
	return g
}

// append adds groups. If numbers is not nil, it maps their records.
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
