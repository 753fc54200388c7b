package fileio

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/fileio/statfile"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// codes gives the levels of a variable of numbers their numbers. A category that stands
// for a code of the file has that, others the number that they are called. What has none
// gets a whole number that meant nothing in the source; ok is false where the file could
// not say what it means.
func (m *variableMaker) codes(levels []microdata.Level, values []float64, said *microdata.Description) (ok bool) {
	standing := m.standing(levels, said)
	taken := m.taken(said)
	var named, others []int // what has a number that its name does not tell, and none yet
	for i, level := range levels {
		number, stands, ok := m.numberOf(level, said)
		switch {
		case !ok, !stands && standing[spelledNumber("", number)]:
			others = append(others, i)
			continue
		case stands:
			named = append(named, i)
		}
		values[i] = number
		taken.add(number)
	}
	if len(named)+len(others) == 0 {
		return true
	}
	if !m.labelled {
		return false
	}
	for _, i := range others {
		if values[i], ok = taken.next(); !ok {
			return false
		}
		m.became = becameNumbers
	}
	said.Labels = m.labelsOf(levels, values, append(named, others...), said.Labels)
	return true
}

// standing returns the codes of the file for which categories with other names stand.
func (m *variableMaker) standing(levels []microdata.Level, said *microdata.Description) map[string]bool {
	codes := map[string]bool{}
	for _, level := range levels {
		if number, stands, ok := m.numberOf(level, said); stands && ok {
			codes[spelledNumber("", number)] = true
		}
	}
	return codes
}

// numberOf returns the number of a category, and whether it is that of a code of the file
// for which it stands; ok is false where it has none.
func (m *variableMaker) numberOf(level microdata.Level, said *microdata.Description) (number float64, stands, ok bool) {
	name, number := level.Label, level.Value
	if code, renamed := said.CodeOf[name]; renamed {
		name, number, stands = code, math.NaN(), true
	}
	if isExtended(name) { // a name of one that the source lacks is none
		_, ok = m.column.Source().Categories().CodeOf(name)
		return statfile.Extended(name[1]), stands, ok
	}
	if called := microdata.LabelNumber(name); number != number && spelledNumber("", called) == name {
		number = called
	}
	return number, stands, number == number
}

// labelsOf returns the labels of a variable, some of whose categories have numbers that
// their names do not tell: they get what a category means, else its name.
func (m *variableMaker) labelsOf(levels []microdata.Level, values []float64, some []int, said map[string]string) map[string]string {
	labels := m.lasting(levels, said)
	for _, i := range some {
		name := levels[i].Label
		labels[spelledNumber("", values[i])] = cmp.Or(said[name], name)
	}
	return labels
}

// lasting returns the labels without those of categories of the source that are none any
// more.
func (m *variableMaker) lasting(levels []microdata.Level, labels map[string]string) map[string]string {
	last := maps.Clone(labels)
	if last == nil {
		last = map[string]string{}
	}
	for _, level := range m.column.Source().Categories().Levels {
		delete(last, level.Label)
	}
	for _, level := range levels {
		if label, ok := labels[level.Label]; ok {
			last[level.Label] = label
		}
	}
	return last
}

// taken returns the numbers that mean something in the source: its values, those with
// labels, and those declared missing.
func (m *variableMaker) taken(said *microdata.Description) *numbersTaken {
	was := m.column.Source().Described()
	missing := microdata.Description{Missing: slices.Concat(said.Missing, was.Missing), MissingRange: said.MissingRange}
	t := &numbersTaken{missing: missing.MissingNumbers(), between: said.MissingRange}
	for _, labels := range []map[string]string{said.Labels, was.Labels} {
		for code := range labels {
			t.add(microdata.LabelNumber(code))
		}
	}
	for _, level := range m.column.Source().Categories().Levels {
		if !t.missing.Has(level.Value) {
			t.most = max(t.most, level.Value)
		}
	}
	return t
}

// numbersTaken are numbers that mean something already.
type numbersTaken struct {
	lowest, highest float64 // of those that stay or have labels and are not declared missing, and 0
	most            float64 // of the source; where it does not stay, no code may tell it
	missing         microdata.MissingNumbers
	between         *[2]float64 // the range that is declared missing
}

// Codes are small enough for the labels of all programs.
const largestCode = 1_000_000_000

// add takes a number that stays, or has a label; NaN is none.
func (t *numbersTaken) add(number float64) {
	if !t.missing.Has(number) && math.Abs(number) < largestCode {
		t.lowest, t.highest = min(t.lowest, math.Floor(number)), max(t.highest, math.Floor(number))
	}
}

// next takes a whole number that means nothing yet: one above all others, or below them
// where all above are declared missing; ok is false where these are too. Where the highest
// value of the source does not stay, they begin at a power of ten above it; above
// largestCode they begin at what stays.
func (t *numbersTaken) next() (number float64, ok bool) {
	if t.most > t.highest && t.most < largestCode {
		for t.highest = 10; t.highest <= t.most; {
			t.highest *= 10
		}
		t.highest--
	}
	at := t.highest + 1
	for t.missing.Has(at) && at < 2*largestCode {
		if at++; t.between != nil && at > t.between[0] {
			at = max(at, math.Floor(t.between[1])+1)
		}
	}
	if at < 2*largestCode {
		t.highest = at
		return at, true
	}
	at = t.lowest - 1
	for t.missing.Has(at) && at > -2*largestCode {
		if at--; t.between != nil && at < t.between[1] {
			at = min(at, math.Ceil(t.between[0])-1)
		}
	}
	t.lowest = at
	return at, at > -2*largestCode
}

// isExtended reports whether a code is that of an extended missing value: ".a".
func isExtended(code string) bool {
	return len(code) == 2 && code[0] == '.' && (code[1] >= 'a' && code[1] <= 'z' || code[1] == '_')
}
