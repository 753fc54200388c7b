package masking

import (
	"math"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	pramview "github.com/sdcdesk/sdcdesk/views/pram"
)

// pramFields is the width of the fields if the matrix is next to them.
const pramFields = 44

// View draws the fields and, next to them or instead, their result.
func (d *pramDialog) View(s views.State, width, height int) string {
	if width >= dialogs.WideDialog {
		room := width - pramFields - 3
		return dialogs.SideBySide(s.Theme, dialogs.FitLines(d.viewFields(s, pramFields, height), pramFields, height),
			dialogs.FitLines(d.viewPreview(s, room, height), room, height))
	}
	if d.inside {
		return strings.Join(dialogs.FitLines(d.viewPreview(s, width, height), width, height), "\n")
	}
	lines := d.viewFields(s, width, height)
	if room := height - len(lines) - 1; room >= 4 && d.shown() != nil {
		lines = append(append(lines, ""), d.viewMatrix(s, width, room)...)
	}
	return strings.Join(dialogs.FitLines(lines, width, height), "\n")
}

// viewFields draws the form and the effect of the step in words.
func (d *pramDialog) viewFields(s views.State, width, height int) []string {
	return d.WithUnder(s, width, height, func(int) []string { return d.inWords(s, width) })
}

// inWords describes the effect of the step.
func (d *pramDialog) inWords(s views.State, width int) (lines []string) {
	problem := d.Problem()
	switch {
	case problem == nil && d.Known.Err != nil:
		problem = d.Known.Err
	case problem == nil && len(d.method.Variables) == 0:
		return s.Faint.Append(lines, "Type one or more categorical variables, separated by commas.",
			width)
	}
	if problem != nil {
		return s.Error.Append(lines, method.Said(problem, d.method), width)
	}
	if d.Known.WhatIf == nil {
		return append(lines, s.Faint.Render("counting …"))
	}
	report := &d.Known.WhatIf.Report
	style := s.Changed.Render
	if d.Known.Pending {
		style = s.Faint.Render
	}
	lines = append(lines, draw.Wrapped(style, dialogs.EffectText(report.Effect), width)...)
	for _, warning := range report.Warnings {
		lines = s.Warning.Append(lines, warning, width)
	}
	if d.Known.WhatIf.NotApplicable == "" && s.NotApplicable == "" {
		lines = s.Faint.Append(lines, "No key variable: k-anonymity and risk do not change.", width)
	}
	if d.Known.WhatIf.Elapsed > 0 && !d.Known.Pending {
		lines = append(lines, s.Faint.Render("computed in "+draw.Duration(d.Known.WhatIf.Elapsed)))
	}
	return lines
}

// viewPreview draws the matrix and the frequencies below it.
func (d *pramDialog) viewPreview(s views.State, width, height int) []string {
	shown := d.shown()
	if shown == nil {
		return s.Faint.Wrapped("Complete the fields to see the matrix and the frequencies.", width)
	}
	frequencies := 0
	_, stratum := d.previewed()
	if stratum != nil && height >= 12 {
		frequencies = max(4, min(len(stratum.Levels)+2, (height-4)/2))
	}
	lines := d.viewMatrix(s, width, min(len(shown.Levels)+3, height-frequencies))
	if frequencies == 0 || len(lines)+4 > height {
		return lines
	}
	lines = append(lines, s.Frame.Render(strings.Repeat("─", width)))
	return append(lines, d.preview.Frequencies(s, d.named(s, stratum), width, height-len(lines))...)
}

// viewMatrix draws the heading, the matrix and the cell under the cursor.
func (d *pramDialog) viewMatrix(s views.State, width, height int) []string {
	shown := d.shown()
	marks := draw.Marks{Forbidden: func(row, column int) bool {
		return d.method.Forbid.Has(shown.Levels[row], shown.Levels[column])
	}}
	if shown == d.own {
		marks.Wrong = func(row int) bool { return math.Abs(sumOf(shown.Matrix[row])-1) > 1e-9 }
	}
	lines := []string{d.heading(s, width)}
	lines = append(lines, d.preview.Matrix(s, d.named(s, shown), marks, width, height-2, d.inside)...)
	return append(lines, d.status(s, shown, width))
}

// heading names the visible matrix.
func (d *pramDialog) heading(s views.State, width int) string {
	text := "user-defined matrix"
	if v, stratum := d.previewed(); d.shown() != d.own && v != nil && stratum != nil {
		text = "matrix of " + v.Variable
		if stratum.Stratum != nil {
			text = v.Variable + " in " + s.WithMeanings(stratum.Stratum) + " (" + strconv.Itoa(d.stratum+1) + " of " +
				strconv.Itoa(len(v.Strata)) + "): " +
				wording.PercentOf(stratum.Changed, stratum.Records) + " change"
		}
		if len(d.reports()) > 1 {
			if stratum.Stratum == nil {
				text += ": " + wording.PercentOf(v.Changed, v.Records+v.Kept) + " of the values change"
			}
			text += " · variable " + strconv.Itoa(d.variable+1) + " of " + strconv.Itoa(len(d.reports()))
		}
	}
	style := s.Title
	if d.Known.Pending {
		style = s.Faint
		text += " " + draw.StaleMark
	}
	return style.Fit(text, width)
}

// status is the line under the matrix: the cell under the cursor, the sum of its row if that is not 1, or what is
// being typed.
func (d *pramDialog) status(s views.State, shown *method.PRAMStratum, width int) string {
	row, column := d.preview.Cell(len(shown.Levels))
	levels := d.named(s, shown).Levels
	switch {
	case d.message != "":
		return s.Error.Fit(" "+d.message, width)
	case d.cell != nil:
		head := " " + levels[row] + " → " + levels[column] + ": "
		return s.Plain.Render(draw.Safe(head)) + d.cell.View(s.Theme, max(1, min(14, width-draw.Width(head))))
	case shown == d.own && math.Abs(sumOf(shown.Matrix[row])-1) > 1e-9:
		text := " row " + levels[row] + " sums to " + strconv.FormatFloat(sumOf(shown.Matrix[row]), 'g', 6, 64) +
			", not 1 · d adjusts the diagonal"
		return s.Error.Fit(text, width)
	case d.method.Form != pram.FormMatrix && d.method.Forbid.Has(shown.Levels[row], shown.Levels[column]):
		return s.Suppressed.Fit(" forbidden in both directions: "+levels[row]+" / "+levels[column], width)
	}
	return d.preview.Status(s, d.named(s, shown), width)
}

// named returns a stratum with labels after its categories.
func (d *pramDialog) named(s views.State, stratum *method.PRAMStratum) *method.PRAMStratum {
	if v, _ := d.previewed(); v != nil {
		if column := s.Current.Column(v.Variable); column != nil {
			return pramview.Named(s, column.Description(), stratum)
		}
	}
	return stratum
}

func sumOf(row []float64) float64 {
	sum := 0.0
	for _, p := range row {
		sum += p
	}
	return sum
}

// Rows returns the number of lines of the matrix and of the frequencies below it.
func (d *pramDialog) Rows() int {
	if shown := d.shown(); shown != nil {
		return max(20, 2*len(shown.Levels)+7)
	}
	return 20
}
