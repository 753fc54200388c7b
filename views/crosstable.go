package views

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// CrossTable is the pane of two key variables against each other: the records of
// every pair of categories, as they are and as they were. Its rows are the selected
// variable.
type CrossTable struct {
	tablePane
	across string // the variable of the columns; "" or that of the rows: the next one
	share  shareKind
	found  foundCross
}

var _ Seeker = (*CrossTable)(nil)

// NewCrossTable returns the pane of two key variables against each other.
func NewCrossTable() *CrossTable {
	p := &CrossTable{tablePane: tablePane{id: "cross-table", title: "Cross table", enter: "records", move: keyCells(), risk: true}}
	p.content, p.acts, p.titled, p.figures = p.table, p.keys, p.named, p.explain
	return p
}

func (p *CrossTable) keys() []act {
	return []act{
		{bind("x", "variable across", "x"), func(_ tea.KeyPressMsg, s State) Action {
			down, across := p.variables(s)
			if p.across = after(s.keys(), across); p.across == down {
				p.across = after(s.keys(), down)
			}
			p.cursor.Column = 0
			return Handled{}
		}},
		{bind("y", "variable down", "y"), func(_ tea.KeyPressMsg, s State) Action {
			down, across := p.variables(s)
			if down == "" {
				return Handled{}
			}
			next := after(s.keys(), down)
			if next == across {
				next = after(s.keys(), next)
			}
			p.cursor.At, p.across = 0, across
			return SelectVariable{next}
		}},
		{bind("%", "records, percent", "%"), does(func() { p.share = p.share.next() })},
	}
}

// after returns the name behind one in a ring.
func after(names []string, name string) string {
	if len(names) == 0 {
		return ""
	}
	return names[(slices.Index(names, name)+1)%len(names)]
}

