package pram

import (
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// NewPRAMFrequencies returns the pane of the frequencies of the selected variable: before PRAM, expected, after
// PRAM, and the unbiased estimate of those before.
func NewPRAMFrequencies() views.Pane {
	return newPRAMPane(pramPane{TablePane: views.TablePane{PaneID: "pram-frequencies",
		Heading: "Frequencies, estimates"},
		purpose: "Frequencies before and after PRAM, and the original frequencies estimated with the matrix.",
		title:   (*pramEffect).title, explained: estimateFigures,
		draw: func(p *pramPane, s views.State, stratum *method.PRAMStratum, _ int) draw.Table {
			t := frequencyTable(s.Theme, stratum)
			t.Status = func(width int) []string { return frequencyNotes(s, p.shown.composed.Kept, stratum, width) }
			return t
		}})
}

// frequencyTable has one row per category of a stratum: before, expected, after,
// and the estimate with its standard error.
func frequencyTable(theme *draw.Theme, stratum *method.PRAMStratum) draw.Table {
	return draw.Table{
		Columns: []draw.Column{
			{Head: "category", Least: 8},
			{Head: "before", Kind: draw.Counts},
			{Head: "expected", Kind: draw.Counts, Rank: 2},
			{Head: "after", Kind: draw.Counts},
			{Head: "estimate", Kind: draw.Counts, Rank: 1},
			{Head: "± s.e.", Kind: draw.Counts, Rank: 1},
		},
		Rows: len(stratum.Levels),
		Row:  func(row int) []draw.Cell { return frequencyRow(theme, stratum, row) },
	}
}

func frequencyRow(theme *draw.Theme, stratum *method.PRAMStratum, i int) []draw.Cell {
	after := &theme.Plain
	if stratum.After[i] != stratum.Before[i] {
		after = &theme.Changed
	}
	estimate, deviation := "–", "–"
	if stratum.Estimate != nil {
		estimate, deviation = tenths(stratum.Estimate[i]), tenths(stratum.Errors[i])
	}
	return []draw.Cell{
		{Text: stratum.Levels[i]},
		{Text: draw.Count(stratum.Before[i])},
		{Text: tenths(stratum.Expected[i]), Style: &theme.Faint},
		{Text: draw.Count(stratum.After[i]), Style: after},
		{Text: estimate, Style: &theme.Strong},
		{Text: deviation, Style: &theme.Faint},
	}
}

// tenths formats a number with one decimal and commas.
func tenths(x float64) string {
	return wording.Thousands(strconv.FormatFloat(x, 'f', 1, 64))
}

// frequencyNotes returns the reasons why there is no estimate, and the number of records not in the table.
func frequencyNotes(s views.State, kept int, stratum *method.PRAMStratum, width int) []string {
	var notes []string
	switch {
	case stratum.Singular:
		notes = append(notes, "The matrix has no inverse, so the original frequencies cannot be estimated.")
	case stratum.Estimate == nil:
		notes = append(notes, "Cells became missing in between, so the original frequencies are not estimated.")
	}
	if kept > 0 {
		notes = append(notes, "Not in the table: "+wording.Counted(kept, "record")+" to which PRAM does not apply.")
	}
	var lines []string
	for _, note := range notes {
		lines = append(lines, s.Faint.Indented(note, 1, width)...)
	}
	return lines
}

// estimateFigures explains expectation and estimate of the category under the
// cursor.
func estimateFigures(p *pramPane, stratum *method.PRAMStratum) []views.Figure {
	i := p.Cursor.At
	name := stratum.Levels[i]
	figures := []views.Figure{{Name: "Expected frequency of " + name, Value: tenths(stratum.Expected[i]),
		Definition: "Mean frequency of the category after PRAM over all draws. With an invariant matrix it equals the frequency " +
			"before.",
		Formula: "E(T*) = P' T",
		Values:  []string{"before " + draw.Count(stratum.Before[i]), "after " + draw.Count(stratum.After[i])},
		Source:  measure.SourcePRAM}}
	if stratum.Estimate == nil {
		return figures
	}
	return append(figures,
		views.Figure{Name: "Unbiased estimate of " + name, Value: tenths(stratum.Estimate[i]) + " ± " +
			tenths(stratum.Errors[i]),
			Definition: "Estimate of the frequency before PRAM by users who know the matrix. It is unbiased; its standard error " +
				"shows the deviation of one draw. It is larger if the members of a household were drawn together.",
			Formula: "estimate (P^-1)' T*; Var(T*) = sum_k T_k (diag p_k - p_k p_k'); standard errors from (P^-1)' Var(T*) P^-1",
			Values:  []string{"T = " + draw.Count(stratum.Before[i]), "T* = " + draw.Count(stratum.After[i])},
			Source:  measure.SourcePRAM + "; " + measure.SourceHundep + ", section 3.6"})
}
