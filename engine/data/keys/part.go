package keys

// Part returns the table of some of the distinct keys, given in ascending
// order. It counts what is in the part alone, except that a key that is missing
// everywhere and the shares of the rule category-size still stand against all
// records. A part knows nothing of rows: Key, RowKeys and Origin are not to be
// asked for them, nor is its mapping after Regroup. The keys must be of the table.
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
