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

// KeyCondition writes what the records of a key have in common, as it is typed. codes
// returns those of a variable by key.
func KeyCondition(codes func(variable int) []uint32, columns []*microdata.Column, key uint32) string {
	parts := make([]string, len(columns))
	for i, column := range columns {
		parts[i] = CategoryCondition(column, codes(i)[key])
	}
	return strings.Join(parts, " and ")
}

// CategoryCondition writes that a variable has a category, 0 being missing.
func CategoryCondition(column *microdata.Column, code uint32) string {
	if code == 0 {
		return ConditionWord(column.Name()) + " missing"
	}
	return ConditionWord(column.Name()) + " = " + ConditionWord(column.Categories().Levels[code-1].Label)
}

// Condition writes what records with some categories have in common. A variable that lacks
// the category is missing there.
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

// ConditionWord returns a name or a label as it is typed in a condition: in quotes
// where it is not a word of letters or a whole number.
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

// Scope is what the names of a filter stand for: the variables of the current
// data, and fk, Fk and risk of the record's key.
func (s State) Scope() notation.Scope {
	return notation.Scope{Data: s.Current.Data, Original: s.Original.Data, Figure: s.RecordFigure}
}

// RecordFigure returns a figure of records by its name in filters.
func (s State) RecordFigure(name string) (figure func(record int) float64, ok bool, err error) {
	a := s.Current.Assessment
	switch {
	case name != "fk" && name != "Fk" && name != "risk":
		return nil, false, nil
	case a == nil && s.Current.Column(name) != nil: // where records are the distinct keys
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
		if name == "fk" {
			return sample
		}
		return population
	}, true, nil
}
