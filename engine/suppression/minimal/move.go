package minimal

import "slices"

// move is an attempt to give the cells of one variable back to some records of a row. What it finds out is kept until
// it is known whether it does harm.
type move struct {
	from    uint32
	target  uint32 // the row that they get into, if there is one already, or unassigned
	key     uint32
	set     uint64 // what remains missing
	v       int
	code    uint32 // what they get back
	records int64

	codes      []uint32  // of the records afterwards
	there      counted   // for the row that they get into
	left       counted   // for the row that they leave
	affected   []uint32  // the other rows for which it changes what counts
	afterwards []counted // for these
}

// made is a move that was carried out.
type made struct {
	from, to uint32
	v        int
	code     uint32
	records  int64
}

// past is what was known of a row before.
type past struct {
	row uint32
	was counted
}

// giveBack gives the cells of a variable back to all of the choices together, to as many records as they say, unless
// that makes a violator. Each of them has lost the variable.
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

// begin takes up a move.
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

// lift takes records out of the row that they leave. They are nowhere then, but counted with the category they get.
func (f *frequencies) lift(records int64) {
	f.rows.size[f.move.from] -= records
	if f.shares != nil {
		f.shares[f.move.v][0] -= records
		f.shares[f.move.v][f.move.code] += records
	}
}

// foresee finds out what counts after the move. Where it is alone it reports whether all records are safe then, and
// stops at the first that is not.
func (f *frequencies) foresee(alone bool) bool {
	m := &f.move
	m.left = f.known[m.from] // the others remain compatible with those that stay behind
	if m.set != f.outside || f.own() {
		m.left.exact -= m.records
		m.left.partial += m.records
	}
	holds := !alone || f.rows.size[m.from] == 0 || f.enough(f.rows.set[m.from], m.left)
	if !holds && f.alpha < 1 {
		return false // that it will never succeed is of interest for an alpha of 1 alone
	}
	if f.countTarget(); alone && !f.enough(m.set, m.there) {
		// Who is compatible with these codes gets fewer and never more.
		f.hopeless = f.alpha == 1 && (f.shares == nil || m.set != f.outside)
		return false
	}
	return holds && f.countOthers(alone) && (!alone || f.sharesHold())
}

// countTarget counts for the records with the cell back.
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

// countOthers counts for all other rows for which it changes what counts, those with which the records are no longer
// compatible among them. Where the move is alone it stops at a row that is not safe then.
func (f *frequencies) countOthers(alone bool) bool {
	m := &f.move
	m.affected, m.afterwards = m.affected[:0], m.afterwards[:0]
	if f.own() || f.alpha == 0 && m.set != f.outside {
		return true // incomplete records count for nobody else
	}
	holds, counting := true, anyKind
	if f.alpha == 0 {
		counting = incomplete // of the complete ones, none but the target gets others
	}
	f.compatible.each(counting, f.rows.of(m.from), func(row uint32) bool {
		if row == m.target || row == m.from {
			return true
		}
		after, blank := f.known[row], f.rows.set[row]
		code := f.rows.of(row)[m.v]
		switch remain := code == 0 || code == m.code; {
		case remain && m.set != f.outside || blank == f.full || remain && blank == f.outside:
			return true
		case remain: // they are complete now
			after.exact += m.records
			after.partial -= m.records
		case blank == f.outside && f.shares != nil:
			after.sized -= f.part(m.from, f.rows.of(row), m.records)
		default:
			after.partial -= m.records
		}
		m.affected, m.afterwards = append(m.affected, row), append(m.afterwards, after)
		holds = !alone || f.enough(blank, after) || blank == f.outside && f.shares != nil
		return holds
	})
	return holds
}

// sharesHold reports whether the complete rows are safe that lose a share of the records. What others add to them may
// be more than is known, since categories only get larger.
func (f *frequencies) sharesHold() bool {
	m := &f.move
	for i, row := range m.affected {
		if !f.sizedEnough(row, m.afterwards[i]) {
			return false
		}
	}
	return true
}

// sizedEnough reports whether a row is safe with what is counted for it, where what others add to it may be more.
func (f *frequencies) sizedEnough(row uint32, c counted) bool {
	blank := f.rows.set[row]
	if !f.enough(blank, c) && blank == f.outside && f.shares != nil {
		c.sized = f.size(f.rows.of(row))
	}
	return f.enough(blank, c)
}

// carryOut carries the move out.
func (f *frequencies) carryOut() {
	m := &f.move
	to := f.rows.add(m.key, m.set, m.records)
	for len(f.known) < len(f.rows.size) {
		f.known = append(f.known, counted{})
	}
	f.compatible.enter()
	f.made = append(f.made, made{m.from, to, m.v, m.code, m.records})
	f.know(to, m.there)
	f.know(m.from, m.left)
	for i, row := range m.affected {
		f.know(row, m.afterwards[i])
	}
}

// know replaces what is counted for a row.
func (f *frequencies) know(row uint32, now counted) {
	f.past = append(f.past, past{row, f.known[row]})
	f.known[row] = now
}

// allHold reports whether all records are safe for which the moves have changed what counts.
func (f *frequencies) allHold() bool {
	return !slices.ContainsFunc(f.past, func(p past) bool {
		return f.rows.size[p.row] > 0 && !f.sizedEnough(p.row, f.known[p.row])
	})
}

// takeBack takes back the moves of the last attempt.
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
