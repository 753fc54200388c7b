package session

import (
	"fmt"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/report"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Up to so many categories, and strata, a report shows the matrices.
const (
	widestMatrix = 20
	mostMatrices = 12
)

// pramSections show the transition matrices: users need them to correct their
// tables, and they are no secret. Seeds are.
func (d *Document) pramSections() []report.Section {
	var sections []report.Section
	for i := range d.Steps {
		for _, v := range d.Steps[i].Report.PRAM {
			for j := range v.Strata[:min(len(v.Strata), mostMatrices)] {
				sections = append(sections, d.matrixSection(i+1, &v, &v.Strata[j]))
			}
			if more := len(v.Strata) - mostMatrices; more > 0 {
				last := &sections[len(sections)-1]
				last.Add("Further strata: %s, with matrices of their own; all can be exported as a file.", wording.Number(more))
			}
		}
	}
	return sections
}

// matrixSection shows the matrix of a stratum; rows have their categories with what they
// mean.
func (d *Document) matrixSection(step int, v *method.PRAMVariable, stratum *method.PRAMStratum) report.Section {
	s := report.Section{Heading: fmt.Sprintf("PRAM of %s, step %d", v.Variable, step)}
	if stratum.Stratum != nil {
		s.Heading += ", " + wording.Joined(stratum.Stratum, ", ", d.called)
	}
	s.Add("Probability that a category (row) became another (column); %s may have changed.", wording.Counted(stratum.Records, "record"))
	if v.Condition != "" {
		s.Add("Only records with %s may have changed.", v.Condition)
	}
	if len(stratum.Levels) > widestMatrix {
		s.Add("The matrix has %d rows; it can be exported as a file.", len(stratum.Levels))
		return s
	}
	s.Table = [][]string{append([]string{v.Variable}, stratum.Levels...)}
	for k, row := range stratum.Matrix {
		cells := []string{d.called(microdata.CategoryOf{Variable: v.Variable, Label: stratum.Levels[k]})}
		for _, p := range row {
			cells = append(cells, strconv.FormatFloat(p, 'g', 6, 64))
		}
		s.Table = append(s.Table, cells)
	}
	return s
}

// called returns a category followed by what it means, where the file says it.
func (d *Document) called(category microdata.CategoryOf) string {
	if column, ok := d.Data.Column(category.Variable); ok {
		return column.Described().Called(category.Label)
	}
	return category.Label
}
