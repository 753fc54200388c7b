package keys

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// CrossTable is the pane of the cross table of two key variables: the records of every pair of categories, now and
// in the original. Its rows are the categories of the selected variable.
type CrossTable struct {
	views.TablePane
	across string // the variable of the columns; "" or that of the rows: the next one
	share  views.ShareKind
	found  views.Cache[crossTableKey, crossTable]
}

var _ views.Seeker = (*CrossTable)(nil)

// NewCrossTable returns the pane of the cross table.
func NewCrossTable() *CrossTable {
	p := &CrossTable{TablePane: views.TablePane{PaneID: "cross-table", Heading: "Cross table", Enter: "list records",
		Move: views.KeyCells(), Risk: true}}
	p.Content, p.Actions, p.Titled, p.OfRow = p.table, p.keys, p.named, p.explain
	return p
}

func (p *CrossTable) keys() []views.KeyAction {
	return []views.KeyAction{
		views.EmitsFrom("x", "change column variable", func(s views.State) draw.Action {
			down, across := p.variables(s)
			if p.across = after(s.Keys(), across); p.across == down {
				p.across = after(s.Keys(), down)
			}
			p.Cursor.Column = 0
			return draw.Handled{}
		}),
		views.EmitsFrom("y", "change row variable", func(s views.State) draw.Action {
			down, across := p.variables(s)
			if down == "" {
				return draw.Handled{}
			}
			next := after(s.Keys(), down)
			if next == across {
				next = after(s.Keys(), next)
			}
			p.Cursor.At, p.across = 0, across
			return views.SelectVariable{Name: next}
		}),
		views.Handles("%", "switch records/percent", func() { p.share = p.share.Next() }),
	}
}

// after returns the name after another one, cyclically.
func after(names []string, name string) string {
	if len(names) == 0 {
		return ""
	}
	return names[(slices.Index(names, name)+1)%len(names)]
}

// variables returns the variables of the rows and of the columns, or "" if there are fewer than two key variables.
func (p *CrossTable) variables(s views.State) (down, across string) {
	names := s.Keys()
	if len(names) < 2 {
		return "", ""
	}
	down, across = s.Selected.Variable, p.across
	if !slices.Contains(names, down) {
		down = names[0]
	}
	if across == down || !slices.Contains(names, across) {
		across = after(names, down)
	}
	return down, across
}

// named names the two variables and what the cells show.
func (p *CrossTable) named(s views.State) string {
	down, across := p.variables(s)
	if down == "" {
		return p.Title()
	}
	return p.Title() + " · " + down + " down, " + across + " across · " + p.share.String()
}

// table has one row per category of one variable, after a row of sums, and one column per category of the other.
func (p *CrossTable) table(s views.State, width int) draw.Table {
	down, across := p.variables(s)
	switch {
	case len(s.Keys()) < 2:
		return draw.Table{Instead: "Choose two key variables to see their cross table."}
	case s.Current.Assessment == nil || s.Original.Assessment == nil:
		return draw.Table{Instead: s.Waiting()}
	}
	c := p.found.Found(p.crossed(s))
	if c == nil {
		return draw.Table{Instead: "counting …"}
	}
	if c.Pair == nil {
		return draw.Table{Instead: down + " and " + across +
			" have too many pairs of categories for a table. Choose another variable with x or y, or recode one."}
	}
	if len(c.Columns) == 0 {
		return draw.Table{Instead: "The file has no records."}
	}
	all := max(5, draw.Width(draw.Count(c.Rows[0].Now)))
	label, most := 4, min(max(8, width/4), draw.Widest)
	for i := 0; i < len(c.Rows) && label < most; i++ {
		label = min(most, max(label, draw.Width(draw.Label(s.WithCode(down, c.row(s, down, i))))))
	}
	size := c.size(s.K, p.share)
	return draw.Table{
		Columns: []draw.Column{{Head: s.Marked(down), Size: label, Most: label, Least: min(label, 6)},
			{Head: "Total", Kind: draw.Counts, Size: all, Most: all, Rank: 1}},
		Sideways: &draw.ColumnScroll{Columns: len(c.Columns),
			Column: func(i int) draw.Column {
				head := s.WithCode(across, c.column(s, across, i))
				return draw.Column{Head: head, Kind: draw.Counts, Size: max(size, min(14, draw.Width(draw.Label(head)))),
					Least: size}
			},
			Cell: func(row, i int) draw.Cell { return p.cell(s, c, row, i) }},
		Rows: len(c.Rows),
		Row: func(row int) []draw.Cell {
			style := &s.Plain
			if row == 0 {
				style = &s.Strong
			}
			return []draw.Cell{{Text: s.WithCode(down, c.row(s, down, row)), Style: style},
				{Text: draw.Count(c.Rows[row].Now), Style: style}}
		},
		Status: func(width int) []string { return p.status(s, c, width) },
		Open: func(row int) draw.Action {
			return views.ShowMatching{Condition: c.condition(s, down, across, row, p.Cursor.Column)}
		},
	}
}

