package inference

// leader says which category most of some records have.
type leader struct {
	records int    // that have a category
	top     int    // records of the most frequent category, of several the first
	second  int    // records of the next
	of      uint32 // the most frequent category
	next    uint32
}

// add adds the records of one more category.
func (l *leader) add(category uint32, records int) {
	l.records += records
	switch {
	case records > l.top || records == l.top && category < l.of:
		l.second, l.next = l.top, l.of
		l.top, l.of = records, category
	case records > l.second || records == l.second && category < l.next:
		l.second, l.next = records, category
	}
}

// without returns the leader without one record of a category; 0: all of it. Of it only
// records, top and of are good.
func (l leader) without(category uint32) leader {
	if category == 0 {
		return l
	}
	l.records--
	if category == l.of {
		if l.top--; l.top < l.second || l.top == l.second && l.next < l.of {
			l.top, l.of = l.second, l.next
		}
	}
	return l
}

// sureness says how surely others reveal a category.
type sureness int

// The kinds of claims.
const (
	silent sureness = iota
	exactly
	probably
)

// What claims need, and what is looked at.
const (
	leastOthers    = 3
	leastMembers   = 1     // others where they are of one household
	probableShare  = 0.8   // of the others that have one category
	provenShare    = 0.95  // of the claims that all others agree on
	errorShare     = 0.001 // of all that is reported by chance
	mostCategories = 1000  // of a part of a pair
	screened       = 50_000
	mostPairs      = 20 // that are counted on all rows
	// Of wide files fewer rows are screened, so that all pairs take about a second.
	mostVisits, leastScreened = 200_000_000, 5000
)

// claim says whether the records reveal a category.
func (l *leader) claim(least int) sureness {
	switch {
	case l.records < least:
		return silent
	case l.top == l.records:
		return exactly
	case float64(l.top) >= probableShare*float64(l.records):
		return probably
	}
	return silent
}
