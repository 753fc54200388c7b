package tables

import (
	"math"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// slicePane is the pane of one slice of the selected table.
type slicePane struct {
	views.TablePane
	*room
	tableless bool // there was no table in the last frame
	variables int  // of the table in the last frame; 0: its cells were not known
	all       bool // list the keys of all tables
}

func newSlice(r *room) views.Pane {
	p := &slicePane{TablePane: views.TablePane{PaneID: "table", Heading: "Table", Move: views.KeyCells(), Enter: "drill down"}, room: r}
	p.Content, p.Actions, p.Titled, p.Explained = p.content, p.keys, p.named, r.explain
	r.pane = p
	return p
}

func (p *slicePane) keys() []views.KeyAction {
	onTable := func(do func(t *publish.Table)) func(s views.State) draw.Action {
		return func(s views.State) draw.Action {
			if known, _ := p.room.table(s); known != nil {
				do(known.table)
				p.Cursor.At, p.Cursor.Column = 0, 0
			}
			return draw.Handled{}
		}
	}
	add := views.Emits("a", "add table", views.OpenTable{At: -1})
	if p.tableless {
		return []views.KeyAction{add}
	}
	keys := []views.KeyAction{
		add,
		views.EmitsFrom("space", "set state", p.setState, "space"),
		views.Emits("A", "protect", views.OpenProtection{At: p.at}),
	}
	if p.all || p.variables > 0 && p.slice.drilled() {
		keys = append(keys, views.EmitsFrom("backspace", "go up a level", onTable(func(t *publish.Table) { p.slice.up(t) }), "backspace"))
	}
	if p.all || p.variables > 2 {
		keys = append(keys,
			views.EmitsFrom("<", "previous page", onTable(func(t *publish.Table) { p.slice.page(t, -1) })),
			views.EmitsFrom(">", "next page", onTable(func(t *publish.Table) { p.slice.page(t, 1) })))
	}
	if p.all || p.variables > 1 {
		keys = append(keys,
			views.EmitsFrom("x", "change column variable", onTable(func(t *publish.Table) { p.slice.turn(t, false) })),
			views.EmitsFrom("y", "change row variable", onTable(func(t *publish.Table) { p.slice.turn(t, true) })))
	}
	return keys
}

// AllKeys returns the keys that the pane has for a table of several variables with hierarchies.
func (p *slicePane) AllKeys() []key.Binding {
	all := *p
	all.all, all.Actions = true, all.keys
	return all.Keys()
}

// states are those that space goes through, beginning with that of the rules.
var states = []microdata.State{"", microdata.StateUnsafe, microdata.StateSafe, microdata.StateForced, microdata.StateFrozen}

// setState gives the cell under the cursor the next state.
func (p *slicePane) setState(s views.State) draw.Action {
	known, _ := p.room.table(s)
	if known == nil {
		return draw.Handled{}
	}
	codes := known.table.Codes(p.under(known.table))
	all := cloned(definitions(s))
	d := &all[p.at]
	now := microdata.State("")
	at := slices.IndexFunc(d.States, func(c microdata.CellState) bool { return slices.Equal(c.Codes, codes) })
	if at >= 0 {
		now = d.States[at].State
		d.States = slices.Delete(d.States, at, at+1)
	}
	next := states[(slices.Index(states, now)+1)%len(states)]
	if next != "" {
		d.States = append(d.States, microdata.CellState{Codes: codes, State: next})
	}
	return views.SetTables{Tables: all}
}

// named names the table and the page.
func (p *slicePane) named(s views.State) string {
	d := p.definition(s)
	if d == nil {
		return p.Heading
	}
	text := p.Heading + " · " + d.Title()
	if known, _ := p.room.table(s); known != nil {
		for i, node := range p.slice.at {
			if i != p.slice.down && i != p.slice.across {
				text += " · " + d.By[i].Variable + ": " + known.table.Trees[i].Nodes[node].Code
			}
		}
	}
	return text
}

func (p *slicePane) content(s views.State, width int) draw.Table {
	p.tableless, p.variables = p.definition(s) == nil, 0
	if p.Move.SetEnabled(!p.tableless); p.tableless {
		return draw.Table{Instead: noTables}
	}
	known, err := p.room.table(s)
	switch {
	case known == nil && err != nil:
		return draw.Table{Instead: err.Error()}
	case known == nil:
		return draw.Table{Instead: "counting …"}
	}
	t, v := known.table, &p.slice
	p.variables = len(t.Trees)
	rows, columns := v.rows(t), v.columns(t)
	size := p.size(t, rows, columns)
	code := func(tree, node int) string { return t.Trees[tree].Nodes[node].Code }
	label := 5
	for _, row := range rows {
		label = max(label, draw.Width(draw.Label(code(v.down, row)))+2)
	}
	out := draw.Table{
		Columns: []draw.Column{{Head: t.Trees[v.down].Variable, Size: label, Most: max(8, width/3), Least: 6}},
		Sideways: &draw.ColumnScroll{Columns: len(columns), Column: func(i int) draw.Column {
			head := valueName(t)
			if v.across >= 0 {
				head = code(v.across, columns[i])
			}
			return draw.Column{Head: head, Kind: draw.Counts, Size: max(size, min(14, draw.Width(draw.Label(head)))), Least: size}
		}, Cell: func(row, i int) draw.Cell { return cellOf(s.Theme, t, v.cell(t, rows[row], columns[i])) }},
		Rows: len(rows),
		Row: func(row int) []draw.Cell {
			if row == 0 {
				return []draw.Cell{{Text: code(v.down, rows[0]), Style: &s.Strong}}
			}
			return []draw.Cell{{Text: mark(t, v.down, rows[row]) + code(v.down, rows[row])}}
		},
		Status: func(width int) []string { return p.status(s, known, err, width) },
	}
	row, column := p.nodes(t)
	if variable, node := v.parted(t, row, column); variable >= 0 {
		out.Open = func(int) draw.Action {
			v.at[variable], p.Cursor.At, p.Cursor.Column = node, 0, 0
			return draw.Handled{}
		}
	}
	return out
}

// mark is a sign before a node that has parts.
func mark(t *publish.Table, tree, node int) string {
	if len(t.Trees[tree].Nodes[node].Children) > 0 {
		return "+ "
	}
	return "  "
}

// size is the width of the widest cell among the first of the slice.
func (p *slicePane) size(t *publish.Table, rows, columns []int) int {
	size := 5
	for _, row := range rows[:min(len(rows), views.MostExamined)] {
		for _, column := range columns[:min(len(columns), views.MostExamined)] {
			size = max(size, draw.Width(value(t, p.slice.cell(t, row, column)))+2)
		}
	}
	return size
}

// value spells the published value of a cell, or the true one of a suppressed cell.
func value(t *publish.Table, cell int) string {
	if value, ok := t.Published(cell); ok {
		return spelled(t, value)
	}
	return spelled(t, t.Cells[cell].Value)
}

// spelled spells a value of a table, with as many decimals as all of its cells have.
func spelled(t *publish.Table, value float64) string {
	return wording.Thousands(strconv.FormatFloat(value, 'f', decimals(t.Cells[0].Value), 64))
}

// decimals are those of a table with a total: none if it is an integer or large.
func decimals(total float64) int {
	switch size := math.Abs(total); {
	case size == math.Trunc(size), size >= 1e4:
		return 0
	case size >= 100:
		return 1
	}
	return 3
}

// The signs of cells.
const (
	sensitiveSign = "■"
	secondarySign = "▒"
	forcedSign    = "!"
	changedSign   = "~"
)

// cellOf is a cell of the slice: its value, and a sign if it is suppressed, changed, or published although it is sensitive.
func cellOf(theme *draw.Theme, t *publish.Table, cell int) draw.Cell {
	switch {
	case t.Sensitive(cell) && t.Hidden(cell):
		return draw.Cell{Text: value(t, cell) + " " + sensitiveSign, Style: &theme.High}
	case t.Sensitive(cell):
		return draw.Cell{Text: value(t, cell) + " " + forcedSign, Style: &theme.Error}
	case t.Suppressed(cell):
		return draw.Cell{Text: value(t, cell) + " " + secondarySign, Style: &theme.Suppressed}
	case t.Changed(cell):
		return draw.Cell{Text: value(t, cell) + " " + changedSign, Style: &theme.Changed}
	case t.Empty(cell):
		return draw.Cell{Text: views.MissingSign + "  ", Style: &theme.Faint}
	}
	return draw.Cell{Text: value(t, cell) + "  "}
}

// status is the line of safety, and the meaning of the signs.
func (p *slicePane) status(s views.State, known *result, err error, width int) []string {
	if err != nil {
		return s.Error.Indented(err.Error(), 1, width)
	}
	loss, open := known.loss, known.safety.Recalculable()
	l := draw.NewLine(width, nil)
	l.Text(safeStyle(s.Theme, open), " recalculable "+draw.Count(open))
	lost := "  secondary " + draw.Count(loss.Secondary) + "  suppressed value " + share(loss.PrimaryValue+loss.SecondaryValue, loss.Value)
	signs, searching := secondarySign+" secondary", "  searching for secondary cells …"
	if known.table.Perturbs() {
		lost = "  changed " + draw.Count(loss.Changed) + "  largest " + wording.Value(loss.Largest) + "  mean " + wording.Amount(loss.Mean())
		signs, searching = changedSign+" changed", "  changing values …"
	}
	l.Text(&s.Plain, "  sensitive "+draw.Count(known.safety.Sensitive))
	if p.protect(s, p.at) == nil {
		l.Text(&s.Warning, searching)
	} else {
		l.Text(&s.Plain, lost)
	}
	legend := draw.NewLine(width, nil)
	legend.Text(&s.Faint, " "+sensitiveSign+" sensitive  "+signs+"  "+forcedSign+" sensitive, published  "+views.MissingSign+" empty")
	return []string{l.String(), legend.String()}
}

// share spells a part in percent.
func share(part, whole float64) string {
	if whole == 0 {
		return wording.Percent(0)
	}
	return wording.Percent(part / whole)
}