// cell returns a cell: its records, the original ones if any cell differs, and a mark if there are fewer than k.
func (p *CrossTable) cell(s views.State, c *crossTable, row, column int) draw.Cell {
	theme := s.Theme
	n, was := c.Cell(row, column)
	style := &theme.Plain
	switch {
	case n == 0:
		style = &theme.Faint
	case row > 0 && n < s.K:
		style = &theme.High
	case row == 0:
		style = &theme.Strong
	}
	return draw.Cell{Text: c.text(row, column, n, was, s.K, p.share), Style: style}
}

// status describes the cell under the cursor.
func (p *CrossTable) status(s views.State, c *crossTable, width int) []string {
	row, column := p.Cursor.At, p.Cursor.Column
	n, was := c.Cell(row, column)
	down, across := p.called(s, c)
	text := " " + down + ", " + across + ": " + wording.Counted(n, "record")
	if c.Differs {
		text += " (" + draw.Count(was) + ")"
	}
	text += ", " + wording.PercentOf(n, c.Rows[row].Now) + " of the row, " + wording.PercentOf(n, c.Columns[column].Now) +
		" of the column"
	legend := "  ! fewer than " + draw.Count(s.K)
	if c.Unknown {
		legend = "  the original is unknown" + legend
	}
	if draw.Width(draw.Safe(text))+draw.Width(legend) <= width {
		return []string{s.Plain.Render(draw.Safe(text)) + s.Faint.Render(draw.FitRight(legend, width-draw.Width(draw.Safe(text))))}
	}
	return s.Plain.Indented(draw.Safe(text[1:]), 1, width)
}

// called names the two categories of the cell under the cursor.
func (p *CrossTable) called(s views.State, c *crossTable) (row, column string) {
	down, across := p.variables(s)
	return draw.Shortened(s.WithCode(down, c.row(s, down, p.Cursor.At))),
		draw.Shortened(s.WithCode(across, c.column(s, across, p.Cursor.Column)))
}

// explain explains the cell under the cursor.
func (p *CrossTable) explain(s views.State) []views.Figure {
	c, row, column := p.found.Found(p.crossed(s)), p.Cursor.At, p.Cursor.Column
	n, was := c.Cell(row, column)
	down, across := p.called(s, c)
	figure := views.Figure{Name: "Records with " + down + " and " + across, Value: draw.Count(n),
		Definition: "Number of records in this cell of the cross table. If they are few, these two variables alone isolate them. " +
			"Key patterns use all key variables.",
		Formula: "records of the cell / records of the row, of the column",
		Values: []string{wording.PercentOf(n, c.Rows[row].Now) + " of the row, " + wording.PercentOf(n, c.Columns[column].Now) +
			" of the column"},
		Source: measure.SourceGuide}
	if c.Differs {
		figure.Values = append(figure.Values, "original, sum of the merged categories: "+draw.Count(was))
	}
	return []views.Figure{figure}
}

// condition returns the condition that selects the records of a cell.
func (c *crossTable) condition(s views.State, down, across string, row, column int) string {
	parts := []string{views.CategoryCondition(s.Current.Column(across), c.Columns[column].Code)}
	if row > 0 {
		parts = slices.Insert(parts, 0, views.CategoryCondition(s.Current.Column(down), c.Rows[row].Code))
	}
	return strings.Join(parts, " and ")
}
