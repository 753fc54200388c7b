package keys

import (
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// NewHistory returns the pane of the figures after each applied step, next to the original ones.
func NewHistory() views.Pane {
	return &views.TablePane{PaneID: "history", Heading: "History", Enter: "go to step", Risk: true,
		Keyless: "Choose key variables to see the figures after each step.", Content: historyTable,
		Explained: historyFigures}
}

// historyFigures explains the current figures, with their values after each step.
func historyFigures(s views.State) []views.Figure {
	return views.HistoryFigures(s, s.Current.Figures, s.Original.Figures, "", true)
}

// historyTable has one row per applied step, the newest first, and one for the original data.
func historyTable(s views.State, _ int) draw.Table {
	stand, path := len(s.Standing()), s.Path()
	t := draw.Table{
		Columns: []draw.Column{{Kind: draw.Values, Size: 2}, {Head: "after step", Most: 40, Least: 12}},
		Rows:    stand + 1,
		Open:    func(row int) draw.Action { return views.Jump{Node: path[stand-row]} },
	}
	var values []views.FigureID
	s.Original.Figures.Shown(measure.History, func(e *measure.Entry, v *measure.Value) {
		if v.NextToSameK {
			return
		}
		head, _ := v.Row()
		if v.K > 0 {
			head = "k = " + strconv.Itoa(v.K)
		}
		values = append(values, views.IdOf(e.Spec.Name, v))
		t.Columns = append(t.Columns, draw.Column{Head: head, Kind: draw.Counts, Rank: len(values)})
	})
	t.Columns = append(t.Columns, draw.Column{Head: "suppressed", Kind: draw.Counts, Rank: 1})
	t.Row = func(row int) []draw.Cell { return historyCells(s, stand-row, values) }
	return t
}

// historyCells returns number and title of a step, the figures right after it, and the number of cells it
// suppressed.
func historyCells(s views.State, position int, values []views.FigureID) []draw.Cell {
	theme, style := s.Theme, &s.Plain
	if position == s.Position {
		style = &theme.Strong
	}
	cells := []draw.Cell{{}, {Text: "original data", Style: style}}
	figures, suppressed := s.Original.Figures, ""
	if position > 0 {
		step := &s.Steps[position-1]
		cells[0].Text, cells[1].Text, figures = strconv.Itoa(position), step.Title, step.Figures
		if step.Report != nil && step.Report.Suppression != nil {
			suppressed = draw.Count(step.Report.Total)
		}
	}
	for _, id := range values {
		cell := draw.Cell{Text: "–", Style: &theme.Faint}
		if v := id.In(figures); v != nil {
			cell = draw.Cell{Text: v.Text(), Style: views.RiskStyle(theme, int(v.Number), s.Records())}
			if v.Unit != measure.Count {
				cell.Style = style
			}
		}
		cells = append(cells, cell)
	}
	return append(cells, draw.Cell{Text: suppressed, Style: &theme.Suppressed})
}
