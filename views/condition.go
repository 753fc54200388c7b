package views

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
)

// KeyCondition returns the condition that selects the records of a key pattern, as the user would type it. codes
// returns the codes of a variable by key pattern.
func KeyCondition(codes func(variable int) []uint32, columns []*microdata.Column, key uint32) string {
	parts := make([]string, len(columns))
	for i, column := range columns {
		parts[i] = CategoryCondition(column, codes(i)[key])
	}
	return strings.Join(parts, " and ")
}

// CategoryCondition returns the condition that a variable has a category; code 0 is missing.
func CategoryCondition(column *microdata.Column, code uint32) string {
	if code == 0 {
		return ConditionWord(column.Name()) + " missing"
	}
	return ConditionWord(column.Name()) + " = " + ConditionWord(column.Categories().Levels[code-1].Label)
}

// Condition returns the condition that selects the records with some categories. A variable that lacks its
// category must be missing.
func (s State) Condition(categories microdata.Combination) string {
	parts := make([]string, 0, len(categories))
	for _, one := range categories {
		if column := s.Current.Column(one.Variable); column != nil {
			at := slices.IndexFunc(column.Categories().Levels, func(l microdata.Level) bool { return l.Label == one.Label })
			parts = append(parts, CategoryCondition(column, uint32(at+1)))
		}
	}
	return strings.Join(parts, " and ")
}

// ConditionWord returns a name or a label as it is typed in a condition: in quotes unless it is a word of letters
// or an integer.
func ConditionWord(text string) string {
	letters := func(r rune) bool { return !unicode.IsLetter(r) && r != '_' }
	number, err := strconv.Atoi(text)
	plain := text != "" && strings.IndexFunc(text, letters) < 0 ||
		err == nil && strconv.Itoa(number) == text && number >= 0
	if plain &&
		!slices.Contains([]string{"and", "or", "not", "in", "above", "below", "contains", "missing", "suppressed", "changed"},
			strings.ToLower(text)) {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}

// Scope returns what the names in a filter refer to: the variables of the current data, and f, F and risk of the
// record's key pattern.
func (s State) Scope() notation.Scope {
	return notation.Scope{Data: s.Current.Data, Original: s.Original.Data, Figure: s.RecordFigure}
}

// RecordFigure returns the record-level figure with a name used in filters.
func (s State) RecordFigure(name string) (figure func(record int) float64, ok bool, err error) {
	a := s.Current.Assessment
	switch {
	case !slices.Contains([]string{"f", "F", "risk", "fk", "Fk"}, name): // fk and Fk as in the files of figures
		return nil, false, nil
	case a == nil && s.Current.Column(name) != nil: // the records are key patterns
		return nil, false, nil
	case s.NotApplicable != "":
		return nil, true, errors.New(name + " is not applicable: " + s.NotApplicable)
	case a == nil:
		return nil, true, errors.New(name + " is not known: there are no key variables")
	case name == "risk":
		return a.Risk, true, nil
	}
	return func(record int) float64 {
		sample, population := a.Frequency(record)
		if name == "f" || name == "fk" {
			return sample
		}
		return population
	}, true, nil
}
