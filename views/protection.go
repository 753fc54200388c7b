package views

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
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
	sums := make([]agreement, t.Variables())
	// The table has its patterns for the assessment: nothing to wait for, no error.
	_ = t.Neighbours(context.Background(), own, func(near keys.Neighbour) {
		count := int(t.Counts()[near.Key])
		if near.Key == own {
			count-- // the record itself is counted apart
		}
		for v := range sums {
			if near.Against < 0 || near.Against == v {
				sums[v].add(near.Missing, missing|1<<v, count)
			}
		}
	})
	var out []blank
	for v, name := range names {
		if v < len(sums) && present>>v&1 == 1 {
			out = append(out, sums[v].blank(a, name, present == 1<<v))
		}
	}
	slices.SortStableFunc(out, func(a, b blank) int { return b.conservative - a.conservative })
	return out
}

// blank returns what a blank in a variable would do; last: it leaves no value.
func (s agreement) blank(a *risk.Assessment, name string, last bool) blank {
	o := a.Options()
	b := blank{variable: name, conservative: 1 + s.identical + s.complete, ownCategory: 1 + s.identical}
	if last {
		b.conservative = a.Records // a key that is missing everywhere counts all records
	}
	switch {
	case o.Rule == microdata.RuleOwnCategory:
		b.scenario = float64(b.ownCategory)
	case o.Rule == microdata.RuleConservative, last:
		b.scenario = float64(b.conservative)
	case o.Rule == microdata.RuleDefault:
		b.scenario = float64(b.conservative) + float64(o.Alpha*float64(s.incomplete))
	default: // of an incomplete key all compatible records are counted
		b.scenario = float64(b.conservative + s.incomplete)
	}
	return b
}

// agreement counts records that agree with a key that misses one more variable.
type agreement struct{ identical, complete, incomplete int }

// add counts the records of a key that misses some variables beside one that
// misses others.
func (s *agreement) add(missing, own uint64, count int) {
	switch {
	case missing == own:
		s.identical += count
	case missing == 0:
		s.complete += count
	default:
		s.incomplete += count
	}
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
