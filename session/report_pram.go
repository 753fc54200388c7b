package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Up to so many categories, and strata, a report shows the matrices.
const (
	widestMatrix = 20
	mostMatrices = 12
)

// matrices shows the transition matrices: users need them to correct their
// tables. Those that were made to keep the frequencies tell these, so that users do not get
// matrices where few records have a category.
func (r *reporting) matrices(context.Context) error {
	for i := range r.Steps {
		for _, v := range r.Steps[i].Report.PRAM {
			if r.least > 0 && slices.Contains(r.Scenario.Remove, v.Variable) {
				continue
			}
			for j := range v.Strata[:min(len(v.Strata), mostMatrices)] {
				r.add(r.Steps[i].matrixSection(i+1, &v, &v.Strata[j], r.least))
			}
			if more := len(v.Strata) - mostMatrices; more > 0 {
				r.page.Sections[len(r.page.Sections)-1].Add("Further strata: %s, with matrices of their own; all can be exported as a file.", wording.Number(more))
			}
		}
	}
	return nil
}

// matrixSection shows the matrix of a stratum; rows have their categories with what they
// meant when the step was made.
func (s *Step) matrixSection(number int, v *method.PRAMVariable, stratum *method.PRAMStratum,
	l limit) report.Section {
	section := report.Section{Heading: fmt.Sprintf("PRAM of %s, step %d", v.Variable, number)}
	if stratum.Stratum != nil {
		section.Heading += ", " + wording.Joined(stratum.Stratum, ", ", s.called)
	}
	few := slices.ContainsFunc(stratum.Before, func(count int) bool { return l.hides(count, 0) })
	switch {
	case few:
		section.Add("The matrix is not told: a category has fewer than %d records.", int(l))
		return section
	case l > 0:
		section.Add("Probability that a category (row) became another (column).")
	default:
		section.Add("Probability that a category (row) became another (column); %s may have changed.",
			wording.Counted(stratum.Movable(), "record"))
	}
	if v.Condition != "" && l > 0 {
		section.Add("Only some of the records may have changed.")
	} else if v.Condition != "" {
		section.Add("Only records with %s may have changed.", v.Condition)
	}
	if len(stratum.Levels) > widestMatrix {
		section.Add("The matrix has %d rows; it can be exported as a file.", len(stratum.Levels))
		return section
	}
	section.Table = [][]string{append([]string{v.Variable}, stratum.Levels...)}
	for k, row := range stratum.Matrix {
		cells := []string{s.called(microdata.CategoryOf{Variable: v.Variable, Label: stratum.Levels[k]})}
		for _, p := range row {
			cells = append(cells, strconv.FormatFloat(p, 'g', 6, 64))
		}
		section.Table = append(section.Table, cells)
	}
	return section
}

// called returns a category followed by what it meant when the step was made, where the
// file said it.
func (s *Step) called(category microdata.CategoryOf) string {
	return s.Said[category.Variable].Called(category.Label)
}

// saidOf returns what data say of the variables whose categories a report of PRAM has.
func saidOf(data *microdata.Dataset, r *method.Report) map[string]microdata.Description {
	said := map[string]microdata.Description{}
	add := func(name string) {
		if column, ok := data.Column(name); ok {
			said[name] = column.Described()
		}
	}
	for i := range r.PRAM {
		add(r.PRAM[i].Variable)
		for _, stratum := range r.PRAM[i].Strata[:min(1, len(r.PRAM[i].Strata))] {
			for _, one := range stratum.Stratum {
				add(one.Variable)
			}
		}
	}
	return said
}
