package fileio

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// codes assigns distinct numbers to the levels of a numeric variable. A category that stands for a code of the
// file has that code, others the number that they are named. Others get an integer without a meaning in the
// source; ok is false if the file cannot hold the labels this requires.
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

// naming is how the name of a category determines its number. If two have the same number, the first in this order
// gets it.
type naming int

const (
	nameless naming = iota // no number, or one that another category has
	standing               // stands for a code of the file, under another name
	spelling               // the canonical spelling of its number
	calling                // another spelling of its number, such as "01" or "2.0"
)

// numberOf returns the number of a category, given the levels of the source.
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
	if microdata.ExtendedMissing(name) { // not a code if the source does not have it
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
	return number + 0, of // + 0 removes a negative zero
}

// sourceLevels returns the levels of the source by label, if numberOf needs them.
func (m *variableMaker) sourceLevels(said *microdata.Description) map[string]microdata.Level {
	levels := map[string]microdata.Level{}
	for _, level := range m.column.Source().Categories().Levels {
		if len(said.CodeOf) > 0 || microdata.ExtendedMissing(level.Label) {
			levels[level.Label] = level
		}
	}
	return levels
}

// labelsOf returns the value labels of a variable. A category whose number does not follow from its name is
// labelled with its meaning or, without one, with its name.
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

// lasting returns the labels without those of source categories that no longer exist.
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

// taken returns the numbers with a meaning in the source: its values, those with labels, and those declared
// missing.
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

// numbersTaken holds the numbers that have a meaning already.
type numbersTaken struct {
	has             map[uint64]bool // numbers of categories, by their bits
	lowest, highest float64         // range of numbers that remain or have labels, without declared missing ones; includes 0
	most            float64         // maximum of the source; if it does not remain, no code may reveal it
	missing         microdata.MissingNumbers
	between         *[2]float64 // range of declared missing numbers
}

// largestCode is the limit of new codes, small enough for the labels of all programs.
const largestCode = 1_000_000_000

// add adds the number of a category; it reports whether it is unique.
func (t *numbersTaken) add(number float64) bool {
	bits := math.Float64bits(number)
	if t.has[bits] {
		return false
	}
	t.has[bits] = true
	t.reach(number)
	return true
}

// reach extends the range of numbers with a meaning; NaN does not count.
func (t *numbersTaken) reach(number float64) {
	if !t.missing.Has(number) && math.Abs(number) < largestCode {
		t.lowest, t.highest = min(t.lowest, math.Floor(number)), max(t.highest, math.Floor(number))
	}
}

func (t *numbersTaken) means(number float64) bool {
	return t.has[math.Float64bits(number)] || t.missing.Has(number)
}

// next returns an integer without a meaning: above all others, or below them if all above are declared missing; ok
// is false if these are too. If the maximum of the source does not remain, new codes begin at the next power of
// ten, so that they do not reveal it; above largestCode they begin above what remains.
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
