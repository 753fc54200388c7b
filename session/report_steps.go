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
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// steps adds what was done: for users a sentence per step, for the internal report a row with its parameters.
func (r *reportBuilder) steps(context.Context) error {
	s := report.Section{}
	if r.least == 0 {
		s = report.NewTable("Steps", "step", "description", "effect", "method", "parameters")
	}
	for i := range r.Steps {
		step := &r.Steps[i]
		if r.least == 0 {
			s.Row(strconv.Itoa(i+1), step.Title, step.Report.Effect, step.spelled(),
				parameters(step.method))
			step.addNotes(&s, i+1)
		} else {
			s.Add("Step %d: %s", i+1, step.method.Narrate(&step.Report))
		}
	}
	if len(r.Steps) == 0 {
		s.Add("No step was applied: the records are those of the original.")
	}
	r.add(s)
	return nil
}

// spelled returns the name of the method, with its version if results changed since the first.
func (s *Step) spelled() string {
	if s.Spec.Version > 0 {
		return fmt.Sprintf("%s (version %d)", s.Spec.Step, s.Spec.Version)
	}
	return s.Spec.Step
}

// addNotes adds to a section the labels of the names in the step, its warnings, and what it left unchanged.
func (s *Step) addNotes(to *report.Section, number int) {
	if len(s.Meanings) > 0 {
		to.Add("Step %d has labels for %s.", number, meant(s.Meanings))
	}
	for _, warning := range s.Report.Warnings {
		to.Add("Step %d: %s.", number, warning)
	}
	for i := range s.Report.PRAM {
		if v := &s.Report.PRAM[i]; v.Kept > 0 {
			to.Add("Step %d: %s of %s did not change, because of the condition or a stratum with one category.", number,
				wording.Counted(v.Kept, "value"), v.Variable)
		}
	}
}

// meant returns the labels of the first variables and categories that a step names.
func meant(meanings []method.Meaning) string {
	const most = 40
	texts := wording.Joined(meanings[:min(len(meanings), most)], "; ", method.Meaning.String)
	if more := len(meanings) - most; more > 0 {
		texts += "; and " + wording.Number(more) + " more"
	}
	return texts
}

// parameters returns the parameters that have an effect and are not empty, in the format of dialogs. A parameter
// with the text of a file is only mentioned.
func parameters(of method.Parameterised) string {
	var said []string
	for _, p := range of.Params() {
		text := p.Shown()
		if text == "" || !p.Counts() {
			continue
		}
		if p.Kind == method.KindFile {
			text = "a file"
		}
		said = append(said, p.Label()+": "+text)
	}
	return strings.Join(said, "; ")
}

// changes lists the variables that differ from the original. Users get the number of cells missing because of the
// protection, unless that count or its difference from one visible in the file is below the limit, and no other
// counts.
func (r *reportBuilder) changes(ctx context.Context) error {
	s := report.NewTable("Changed variables", "variable", "change", "cells changed", "suppressed",
		"missing now", "missing in the original")
	if r.least > 0 {
		s.Table[0] = []string{"variable", "change", "missing because of protection", "percent of records"}
	}
	var c Comparison
	if err := c.cells(ctx, r.original(), r.Data, nil); err != nil {
		return err
	}
	released, origins := r.released(), r.Data.Origins()
	for i := range c.Variables {
		v := &c.Variables[i]
		column, ok := released.Column(v.Name)
		switch {
		case !ok:
		case r.least > 0:
			s.Table = append(s.Table, r.changeForUsers(v, column, origins[v.Name])...)
		default:
			row := []string{v.Name, waysChanged(column, origins[v.Name], v.InA, 1), "–", wording.Number(column.SuppressedCount()),
				wording.Number(v.MissingB), "–"}
			if v.InA {
				row[2] = wording.Number(v.Cells)
				row[5] = wording.Number(v.MissingA)
			}
			s.Row(row...)
		}
	}
	if r.least > 0 && len(s.Table) > 1 {
		s.Add("A variable that is not listed has fewer than %d changed cells.", int(r.least))
		dash := func(row []string) bool { return row[2] == "–" }
		if reported := slices.ContainsFunc(s.Table[1:], func(row []string) bool { return !dash(row) }); reported &&
			slices.ContainsFunc(s.Table, dash) {
			s.Add("A dash replaces a count that is withheld: the count, or its difference from a count in the file, is below "+
				"%d.",
				int(r.least))
		}
	}
	r.addTable(s, map[bool]string{true: "No variable has changed.",
		false: fmt.Sprintf("Every variable has fewer than %d changed cells.", int(r.least))}[r.least == 0])
	return nil
}

// changeForUsers returns the row of a variable, none if fewer of its cells changed than the limit.
func (r *reportBuilder) changeForUsers(v *VariableOfTwo, column *microdata.Column, origin microdata.Origin) [][]string {
	lost, records := v.OnlyA, r.Data.Records()
	if v.InA && !column.Recoded() && v.Cells < int(r.least) {
		return nil
	}
	row := []string{v.Name, waysChanged(column, origin, v.InA, int(r.least)), "–", "–"}
	if v.InA && r.least.tells(lost, records, column.MissingCount()) {
		row[2], row[3] = wording.Number(lost), fmt.Sprint(measure.PercentOf(lost, records))
	}
	return [][]string{row}
}

// waysChanged lists how a column came to differ from the original, including suppression only if at least least
// cells were suppressed.
func waysChanged(c *microdata.Column, origin microdata.Origin, was bool, least int) string {
	var ways []string
	for _, way := range []struct {
		is   bool
		said string
	}{{!was, "added"}, {origin&microdata.Synthetic != 0, "synthetic"}, {origin&microdata.Drawn != 0, "randomised"},
		{origin&microdata.Perturbed != 0, "masked"}, {c.Recoded(), "recoded"},
		{c.SuppressedCount() >= least, "cells suppressed"}} {
		if way.is {
			ways = append(ways, way.said)
		}
	}
	if len(ways) == 0 {
		return "changed"
	}
	return strings.Join(ways, ", ")
}

// suppressions lists how many cells each step suppressed. Steps are listed by variable if there are several,
// because the cells of a single step are those of the changed variables.
func (r *reportBuilder) suppressions(context.Context) error {
	s := report.NewTable("Suppressed cells", "step", "what", "variable", "cells")
	steps := 0
	for i := range r.Steps {
		before := len(s.Table)
		r.Steps[i].addSuppressions(i+1, &s)
		steps += min(1, len(s.Table)-before)
	}
	if steps < 2 {
		s.Table = nil
	}
	r.add(s)
	return nil
}

// addSuppressions adds a line on the cells that the step suppressed, and a row for each variable with such cells.
func (s *Step) addSuppressions(number int, to *report.Section) {
	row := func(variable string, count int) {
		if count > 0 {
			to.Row(strconv.Itoa(number), s.Title, variable, wording.Number(count))
		}
	}
	row("–", s.Report.Outside) // its title names the variable
	suppression := s.Report.Suppression
	if suppression == nil {
		return
	}
	for _, counts := range []method.Counts{suppression.Cells, suppression.Linked} {
		for _, count := range counts {
			row(count.Name, count.Count)
		}
	}
	line := fmt.Sprintf("Step %d: %s in %s", number, wording.Counted(suppression.Total, "cell"),
		wording.Counted(suppression.Touched, "record"))
	if suppression.Bound != nil {
		line += fmt.Sprintf("; weighted cost %s, lower bound %s", wording.Number(suppression.Price),
			wording.Number(*suppression.Bound))
	}
	to.Add("%s.", line)
}
