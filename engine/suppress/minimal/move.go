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

	codes []uint32 // of the records afterwards
	found []uint32 // supports found last
	sized float64  // what was found last for complete codes under CategorySize

	judged   []judgement
	list     []uint32 // supports of those judged
	stay     []uint32 // rows supported by from that the move does not take that from
	affected []uint32 // complete rows from which it takes a share
}

// judgement is what was found out about a row that remains safe: its supports are list[from:to]. For rows that need
// shares it is what others add to it.
type judgement struct {
	row      uint32
	from, to int
	sized    float64
}

// try gives the cells of variable v back to some records of c unless that makes a violator.
func (w *wildcard) try(c *choice, v int, records int64) bool {
	from, _ := w.rows.row(c.key, c.set)
	m := &w.move
	m.from, m.key, m.set, m.v, m.code, m.records = from, c.key, c.set&^(1<<v), v, w.p.Codes[v][c.key], records
	m.codes = append(m.codes[:0], w.rows.of(from)...)
	m.codes[v] = m.code
	m.target = unassigned
	if row, exists := w.rows.row(m.key, m.set); exists {
		m.target = row
	}
	m.judged, m.list = m.judged[:0], m.list[:0]
	w.lift(records)
	if !w.targetHolds() {
		if w.alpha == 1 && (w.shares == nil || m.set != 0) {
			// Who is compatible with these codes gets fewer and never more.
			c.hopeless |= 1 << v
		}
		w.lift(-records)
		return false
	}
	if !w.sourceHolds() || !w.dependentsHold() || !w.sharesHold() {
		w.lift(-records)
		return false
	}
	w.carryOut()
	return true
}

// lift takes records out of the row that they leave. They are nowhere then, but counted with the category they get.
func (w *wildcard) lift(records int64) {
	w.rows.count[w.move.from] -= records
	if w.shares != nil {
		w.shares[w.move.v][0] -= records
		w.shares[w.move.v][w.move.code] += records
	}
}

// note keeps what was found for a row.
func (m *move) note(row uint32) {
	from := len(m.list)
	m.list = append(m.list, m.found...)
	m.judged = append(m.judged, judgement{row, from, len(m.list), m.sized})
}

// targetHolds reports whether the records are safe with the cell back.
func (w *wildcard) targetHolds() bool {
	m := &w.move
	exact := m.records
	if m.target != unassigned {
		exact += w.rows.count[m.target]
	}
	if !w.find(m.codes, m.set, m.target, exact, 0) {
		return false
	}
	m.note(m.target)
	return true
}

// sourceHolds reports whether the records that stay behind are safe. The others remain compatible with them.
func (w *wildcard) sourceHolds() bool {
	m := &w.move
	left := w.rows.count[m.from]
	if left == 0 {
		m.found = m.found[:0]
		m.note(m.from)
		return true
	}
	exact, partial := left, m.records
	if m.set == 0 {
		exact, partial = left+m.records, 0
	}
	if !w.find(w.rows.of(m.from), w.rows.blank[m.from], m.from, exact, partial) {
		return false
	}
	m.note(m.from)
	return true
}

// dependentsHold reports whether the rows are safe that lose the records as a support. One that is not is the first to be
// asked next time.
func (w *wildcard) dependentsHold() bool {
	m := &w.move
	dependent := w.supports.dependent[m.from]
	m.stay = m.stay[:0]
	for i, row := range dependent {
		if w.rows.count[row] == 0 || row == m.from || row == m.target || !slices.Contains(w.supports.of[row], m.from) {
			continue
		}
		if code := w.rows.code(row, m.v); code == 0 || code == m.code {
			m.stay = append(m.stay, row)
			continue
		}
		if !w.judge(row) {
			dependent[0], dependent[i] = dependent[i], dependent[0]
			return false
		}
		m.note(row)
	}
	return true
}

// sharesHold reports whether the complete rows are safe that lose a share of the records. What others add to them may
// be more than is known, since categories only get larger.
func (w *wildcard) sharesHold() bool {
	if w.shares == nil {
		return true
	}
	m := &w.move
	m.affected = m.affected[:0]
	w.compatible.each(w.rows.of(m.from), complete, func(row uint32) bool {
		if row != m.target && w.rows.code(row, m.v) != m.code && w.needsShares(row) {
			m.affected = append(m.affected, row)
		}
		return true
	})
	m.found = m.found[:0]
	for _, row := range m.affected {
		codes, own := w.rows.of(row), float64(w.rows.count[row])
		m.sized = w.sized[row] - w.part(m.from, codes, m.records)
		if own+m.sized < float64(w.p.K)-tolerance {
			if m.sized = w.size(codes); own+m.sized < float64(w.p.K)-tolerance {
				return false
			}
		}
		m.note(row)
	}
	return true
}

// carryOut carries the move out.
func (w *wildcard) carryOut() {
	m := &w.move
	to := w.rows.add(m.key, m.set, m.records)
	w.grow()
	w.compatible.add(to)
	for _, judged := range m.judged {
		row := judged.row
		if row == unassigned {
			row = to
		}
		w.sized[row] = judged.sized
		w.supports.replace(row, m.list[judged.from:judged.to])
	}
	emptied := w.rows.count[m.from] == 0
	for _, row := range m.stay {
		w.supports.follow(row, m.from, to, emptied)
		if len(w.supports.of[row]) > 4*w.p.K && w.judge(row) {
			w.supports.replace(row, m.found)
		}
	}
	if !emptied {
		w.supports.follow(m.from, m.from, to, false)
	}
	w.supports.tidy(m.from)
}

// follow lets a row be supported by another where records have gone from one that supports it, which no longer does if
// it is emptied.
func (s *supports) follow(row, from, to uint32, emptied bool) {
	if !slices.Contains(s.of[row], to) && row != to {
		s.of[row] = append(s.of[row], to)
		s.dependent[to] = append(s.dependent[to], row)
	}
	if emptied {
		s.of[row] = slices.DeleteFunc(s.of[row], func(other uint32) bool { return other == from })
	}
}

// tidy forgets the rows that a row supports no longer.
func (s *supports) tidy(row uint32) {
	s.dependent[row] = slices.DeleteFunc(s.dependent[row], func(other uint32) bool { return !slices.Contains(s.of[other], row) })
}
