package minimal

import "slices"

// move is an attempt to restore one variable in some records of a row. Its effect on frequencies is computed
// before it is applied.
type move struct {
	from    uint32
	target  uint32 // row that the records move to, or unassigned if it does not exist yet
	key     uint32
	set     uint64 // variables that remain missing
	v       int
	code    uint32 // restored code
	records int64

	codes      []uint32        // codes of the records after the move
	there      contributions   // counts of the target row
	left       contributions   // counts of the row that the records leave
	affected   []uint32        // other rows whose counts change
	afterwards []contributions // their counts after the move
}

// appliedMove is a move that was applied.
type appliedMove struct {
	from, to uint32
	v        int
	code     uint32
	records  int64
}

// formerCounts holds the previous counts of a row.
type formerCounts struct {
	row uint32
	was contributions
}

// giveBack restores a variable in all records of all the choices, or in none if a record would then violate
// k-anonymity. Every choice must have the variable suppressed.
func (f *frequencies) giveBack(v int, choices ...choice) bool {
	f.made, f.past, f.hopeless = f.made[:0], f.past[:0], false
	alone := len(choices) == 1
	for _, c := range choices {
		f.begin(v, c)
		if !f.foresee(alone) {
			f.lift(-c.count)
			return false
		}
		f.carryOut()
	}
	if alone || f.allHold() {
		return true
	}
	f.takeBack()
	return false
}

// begin sets up a move.
func (f *frequencies) begin(v int, c choice) {
	from, _ := f.rows.find(c.key, c.set|f.outside)
	m := &f.move
	m.from, m.key, m.set, m.v, m.code, m.records = from, c.key, (c.set|f.outside)&^(1<<v), v, f.p.Codes[v][c.key], c.count
	m.codes = append(m.codes[:0], f.rows.of(from)...)
	m.codes[v] = m.code
	m.target = unassigned
	if row, exists := f.rows.find(m.key, m.set); exists {
		m.target = row
	}
	f.lift(c.count)
}

// lift removes records from the row that they leave. Until they are added to the target, they are in no row, but
// are counted in the category they regain.
func (f *frequencies) lift(records int64) {
	f.rows.size[f.move.from] -= records
	if f.shares != nil {
		f.shares[f.move.v][0] -= records
		f.shares[f.move.v][f.move.code] += records
	}
}

// foresee computes the counts after the move. If the move is the only one, it reports whether all records are then
// safe, and stops at the first that is not.
func (f *frequencies) foresee(alone bool) bool {
	m := &f.move
	m.left = f.known[m.from] // the moved records remain compatible with those left in the row
	if m.set != f.outside || f.own() {
		m.left.exact -= m.records
		m.left.partial += m.records
	}
	holds := !alone || f.rows.size[m.from] == 0 || f.enough(f.rows.set[m.from], m.left)
	if !holds && f.alpha < 1 {
		return false // whether it can never succeed matters for alpha 1 only
	}
	if f.countTarget(); alone && !f.enough(m.set, m.there) {
		// The number of records compatible with these codes can only decrease.
		f.hopeless = f.alpha == 1 && (f.shares == nil || m.set != f.outside)
		return false
	}
	return holds && f.countOthers(alone) && (!alone || f.sharesHold())
}

// countTarget computes the counts of the target row.
func (f *frequencies) countTarget() {
	m := &f.move
	if m.target == unassigned || f.rows.size[m.target] == 0 {
		m.there = f.countFor(m.codes, m.set, m.target, m.records)
		return
	}
	m.there = f.known[m.target]
	m.there.exact += m.records
	if m.there.partial -= m.records; m.set == f.outside && f.shares != nil {
		m.there.sized = f.size(m.codes)
	}
}

// countOthers computes the counts of the other rows that change, such as rows with which the records are no longer
// compatible. If the move is the only one, it stops at the first row that is no longer safe.
func (f *frequencies) countOthers(alone bool) bool {
	m := &f.move
	m.affected, m.afterwards = m.affected[:0], m.afterwards[:0]
	if f.own() || f.alpha == 0 && m.set != f.outside {
		return true // incomplete records count for no other record
	}
	holds, counting := true, anyKind
	if f.alpha == 0 {
		counting = incomplete // no complete row but the target changes
	}
	f.compatible.each(counting, f.rows.of(m.from), func(row uint32) bool {
		if row == m.target || row == m.from {
			return true
		}
		after, suppressed := f.known[row], f.rows.set[row]
		code := f.rows.of(row)[m.v]
		switch remain := code == 0 || code == m.code; {
		case remain && m.set != f.outside || suppressed == f.full || remain && suppressed == f.outside:
			return true
		case remain: // the moved records are now complete
			after.exact += m.records
			after.partial -= m.records
		case suppressed == f.outside && f.shares != nil:
			after.sized -= f.part(m.from, f.rows.of(row), m.records)
		default:
			after.partial -= m.records
		}
		m.affected, m.afterwards = append(m.affected, row), append(m.afterwards, after)
		holds = !alone || f.enough(suppressed, after) || suppressed == f.outside && f.shares != nil
		return holds
	})
	return holds
}

// sharesHold reports whether the complete rows that lose a share of the records are still safe. The stored share
// may be too low, because categories only grow.
func (f *frequencies) sharesHold() bool {
	m := &f.move
	for i, row := range m.affected {
		if !f.sizedEnough(row, m.afterwards[i]) {
			return false
		}
	}
	return true
}

// sizedEnough reports whether a row with the given counts is safe. It recomputes the share of others if the stored
// one is not sufficient.
func (f *frequencies) sizedEnough(row uint32, c contributions) bool {
	suppressed := f.rows.set[row]
	if !f.enough(suppressed, c) && suppressed == f.outside && f.shares != nil {
		c.sized = f.size(f.rows.of(row))
	}
	return f.enough(suppressed, c)
}

// carryOut applies the move.
func (f *frequencies) carryOut() {
	m := &f.move
	to := f.rows.add(m.key, m.set, m.records)
	for len(f.known) < len(f.rows.size) {
		f.known = append(f.known, contributions{})
	}
	f.compatible.enter()
	f.made = append(f.made, appliedMove{m.from, to, m.v, m.code, m.records})
	f.know(to, m.there)
	f.know(m.from, m.left)
	for i, row := range m.affected {
		f.know(row, m.afterwards[i])
	}
}

// know replaces the counts of a row.
func (f *frequencies) know(row uint32, now contributions) {
	f.past = append(f.past, formerCounts{row, f.known[row]})
	f.known[row] = now
}

// allHold reports whether all records whose counts the moves have changed are safe.
func (f *frequencies) allHold() bool {
	return !slices.ContainsFunc(f.past, func(p formerCounts) bool {
		return f.rows.size[p.row] > 0 && !f.sizedEnough(p.row, f.known[p.row])
	})
}

// takeBack undoes the moves of the last attempt.
func (f *frequencies) takeBack() {
	for _, p := range slices.Backward(f.past) {
		f.known[p.row] = p.was
	}
	for _, m := range f.made {
		f.rows.size[m.to] -= m.records
		f.rows.size[m.from] += m.records
		if f.shares != nil {
			f.shares[m.v][0] += m.records
			f.shares[m.v][m.code] -= m.records
		}
	}
}