// variables returns those of the rows and of the columns; "" where there are not
// two key variables.
func (p *CrossTable) variables(s State) (down, across string) {
	names := s.keys()
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

// named names the two variables, and what the cells show.
func (p *CrossTable) named(s State) string {
	down, across := p.variables(s)
	if down == "" {
		return p.Title()
	}
	return p.Title() + " · " + down + " down, " + across + " across · " + p.share.String()
}

// table has one row per category of the one variable, after a row of sums, and one
// column per category of the other.
func (p *CrossTable) table(s State, width int) Table {
	down, across := p.variables(s)
	switch {
	case len(s.keys()) < 2:
		return Table{Instead: "Two key variables are counted against each other as soon as they are chosen."}
	case s.Current.Assessment == nil || s.Original.Assessment == nil:
		return Table{Instead: s.waiting()}
	case p.found.crossed != p.crossed(s):
		return Table{Instead: "counting …"}
	}
	c := &p.found
	if c.rows == nil {
		return Table{Instead: down + " and " + across + " have too many pairs of categories for a table. Choose another variable with x or y, or recode."}
	}
	if len(c.columns) == 0 {
		return Table{Instead: "The file has no records."}
	}
	all := max(3, Width(Count(c.rows[0].now)))
	label, most := 4, min(max(8, width/4), widest)
	for i := 0; i < len(c.rows) && label < most; i++ {
		label = min(most, max(label, Width(Safe(shortened(s.withCode(down, c.rows[i].label))))))
	}
	size := c.size(s.K, p.share)
	return Table{
		Columns: []Column{{Head: s.marked(down), Size: label, Most: label, Least: min(label, 6)}, {Head: "all", Kind: Counts, Size: all, Most: all, Rank: 1}},
		Sideways: &Sideways{Columns: len(c.columns),
			Column: func(i int) Column {
				head := s.withCode(across, c.columns[i].label)
				return Column{Head: head, Kind: Counts, Size: max(size, min(14, Width(Safe(shortened(head))))), Least: size}
			},
			Cell: func(row, i int) Cell { return p.cell(s, row, i) }},
		Rows: len(c.rows),
		Row: func(row int) []Cell {
			style := &s.Theme.Plain
			if row == 0 {
				style = &s.Theme.Strong
			}
			return []Cell{{Text: s.withCode(down, c.rows[row].label), Style: style}, {Text: Count(c.rows[row].now), Style: style}}
		},
		Status: func(width int) []string { return []string{p.status(s, width)} },
		Open: func(row int) Action {
			return ShowMatching{c.condition(s, down, across, row, p.cursor.Column)}
		},
	}
}

// cell is a pair of categories: its records, those of the original where anything
// differs, and a mark where they are fewer than k.
func (p *CrossTable) cell(s State, row, column int) Cell {
	c, theme := &p.found, s.Theme
	n, was := c.counts(row, column)
	style := &theme.Plain
	switch {
	case n == 0:
		style = &theme.Faint
	case row > 0 && n < s.K:
		style = &theme.High
	case row == 0:
		style = &theme.Strong
	}
	return Cell{Text: c.text(row, column, n, was, s.K, p.share), Style: style}
}

// status tells about the cell under the cursor.
func (p *CrossTable) status(s State, width int) string {
	c := &p.found
	row, column := p.cursor.At, p.cursor.Column
	if row >= len(c.rows) || column >= len(c.columns) {
		return ""
	}
	n, was := c.counts(row, column)
	down, across := p.called(s)
	text := " " + down + ", " + across + ": " + wording.Counted(n, "record")
	if c.differs {
		text += " (" + Count(was) + ")"
	}
	text += ", " + Share(n, c.rows[row].now) + " of the row, " + Share(n, c.columns[column].now) + " of the column"
	legend := "  ! fewer than " + Count(s.K)
	if c.untold {
		legend = "  what the original had cannot be told" + legend
	}
	if Width(Safe(text))+Width(legend) <= width {
		return s.Theme.Plain.Render(Safe(text)) + s.Theme.Faint.Render(FitRight(legend, width-Width(Safe(text))))
	}
	return s.Theme.Plain.Render(Fit(text, width))
}

// called names the two categories of the cell under the cursor.
func (p *CrossTable) called(s State) (row, column string) {
	down, across := p.variables(s)
	return shortened(s.withCode(down, p.found.rows[p.cursor.At].label)), shortened(s.withCode(across, p.found.columns[p.cursor.Column].label))
}

// explain explains the cell under the cursor.
func (p *CrossTable) explain(s State) []Figure {
	c := &p.found
	row, column := p.cursor.At, p.cursor.Column
	if c.crossed != p.crossed(s) || row >= len(c.rows) || column >= len(c.columns) {
		return inapplicableFigures(s)
	}
	n, was := c.counts(row, column)
	down, across := p.called(s)
	figure := Figure{Name: "Records with " + Safe(down) + " and " + Safe(across), Value: Count(n),
		Definition: "How many records of the file have both categories. A cell with few records singles people out by two variables alone; which records share a key is counted over all key variables.",
		Formula:    "records with both / records of the row, of the column",
		Values:     []string{Share(n, c.rows[row].now) + " of the row, " + Share(n, c.columns[column].now) + " of the column"},
		Source:     measure.SourceGuide}
	if c.differs {
		figure.Values = append(figure.Values, "in the original data, of the categories that became these: "+Count(was))
	}
	return []Figure{figure}
}

// condition writes what the records of a cell have in common.
func (c *foundCross) condition(s State, down, across string, row, column int) string {
	var parts []string
	for _, part := range []struct {
		name string
		code uint32
		all  bool
	}{{down, c.rows[row].code, row == 0}, {across, c.columns[column].code, false}} {
		switch column := s.Current.column(part.name); {
		case part.all:
		case part.code == 0:
			parts = append(parts, conditionWord(part.name)+" missing")
		default:
			parts = append(parts, conditionWord(part.name)+" = "+conditionWord(levelOf(column, part.code)))
		}
	}
	return strings.Join(parts, " and ")
}

// levelOf returns the label of a code that is not missing.
func levelOf(column *microdata.Column, code uint32) string {
	return column.Categories().Levels[code-1].Label
}
