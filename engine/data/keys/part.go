package keys

// Part returns the table of a subset of the keys, in ascending order. Counts cover the subset only, except that a
// key with every value missing and the shares of the rule category-size refer to all records. A part has no rows:
// Key, RowKeys and Origin must not be called, nor after Regroup.
func (t *Table) Part(part []uint32) *Table {
	words := t.layout.words()
	out := &Table{layout: t.layout, records: t.records, scale: t.scale,
		codes: make([]uint64, len(part)*words), counts: make([]int, len(part)), units: make([]int64, len(part))}
	for i, key := range part {
		copy(out.codes[i*words:i*words+words], t.codes[int(key)*words:])
		out.counts[i], out.units[i] = t.counts[key], t.units[key]
	}
	return out.finish()
}
