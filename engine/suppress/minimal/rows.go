package minimal

// rows holds the distinct keys of the file as suppressed so far. Rows are added and gain or lose records; one without
// records stays in its place.
type rows struct {
	p       *Problem
	entries *census  // row numbers are those of its groups
	blank   []uint64 // per row: its missing variables
	codes   []uint32 // codes[row*q : row*q+q]
	count   []int64  // per row: records
}

// newRows makes an empty table.
func newRows(p *Problem, keys *packing) *rows { return &rows{p: p, entries: newCensus(keys)} }

// row returns the row of a key with the variables of set missing, if there is one.
func (r *rows) row(key uint32, set uint64) (uint32, bool) { return r.entries.find(key, set) }

// add moves count records into the row of key with set missing, and returns it.
func (r *rows) add(key uint32, set uint64, count int64) uint32 {
	row := r.entries.enter(key, set)
	if int(row) == len(r.count) {
		r.count = append(r.count, 0)
		r.blank = append(r.blank, set)
		for v, column := range r.p.Codes {
			code := column[key]
			if set>>v&1 == 1 {
				code = 0
			}
			r.codes = append(r.codes, code)
		}
	}
	r.count[row] += count
	return row
}

// of returns the codes of a row, 0 where it is missing.
func (r *rows) of(row uint32) []uint32 {
	q := r.p.variables()
	return r.codes[int(row)*q : int(row)*q+q]
}

// code returns the code of a row on a variable, 0 where it is missing.
func (r *rows) code(row uint32, v int) uint32 { return r.codes[int(row)*r.p.variables()+v] }
