package pages

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// blank says with how many records a record would agree if its cell of one
// variable were missing, itself included.
type blank struct {
	variable     string
	scenario     float64 // f under the rule of the scenario
	conservative int     // f under the rule conservative
	ownCategory  int     // f under the rule own-category
}

// blanks tries every single suppression in a record, the one that protects most
// first. names are the variables of the key table. It is one walk over the
// distinct keys.
func blanks(a *risk.Assessment, record int, names []string) []blank {
	t := a.Table()
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
	var out []blank
	for v, name := range names {
		if v < len(sums) && present>>v&1 == 1 {
			out = append(out, blankOf(a, &sums[v], name, present == 1<<v))
		}
	}
	slices.SortStableFunc(out, func(a, b blank) int { return b.conservative - a.conservative })
	return out
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
func blankOf(a *risk.Assessment, sum *keys.Agreement, name string, last bool) blank {
	o := a.Options()
	b := blank{name, sum.Frequency(o.Rule, o.Alpha, false), sum.Identical + sum.Complete, sum.Identical}
	if last {
		b.conservative = a.Records // a key that is missing everywhere counts all records
		if o.Rule != microdata.RuleOwnCategory {
			b.scenario = float64(a.Records)
		}
	}
	return b
}

// sharing returns the first records, at most limit, that have the same key as a
// record, without it.
func sharing(a *risk.Assessment, record, limit int) []int {
	t := a.Table()
	own := t.Key(record)
	left := int(t.Counts()[own]) - 1
	var records []int
	for other := 0; other < t.Rows() && len(records) < min(limit, left); other++ {
		if other != record && t.Key(other) == own {
			records = append(records, other)
		}
	}
	return records
}
