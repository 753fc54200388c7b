package risk

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Blank says with how many records a record would agree if its cell of one key
// variable were missing, itself included.
type Blank struct {
	Variable     int     // its place among the variables of the key table
	Scenario     float64 // f under the rule of the options
	Conservative int     // f under the rule conservative
	OwnCategory  int     // f under the rule own-category
}

// Blanks tries every single suppression in a record, the one that protects most
// first. It is one walk over the distinct keys.
func (a *Assessment) Blanks(record int) (blanks []Blank) {
	t := a.table
	own := t.Key(record)
	missing := t.MissingIn(own)
	present := ^missing & (1<<t.Variables() - 1)
	sums := make([]keys.Agreement, t.Variables())
	for near := range t.Neighbours(own) {
		for v := range sums {
			if near.Against < 0 || near.Against == v {
				agree(&sums[v], near, missing|1<<v, t, own)
			}
		}
	}
	for v := range sums {
		if present>>v&1 == 1 {
			blanks = append(blanks, a.blankOf(&sums[v], v, present == 1<<v))
		}
	}
	slices.SortStableFunc(blanks, func(a, b Blank) int { return b.Conservative - a.Conservative })
	return blanks
}

// agree counts the records of a key beside one of another that misses some
// variables now.
func agree(sum *keys.Agreement, near keys.Neighbour, missing uint64, t *keys.Table, own uint32) {
	count := int(t.Counts()[near.Key])
	if near.Key == own { // the record itself agrees with itself
		sum.Identical++
		count--
	}
	switch near.Missing {
	case missing:
		sum.Identical += count
	case 0:
		sum.Complete += count
	default:
		sum.Incomplete += count
	}
}

// blankOf returns what a blank in a variable would do; last: it leaves no value.
func (a *Assessment) blankOf(sum *keys.Agreement, variable int, last bool) Blank {
	o := a.options
	b := Blank{variable, sum.Frequency(o.Rule, o.Alpha, false), sum.Identical + sum.Complete, sum.Identical}
	if last {
		b.Conservative = a.Records // a key that is missing everywhere counts all records
		if o.Rule != microdata.RuleOwnCategory {
			b.Scenario = float64(a.Records)
		}
	}
	return b
}
