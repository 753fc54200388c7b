package risk

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Suppressed holds the frequencies of a record, including itself, if its cell of one key variable were suppressed.
type Suppressed struct {
	Variable     int     // index among the variables of the key table
	Scenario     float64 // f under the rule of the options
	Conservative int     // f under the rule conservative
	OwnCategory  int     // f under the rule own-category
}

// Suppressions returns the effect of each single suppression in a record, the most protective first. It makes one pass
// over the key patterns.
func (a *Assessment) Suppressions(record int) (suppressions []Suppressed) {
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
			suppressions = append(suppressions, a.suppressing(&sums[v], v, present == 1<<v))
		}
	}
	slices.SortStableFunc(suppressions, func(a, b Suppressed) int { return b.Conservative - a.Conservative })
	return suppressions
}

// agree adds the records of a neighbouring key pattern to the counts of a record with the given missing variables.
func agree(sum *keys.Agreement, near keys.Neighbour, missing uint64, t *keys.Table, own uint32) {
	count := int(t.Counts()[near.Key])
	if near.Key == own { // the record agrees with itself
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

// suppressing returns the frequencies after suppressing a variable. last is set if the record then has no value left.
func (a *Assessment) suppressing(sum *keys.Agreement, variable int, last bool) Suppressed {
	o := a.options
	b := Suppressed{variable, sum.Frequency(o.Rule, o.Alpha, false), sum.Identical + sum.Complete, sum.Identical}
	if last {
		b.Conservative = a.Records // a key pattern that is missing everywhere counts all records
		if o.Rule != microdata.RuleOwnCategory {
			b.Scenario = float64(a.Records)
		}
	}
	return b
}
