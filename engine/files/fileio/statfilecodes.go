package fileio

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// codes gives the levels of a numeric variable their numbers, each its own. A category
// that stands for a code of the file has that, others the number that they are called.
// What has none gets a whole number that meant nothing in the source; ok is false where
// the file could not say what it means.
func (m *variableMaker) codes(levels []microdata.Level, values []float64, said *microdata.Description) (ok bool) {
	taken, of := m.taken(said), make([]naming, len(levels))
	source := m.sourceLevels(said)
	for i, level := range levels {
		values[i], of[i] = numberOf(level, said, source)
	}
	for _, turn := range []naming{standing, spelling, calling} {
		for i, number := range values {
			if of[i] == turn && !taken.add(number) {
				of[i] = nameless
			}
		}
	}
	for i, naming := range of {
		switch naming {
		case nameless:
			m.became = becameNumbers
			if values[i], ok = taken.next(); !ok || !m.labelled {
				return false
			}
			m.given = append(m.given, levels[i].Label+" as "+spelledNumber("", values[i]))
		case standing:
			if !m.labelled {
				return false
			}
		}
	}
	said.Labels = m.labelsOf(levels, values, of, said.Labels)
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
func numberOf(level microdata.Level, said *microdata.Description,
	source map[string]microdata.Level) (number float64, of naming) {
	name, number := level.Label, level.Value
	code, stands := said.CodeOf[name]
	if stands {
		name, number = code, math.NaN()
		if level, known := source[code]; known {
			number = level.Value
		}
	}
	called := microdata.LabelNumber(name) + 0
	spelled := spelledNumber("", called) == name
	if number != number && spelled {
		number = called
	}
	known := number == number
	if microdata.ExtendedMissing(name) { // a name of one that the source lacks is none
		number, spelled = statfile.Extended(name[1]), true
		_, known = source[name]
	}
	switch {
	case !known:
		of = nameless
	case stands:
		of = standing
	case spelled:
		of = spelling
	default:
		of = calling
	}
	return number + 0, of // + 0: no negative zero
}

// sourceLevels returns the levels of the source by their names, where they are needed.
func (m *variableMaker) sourceLevels(said *microdata.Description) map[string]microdata.Level {
	levels := map[string]microdata.Level{}
	for _, level := range m.column.Source().Categories().Levels {
		if len(said.CodeOf) > 0 || microdata.ExtendedMissing(level.Label) {
			levels[level.Label] = level
		}
	}
	return levels
}

// labelsOf returns the labels of a variable. Categories whose numbers their names do not
// tell are labelled with what they mean, else with their names.
func (m *variableMaker) labelsOf(levels []microdata.Level, values []float64, of []naming,
	said map[string]string) map[string]string {
	labels := m.lasting(levels, said)
	for i, level := range levels {
		if of[i] != spelling {
			delete(labels, level.Label)
		}
	}
	for i, level := range levels {
		label := said[level.Label]
		if of[i] == nameless || of[i] == standing {
			label = cmp.Or(label, level.Label)
		}
		if label != "" {
			labels[spelledNumber("", values[i])] = label
		}
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
	t := &numbersTaken{has: map[uint64]bool{}, missing: missing.MissingNumbers(), between: said.MissingRange}
	for _, labels := range []map[string]string{said.Labels, was.Labels} {
		for code := range labels {
			t.reach(microdata.LabelNumber(code))
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
	has             map[uint64]bool // those of categories, by their bits
	lowest, highest float64         // of those that stay or have labels and are not declared missing, and 0
	most            float64         // of the source; where it does not stay, no code may tell it
	missing         microdata.MissingNumbers
	between         *[2]float64 // the range that is declared missing
}

// Codes begin below this, and stay small enough for the labels of all programs.
const largestCode = 1_000_000_000

// add takes the number of a category; it reports whether no other has it.
func (t *numbersTaken) add(number float64) bool {
	bits := math.Float64bits(number)
	if t.has[bits] {
		return false
	}
	t.has[bits] = true
	t.reach(number)
	return true
}

// reach widens the span of numbers that mean something; NaN is none.
func (t *numbersTaken) reach(number float64) {
	if !t.missing.Has(number) && math.Abs(number) < largestCode {
		t.lowest, t.highest = min(t.lowest, math.Floor(number)), max(t.highest, math.Floor(number))
	}
}

func (t *numbersTaken) means(number float64) bool {
	return t.has[math.Float64bits(number)] || t.missing.Has(number)
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
	for t.means(at) && at < 2*largestCode {
		if at++; t.between != nil && at > t.between[0] {
			at = max(at, math.Floor(t.between[1])+1)
		}
	}
	if at < 2*largestCode {
		t.highest = at
		return at, true
	}
	at = t.lowest - 1
	for t.means(at) && at > -2*largestCode {
		if at--; t.between != nil && at < t.between[1] {
			at = min(at, math.Ceil(t.between[0])-1)
		}
	}
	t.lowest = at
	return at, at > -2*largestCode
}
