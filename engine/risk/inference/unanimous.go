package inference

// unanimousRows counts the groups whose rows all show the same, such as most households, without counting each
// separately.
type unanimousRows struct {
	c        *counter
	shown    visibleCells
	least    int
	all      []int // records by showing
	inferred []int // records with enough others
}

func newUnanimous(c *counter, shown visibleCells, least int) *unanimousRows {
	return &unanimousRows{c: c, shown: shown, least: least, all: make([]int, len(c.count)), inferred: make([]int, len(c.count))}
}

// add counts a group of rows that are one record each, if it is unanimous, and reports whether it is.
func (u *unanimousRows) add(rows []uint32) bool {
	show := u.shown.at(rows[0])
	if cell := show >> rivalBits; u.c.target.weights != nil || cell == 0 || cell > u.c.target.categories {
		return false
	}
	for _, row := range rows[1:] {
		if u.shown.at(row) != show {
			return false
		}
	}
	u.all[show] += len(rows)
	if len(rows) > u.least {
		u.inferred[show] += len(rows)
	}
	return true
}

// tally adds the unanimous groups to the other counts, and forgets them.
func (u *unanimousRows) tally(e *evidence, known *information) {
	u.c.forget()
	for show, records := range u.all {
		if records == 0 {
			continue
		}
		known.records[show>>rivalBits] += records
		if inferred := u.inferred[show]; inferred > 0 {
			e.enough += inferred
			u.c.count[show] = inferred
			e.leftOut[exactly].add(u.c.tallied(uint32(show), true))
			u.c.count[show] = 0
		}
		u.all[show], u.inferred[show] = 0, 0
	}
}
