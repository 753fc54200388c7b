package data

import (
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views"
)

// cellFigure explains the cell under the cursor: its variable and its original value.
func (p *Records) cellFigure(s views.State, record int) []views.Figure {
	c := p.current(s)
	if c.variable == nil {
		return nil
	}
	column := c.variable
	name := column.Name()
	f := views.Figure{Name: name + " of " + p.called(s, record),
		Value:      s.WithCodeLabel(column, p.raw(s, c, record)),
		Definition: s.Titled(column.Name()) + ": a variable of the file, read as " + column.Type() + ".",
		Source:     s.File}
	switch {
	case f.Value != "":
	case !p.ofKeys && column.Suppressed().Has(record):
		f.Value = views.SuppressedLabel
	default:
		f.Value = views.MissingLabel
	}
	if s.Scenario != nil {
		for _, role := range s.Scenario.RolesOf(column.Name()) {
			f.Definition += " " + roleMeaning(role)
		}
	}
	if source := column.Source(); source != column && record < source.Len() && column.Differs(source, record) {
		was := s.WithCodeLabel(source, source.Text(record))
		if was == "" {
			was = views.MissingLabel
		}
		f.Values = append(f.Values, "original: "+was)
	}
	return []views.Figure{f}
}

// roleMeaning explains in a sentence what a variable with a role is.
func roleMeaning(role microdata.Role) string {
	return map[microdata.Role]string{
		microdata.RoleKey:        "Key variable: an intruder may know its value for a person.",
		microdata.RoleNumericKey: "Numeric key variable: an intruder may know its value for a person, at least approximately.",
		microdata.RoleWeight:     "Sampling weight: the number of persons in the population that a record represents.",
		microdata.RoleHousehold:  "Household ID: it shows which records form a household.",
		microdata.RoleStrata:     "Stratum variable: methods work separately within its categories.",
		microdata.RolePRAM:       "Marked for PRAM.",
		microdata.RoleSensitive:  "Sensitive variable: an intruder should not learn its value.",
		microdata.RoleLinked:     "Suppressed together with its key variable.",
		microdata.RoleRemoved:    "Removed: it is not written to the protected file.",
		microdata.RoleSame:       "It has one value for all members of a household.",
	}[role]
}
