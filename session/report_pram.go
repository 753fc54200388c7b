package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// The numbers of categories and of strata up to which a report has the matrices.
const (
	widestMatrix = 20
	mostMatrices = 12
)

// matrices adds the transition matrices of PRAM, which users need to correct their tables. An invariant matrix
// reveals the frequencies of the original, so users do not get one if few records had a category, or if few
// records were removed after the step. Matrices for users are rounded.
func (r *reportBuilder) matrices(context.Context) error {
	for i := range r.Steps {
		for _, v := range r.Steps[i].Report.PRAM {
			if r.least > 0 && slices.Contains(r.Scenario.Remove, v.Variable) {
				continue
			}
			for j := range v.Strata[:min(len(v.Strata), mostMatrices)] {
				r.add(r.matrix(i+1, &v, &v.Strata[j]))
			}
			if more := len(v.Strata) - mostMatrices; more > 0 {
				parts := r.chapter.Parts
				parts[len(parts)-1].Add("%s, each with its own matrix, are not shown; the matrices can be exported as a file.",
					wording.CountedAs(more, "further stratum", "further strata"))
			}
		}
	}
	return nil
}

// matrix returns the matrix of a stratum. Rows have their categories with the labels at the time of the step.
func (r *reportBuilder) matrix(number int, v *method.PRAMVariable, stratum *method.PRAMStratum) report.Section {
	s, decimals := &r.Steps[number-1], 6
	section := report.Section{Heading: fmt.Sprintf("PRAM of %s, step %d", v.Variable, number)}
	if stratum.Stratum != nil {
		section.Heading += ", " + wording.Joined(stratum.Stratum, ", ", s.called)
	}
	section.Add("Probability that a category (row) became another (column).")
	switch {
	case r.least > 0 && !r.tellsMatrix(v, stratum):
		section.Lines[0] = fmt.Sprintf("The matrix is not shown, because it would reveal a count below %d.", int(r.least))
		return section
	case r.least > 0 && v.Condition != "":
		section.Add("Only some of the records could change.")
	case r.least == 0 && v.Condition != "":
		section.Add("Only records with %s could change.", v.Condition)
	}
	if r.least == 0 {
		section.Add("%s could change.", wording.Counted(stratum.Movable(), "record"))
	} else {
		decimals = 3
	}
	if len(stratum.Levels) > widestMatrix {
		section.Add("The matrix has %d rows; it can be exported as a file.", len(stratum.Levels))
		return section
	}
	section.Table = [][]string{append([]string{v.Variable}, stratum.Levels...)}
	for k, row := range stratum.Matrix {
		cells := []string{s.called(microdata.CategoryOf{Variable: v.Variable, Label: stratum.Levels[k]})}
		for _, p := range row {
			cells = append(cells, strconv.FormatFloat(p, 'f', decimals, 64))
		}
		section.Row(cells...)
	}
	return section
}

// unbiased names the released variables whose unweighted one-way tables PRAM leaves unbiased, because each matrix is invariant:
// ", except unweighted one-way tables of water"; "" if there are none.
func (r *reportBuilder) unbiased() string {
	invariant := map[string]bool{}
	for i := range r.Steps {
		for _, v := range r.Steps[i].Report.PRAM {
			earlier, again := invariant[v.Variable]
			invariant[v.Variable] = v.Invariant() && (earlier || !again)
		}
	}
	names := r.variablesThat(func(name string) bool { return invariant[name] })
	if len(names) == 0 {
		return ""
	}
	return ", except unweighted one-way tables of " + strings.Join(names, ", ")
}

// tellsMatrix reports whether users get the matrix of a stratum.
func (r *reportBuilder) tellsMatrix(v *method.PRAMVariable, stratum *method.PRAMStratum) bool {
	records := 0
	for i := range v.Strata {
		records += v.Strata[i].Records
	}
	few := slices.ContainsFunc(stratum.Before, func(count int) bool { return count > 0 && !r.least.tells(count) })
	return !few && (records == r.Data.Records() || r.least.tells(records, r.Data.Records()))
}

// called returns a category followed by its label at the time of the step, if it had one.
func (s *Step) called(category microdata.CategoryOf) string {
	return s.Said[category.Variable].Called(category.Label)
}

// saidOf returns the descriptions of the variables whose categories are in a report of PRAM.
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
