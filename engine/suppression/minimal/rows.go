package minimal

// rows holds the key patterns of the file with the current suppressions: the groups of a census, with their codes.
// Rows are added and gain or lose records; a row without records stays in place.
type rows struct {
	*census
	p     *Problem
	codes []uint32 // codes[row*q : row*q+q]
}

// newRows makes an empty table.
func newRows(p *Problem, keys *packing) *rows { return &rows{p: p, census: newCensus(keys)} }

// add moves count records into the row of key with set missing, and returns the row.
func (r *rows) add(key uint32, set uint64, count int64) uint32 {
	row := r.enter(key, set)
	if int(row)*r.p.variables() == len(r.codes) {
		for v, column := range r.p.Codes {
			code := column[key]
			if set>>v&1 == 1 {
				code = 0
			}
			r.codes = append(r.codes, code)
		}
	}
	r.size[row] += count
	return row
}

// of returns the codes of a row, with 0 for missing.
func (r *rows) of(row uint32) []uint32 {
	q := r.p.variables()
	return r.codes[int(row)*q : int(row)*q+q]
}
