package inference

// leader has the most frequent category of some records.
type leader struct {
	records int    // with a category
	top     int    // records of the most frequent category; ties go to the first
	second  int    // records of the second most frequent category
	of      uint32 // most frequent category
	next    uint32
}

// add adds the records of a further category.
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

// without returns the leader without one record of a category, or unchanged for category 0. Only records, top and
// of of the result are valid.
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

// confidence is the strength of a claim.
type confidence uint8

// Kinds of claims. silent is none.
const (
	silent confidence = iota
	exactly
	probably
)

// Requirements of claims, and limits on the search.
const (
	leastOthers    = 3
	leastMembers   = 1     // if the others are members of the household
	probableShare  = 0.8   // of the others, with the same category
	provenShare    = 0.95  // of exact claims that must be right
	errorShare     = 0.001 // error probability over all reported claims
	mostCategories = 1000  // of each variable of a pair
	screened       = 50_000
	mostPairs      = 20 // counted on all rows
	// With many variables fewer rows are screened, so that all pairs take about a second.
	mostVisits, leastScreened = 200_000_000, 5000
)

// claim returns how surely the records reveal a category. least is the minimum number of records.
func (l *leader) claim(least int) confidence {
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
