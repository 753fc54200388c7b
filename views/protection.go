package views

import (
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
	w := newBlankWalk(t, int(t.Key(record)))
	for key, count := range t.Counts() {
		if key == w.own {
			count-- // the record itself is counted apart
		}
		w.add(key, int(count))
	}
	var out []blank
	for v, name := range names {
		if v >= t.Variables() || w.mine[v] == 0 {
			continue
		}
		out = append(out, w.blank(a, v, name))
	}
	slices.SortStableFunc(out, func(a, b blank) int { return b.conservative - a.conservative })
	return out
}

// blank returns what a blank in a variable would do.
func (w *blankWalk) blank(a *risk.Assessment, v int, name string) blank {
	s, o := w.sums[v], a.Options()
	b := blank{variable: name, conservative: 1 + s.identical + s.complete, ownCategory: 1 + s.identical}
	if w.values == 1 {
		b.conservative = a.Records // a key that is missing everywhere counts all records
	}
	switch {
	case o.Rule == microdata.RuleOwnCategory:
		b.scenario = float64(b.ownCategory)
	case o.Rule == microdata.RuleConservative, w.values == 1:
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

// blankWalk compares a key with all others.
type blankWalk struct {
	own    int
	values int // variables the key has a value of
	codes  [][]uint32
	mine   []uint32
	sums   []agreement // by the variable that is left out
}

func newBlankWalk(t *keys.Table, own int) *blankWalk {
	w := &blankWalk{own: own, codes: make([][]uint32, t.Variables()), mine: make([]uint32, t.Variables()), sums: make([]agreement, t.Variables())}
	for v := range w.codes {
		w.codes[v] = t.Codes(v)
		w.mine[v] = w.codes[v][own]
		if w.mine[v] != 0 {
			w.values++
		}
	}
	return w
}

// add counts the records of another key: for every variable without which it
// agrees with the own one.
func (w *blankWalk) add(key, count int) {
	const none = -1
	against, other, complete := none, none, true // a variable that contradicts, one that differs
	others := 0
	for v, mine := range w.mine {
		code := w.codes[v][key]
		complete = complete && code != 0
		if code == mine {
			continue
		}
		other = v
		others++
		if code != 0 && mine != 0 {
			if against != none {
				return // two contradictions: one blank does not help
			}
			against = v
		}
	}
	for v := range w.sums {
		if against != none && v != against {
			continue
		}
		switch s := &w.sums[v]; {
		case others == 1 && other == v && w.codes[v][key] == 0:
			s.identical += count
		case complete:
			s.complete += count
		default:
			s.incomplete += count
		}
	}
}

// sharing returns the first records, at most limit, that have the same key as a
// record, without it.
func sharing(a *risk.Assessment, record, limit int) []int {
	t := a.Table()
	own := t.Key(record)
	left := int(t.Counts()[own]) - 1
	var records []int
	for other := 0; other < t.Records() && len(records) < min(limit, left); other++ {
		if other != record && t.Key(other) == own {
			records = append(records, other)
		}
	}
	return records
}
