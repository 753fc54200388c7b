package tables

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// safetyPane is the pane of what an intruder learns from the selected table.
type safetyPane struct {
	views.TablePane
	*room
}

func newSafety(r *room) views.Pane {
	p := &safetyPane{TablePane: views.TablePane{PaneID: "table-safety", Heading: "Safety", Enter: "go to the cell"}, room: r}
	p.Content, p.Explained = p.content, p.explain
	return p
}

// explain explains the cell under the cursor and the cells that are counted.
func (p *safetyPane) explain(s views.State) []views.Figure {
	figures := p.room.explain(s)
	if known, _ := p.room.table(s); known == nil {
		return figures
	}
	found := p.narrow(s)
	if found == nil {
		return figures
	}
	return append(figures,
		views.Figure{Name: "One possible integer", Value: draw.Count(len(found.OneInteger)),
			Definition: "Number of sensitive cells of a table of counts whose feasibility interval holds only one integer, so an intruder " +
				"knows the count.",
			Source: measure.SourceHundep + ", section 4.3"},
		views.Figure{Name: "Interval too narrow", Value: draw.Count(len(found.TooNarrow)),
			Definition: "Number of sensitive cells that an intruder can estimate more closely than the rule allows: the feasibility " +
				"interval does not contain the protection interval or, for a changed value, is shorter.",
			Source: measure.SourceHundep + ", section 4.3"})
}

// finding is a row of the pane: a count, or one of the cells that it counts.
type finding struct {
	text  string
	count string
	style *draw.Style
	cell  int // that enter goes to; -1: none
}

func (p *safetyPane) content(s views.State, _ int) draw.Table {
	known, err := p.room.table(s)
	if known == nil || err != nil {
		return draw.Table{Instead: "What an intruder learns from the published table: cells that can be recalculated exactly, cells with one " +
			"possible integer, and intervals that are too narrow."}
	}
	rows := p.rows(s, known)
	return draw.Table{Columns: []draw.Column{{Least: 10, Most: 60}, {Kind: draw.Counts}}, Rows: len(rows),
		Row: func(row int) []draw.Cell {
			r := rows[row]
			return []draw.Cell{{Text: r.text, Style: r.style}, {Text: r.count, Style: r.style}}
		},
		Open: func(row int) draw.Action {
			if cell := rows[row].cell; cell >= 0 {
				p.goTo(known.table, cell)
			}
			return draw.Handled{}
		}}
}

// rows lists what was found, the cells that are open under their counts.
func (p *safetyPane) rows(s views.State, known *result) (rows []finding) {
	t, safety, loss := known.table, &known.safety, known.loss
	counted := func(text string, style *draw.Style, cells []int) {
		rows = append(rows, finding{text, draw.Count(len(cells)), style, -1})
		for _, cell := range cells {
			rows = append(rows, finding{"  " + strings.Join(t.Codes(cell), " × "), "", &s.Plain, cell})
		}
	}
	graded := func(text string, cells []int) { counted(text, safeStyle(s.Theme, len(cells)), cells) }
	rows = append(rows, finding{"sensitive cells", draw.Count(safety.Sensitive), &s.Plain, -1},
		finding{"secondary cells", draw.Count(loss.Secondary), &s.Plain, -1})
	switch {
	case p.protect(s, p.at) == nil:
		rows[1] = finding{"secondary cells", "…", &s.Faint, -1}
	case t.Perturbs():
		rows[1] = finding{"changed cells", draw.Count(loss.Changed), &s.Plain, -1}
	}
	graded("recalculable by anyone", safety.Open)
	graded("recalculable by a single contributor", safety.Insiders)
	if found := p.narrow(s); found != nil {
		graded("one possible integer", found.OneInteger)
		counted("interval too narrow", warned(s.Theme, len(found.TooNarrow)), found.TooNarrow)
	} else {
		rows = append(rows, finding{"one possible integer, too narrow", "…", &s.Faint, -1})
	}
	if n := len(t.Unplaced); n > 0 {
		rows = append(rows, finding{"states of missing cells", draw.Count(n), &s.Warning, -1})
		for _, state := range t.Unplaced {
			rows = append(rows, finding{"  " + strings.Join(state.Codes, " × ") + ": " + string(state.State), "", &s.Plain, -1})
		}
	}
	if t.Perturbs() {
		rows = append(rows, finding{"largest change", wording.Value(loss.Largest), &s.Plain, -1},
			finding{"mean change", wording.Amount(loss.Mean()), &s.Plain, -1})
	} else {
		rows = append(rows, finding{"suppressed value", share(loss.PrimaryValue+loss.SecondaryValue, loss.Value), &s.Plain, -1})
	}
	if t.Perturbs() || loss.Bound > 0 {
		rows = append(rows, finding{t.Definition.CostName(), wording.Value(loss.Cost), &s.Plain, -1})
	}
	if loss.Bound > 0 {
		rows = append(rows, finding{"  " + loss.Bounded(), "", &s.Faint, -1})
	}
	return rows
}

// warned is a warning for any cell.
func warned(theme *draw.Theme, cells int) *draw.Style {
	if cells == 0 {
		return &theme.Good
	}
	return &theme.Warning
}

// goTo shows a cell in the pane of the table.
func (p *safetyPane) goTo(t *publish.Table, cell int) {
	v := &p.slice
	for d := range v.at {
		if v.at[d] = t.Node(cell, d); d == v.down || d == v.across {
			if parent := t.Trees[d].Nodes[v.at[d]].Parent; parent >= 0 {
				v.at[d] = parent
			}
		}
	}
	c := &p.pane.Cursor
	c.At, c.Column = max(0, slices.Index(v.rows(t), t.Node(cell, v.down))), 0
	if v.across >= 0 {
		c.Column = max(0, slices.Index(v.columns(t), t.Node(cell, v.across)))
	}
}
