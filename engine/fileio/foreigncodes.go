package fileio

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/sdcdesk/sdcdesk/engine/fileio/statfile"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// codes gives the levels of a variable of numbers their numbers, each its own. A category
// that stands for a code of the file has that, others the number that they are called.
// What has none gets a whole number that meant nothing in the source; ok is false where
// the file could not say what it means.
func (m *variableMaker) codes(levels []microdata.Level, values []float64, said *microdata.Description) (ok bool) {
	taken := m.taken(said)
	has, of := make(map[uint64]bool, len(levels)), make([]naming, len(levels))
	source := m.sourceLevels(said)
	for i, level := range levels {
		values[i], of[i] = numberOf(level, said, source)
	}
	for _, turn := range []naming{standing, spelling, calling} {
		for i, number := range values {
			if of[i] != turn {
				continue
			}
			if bits := math.Float64bits(number); has[bits] {
				of[i] = nameless
			} else {
				has[bits] = true
				taken.add(number)
			}
		}
	}
	var some []int // what has a number that its name does not tell
	for i := range levels {
		if of[i] == nameless {
			m.became = becameNumbers
		}
		if of[i] == nameless || of[i] == standing {
			some = append(some, i)
		}
	}
	if len(some) == 0 {
		return true
	}
	if !m.labelled {
		return false
	}
	for _, i := range some {
		if of[i] != nameless {
			continue
		}
		if values[i], ok = taken.next(); !ok {
			return false
		}
	}
	said.Labels = m.labelsOf(levels, values, some, said.Labels)
	return true
}

// naming is how the number of a category follows from its name. Of two that have the same
// number the first in this order gets it.
type naming int

const (
	nameless naming = iota // it has none, or another has it
	standing               // it stands for a code of the file and is called otherwise
	spelling               // it is spelled like its number
	calling                // it is called otherwise, as "01" or "2.0"
)

// numberOf returns the number of a category, by the levels of the source.
func numberOf(level microdata.Level, said *microdata.Description, source map[string]microdata.Level) (number float64, of naming) {
	name, number := level.Label, level.Value
	code, stands := said.CodeOf[name]
	if stands {
		name, number = code, math.NaN()
		if level, known := source[code]; known {
			number = level.Value
		}
	}
	if isExtended(name) { // a name of one that the source lacks is none
		number = statfile.Extended(name[1])
		_, known := source[name]
		return number, namingOf(known, stands, true)
	}
	called := microdata.LabelNumber(name)
	spelled := spelledNumber("", called) == name
	if number != number && spelled {
		number = called
	}
	return number, namingOf(number == number, stands, spelled)
}

func namingOf(known, stands, spelled bool) naming {
	switch {
	case !known:
		return nameless
	case stands:
		return standing
	case spelled:
		return spelling
	}
	return calling
}

// sourceLevels returns the levels of the source by their names, where they are needed.
func (m *variableMaker) sourceLevels(said *microdata.Description) map[string]microdata.Level {
	levels := map[string]microdata.Level{}
	for _, level := range m.column.Source().Categories().Levels {
		if len(said.CodeOf) > 0 || isExtended(level.Label) {
			levels[level.Label] = level
		}
	}
	return levels
}

// labelsOf returns the labels of a variable, some of whose categories have numbers that
// their names do not tell: what a category means, where its name is made of codes alone,
// else its name.
func (m *variableMaker) labelsOf(levels []microdata.Level, values []float64, some []int, said map[string]string) map[string]string {
	labels := m.lasting(levels, said)
	for _, i := range some {
		delete(labels, levels[i].Label)
	}
	for _, i := range some {
		name := levels[i].Label
		label := cmp.Or(said[name], name)
		if strings.ContainsFunc(name, unicode.IsLetter) {
			label = name
		}
		labels[spelledNumber("", values[i])] = label
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
