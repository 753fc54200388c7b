package data

import (
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views"
)

// cellFigure explains the cell under the cursor: what the variable is, and what the cell
// was as it was read.
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
	if f.Value == "" {
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
		f.Values = append(f.Values, "as it was read: "+was)
	}
	return []views.Figure{f}
}

// roleMeaning says in a sentence what a variable with a role is.
func roleMeaning(role microdata.Role) string {
	return map[microdata.Role]string{
		microdata.RoleKey:        "It is a key variable: an intruder may know it of a person.",
		microdata.RoleNumericKey: "It is a numeric key variable: an intruder may know it of a person, more or less exactly.",
		microdata.RoleWeight:     "The weight: the number of persons in the population that a record represents.",
		microdata.RoleHousehold:  "It says which records form a household.",
		microdata.RoleStrata:     "It defines strata, within which methods work separately.",
		microdata.RolePRAM:       "It is to be perturbed by PRAM.",
		microdata.RoleSensitive:  "It is sensitive: what an intruder may learn of a person.",
		microdata.RoleLinked:     "Suppressed together with its key variable.",
		microdata.RoleRemoved:    "It is left out of the file that is written.",
		microdata.RoleSame:       "It is the same for all members of a household.",
	}[role]
}
