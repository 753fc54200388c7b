package minimal

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

// try gives the cells of variable v back to some records of c unless that makes a violator.
func (w *wildcard) try(c *choice, v int, records int64) bool {
	from, _ := w.rows.find(c.key, c.set)
	m := &w.move
	m.from, m.key, m.set, m.v, m.code, m.records = from, c.key, c.set&^(1<<v), v, w.p.Codes[v][c.key], records
	m.codes = append(m.codes[:0], w.rows.of(from)...)
	m.codes[v] = m.code
	m.target = unassigned
	if row, exists := w.rows.find(m.key, m.set); exists {
		m.target = row
	}
	w.lift(records)
	if !w.targetHolds() {
		if w.alpha == 1 && (w.shares == nil || m.set != 0) {
			// Who is compatible with these codes gets fewer and never more.
			c.hopeless |= 1 << v
		}
		w.lift(-records)
		return false
	}
	if !w.sourceHolds() || !w.othersHold() {
		w.lift(-records)
		return false
	}
	w.carryOut()
	return true
}

// lift takes records out of the row that they leave. They are nowhere then, but counted with the category they get.
func (w *wildcard) lift(records int64) {
	w.rows.size[w.move.from] -= records
	if w.shares != nil {
		w.shares[w.move.v][0] -= records
		w.shares[w.move.v][w.move.code] += records
	}
}

// targetHolds reports whether the records are safe with the cell back.
func (w *wildcard) targetHolds() bool {
	m := &w.move
	if m.target != unassigned && w.rows.size[m.target] > 0 {
		m.there = w.known[m.target]
		m.there.exact += m.records
		if m.there.partial -= m.records; m.set == 0 && w.shares != nil {
			m.there.sized = w.size(m.codes)
		}
	} else {
		m.there = w.countFor(m.codes, m.set, m.target, m.records)
	}
	return w.enough(m.set, m.there)
}

// sourceHolds reports whether the records that stay behind are safe. The others remain compatible with them.
func (w *wildcard) sourceHolds() bool {
	m := &w.move
	m.left = w.known[m.from]
	if m.set != 0 {
		m.left.exact -= m.records
		m.left.partial += m.records
	}
	return w.rows.size[m.from] == 0 || w.enough(w.rows.set[m.from], m.left)
}

// othersHold reports whether the rows are safe with which the records are no longer compatible. It notes all rows for
// which it changes what counts.
func (w *wildcard) othersHold() bool {
	m := &w.move
	m.affected, m.afterwards = m.affected[:0], m.afterwards[:0]
	holds := true
	w.compatible.each(w.rows.of(m.from), func(row uint32) bool {
		if row == m.target || row == m.from {
			return true
		}
		after, blank := w.known[row], w.rows.set[row]
		code := w.rows.of(row)[m.v]
		switch remain := code == 0 || code == m.code; {
		case remain && m.set != 0 || blank == w.full || remain && blank == 0:
			return true
		case remain: // they are complete now
			after.exact += m.records
			after.partial -= m.records
		case blank == 0 && w.shares != nil:
			after.sized -= w.part(m.from, w.rows.of(row), m.records)
		default:
			after.partial -= m.records
		}
		m.affected, m.afterwards = append(m.affected, row), append(m.afterwards, after)
		holds = w.enough(blank, after) || blank == 0 && w.shares != nil
		return holds
	})
	return holds && w.sharesHold()
}

// sharesHold reports whether the complete rows are safe that lose a share of the records. What others add to them may
// be more than is known, since categories only get larger.
func (w *wildcard) sharesHold() bool {
	m := &w.move
	for i, row := range m.affected {
		if w.enough(w.rows.set[row], m.afterwards[i]) {
			continue
		}
		if m.afterwards[i].sized = w.size(w.rows.of(row)); !w.enough(w.rows.set[row], m.afterwards[i]) {
			return false
		}
	}
	return true
}

// carryOut carries the move out.
func (w *wildcard) carryOut() {
	m := &w.move
	to := w.rows.add(m.key, m.set, m.records)
	for len(w.known) < len(w.rows.size) {
		w.known = append(w.known, counted{})
	}
	w.compatible.enter()
	w.known[to], w.known[m.from] = m.there, m.left
	for i, row := range m.affected {
		w.known[row] = m.afterwards[i]
	}
}
