package views

import (
	"errors"

	"github.com/sdcdesk/sdcdesk/engine/data/notation"
)

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
