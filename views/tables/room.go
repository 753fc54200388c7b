package tables

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/views"
)

// room is what the panes of the tab share: the selected table, the slice and the cell of it that are shown, and what is
// known of all tables.
type room struct {
	at    int           // selected table
	known []*evaluation // by the places of the tables
	plans views.Cache[*microdata.Scenario, plan]
	slice slice
	pane  *slicePane // whose cursor is on the cell
}

// New returns the panes of the tab Tables.
func New() []views.Pane {
	r := &room{}
	list, slice := newList(r), newSlice(r)
	return []views.Pane{list, slice, newCell(r), newSafety(r)}
}

// noTables is shown as long as the session has no table.
const noTables = "No table yet. Press a to define a table of counts, or of sums of a numeric variable. " +
	"After every step, sdcdesk updates the table, shows which cells are sensitive, suppresses further cells, and checks which can be recalculated."

// definitions returns the tables of the session.
func definitions(s views.State) []microdata.TableDefinition {
	if s.Scenario == nil {
		return nil
	}
	return s.Scenario.Tables
}

// definition returns the selected table; nil if there is none.
func (r *room) definition(s views.State) *microdata.TableDefinition {
	all := definitions(s)
	if len(all) == 0 || s.Current.Data == nil {
		return nil
	}
	r.at = max(0, min(r.at, len(all)-1))
	return &all[r.at]
}

// of returns what is known of a table.
func (r *room) of(at int) *evaluation {
	for len(r.known) <= at {
		r.known = append(r.known, &evaluation{})
	}
	return r.known[at]
}

// table returns the selected table as far as it is known, nil if it is not known yet, and why it cannot be protected. The
// slice is set to a part that the table has.
func (r *room) table(s views.State) (known *result, err error) {
	d := r.definition(s)
	if d == nil {
		return nil, nil
	}
	known, err = r.shown(s, r.at)
	if known != nil {
		r.slice.fit(known.table)
	}
	return known, err
}

// nodes returns the nodes of the rows and columns under the cursor.
func (r *room) nodes(t *publish.Table) (row, column int) {
	rows, columns, c := r.slice.rows(t), r.slice.columns(t), &r.pane.Cursor
	return rows[max(0, min(c.At, len(rows)-1))], columns[max(0, min(c.Column, len(columns)-1))]
}

// under returns the cell under the cursor.
func (r *room) under(t *publish.Table) int {
	row, column := r.nodes(t)
	return r.slice.cell(t, row, column)
}

// Seek looks for what is not known yet, of the selected table first.
func (r *room) Seek(s views.State) views.Piece {
	all := definitions(s)
	if s.Current.Data == nil {
		return nil
	}
	for i := range all {
		at := (r.at + i) % len(all)
		if piece := r.seek(s, at); piece != nil {
			return piece
		}
	}
	return nil
}

// slice says which part of a table is shown: the nodes below one node of the variable of the rows, and of that of the
// columns, at one node of every other variable.
type slice struct {
	down, across int   // spanning variables of the rows and columns; across -1: the table has one variable
	at           []int // a node of each spanning variable; of rows and columns, that whose parts are shown
}

// fit makes the slice one of the table.
func (v *slice) fit(t *publish.Table) {
	if len(v.at) != len(t.Trees) || v.down >= len(t.Trees) || v.across >= len(t.Trees) {
		*v = slice{across: 1, at: make([]int, len(t.Trees))}
		if len(t.Trees) == 1 {
			v.across = -1
		}
	}
	for d, tree := range t.Trees {
		if v.at[d] >= len(tree.Nodes) {
			v.at[d] = 0
		}
	}
}

// parts returns a node and those below it.
func parts(t *publish.Table, tree, node int) []int {
	return append([]int{node}, t.Trees[tree].Nodes[node].Children...)
}

func (v *slice) rows(t *publish.Table) []int { return parts(t, v.down, v.at[v.down]) }

func (v *slice) columns(t *publish.Table) []int {
	if v.across < 0 {
		return []int{0}
	}
	return parts(t, v.across, v.at[v.across])
}

// cell returns the cell of a node of the rows and one of the columns.
func (v *slice) cell(t *publish.Table, row, column int) int {
	nodes := slices.Clone(v.at)
	if nodes[v.down] = row; v.across >= 0 {
		nodes[v.across] = column
	}
	return t.Cell(nodes...)
}

// parted returns the variable of the rows if the node of the row has parts, else that of the columns, and the node; -1 if
// neither has.
func (v *slice) parted(t *publish.Table, row, column int) (variable, node int) {
	switch {
	case row != v.at[v.down] && len(t.Trees[v.down].Nodes[row].Children) > 0:
		return v.down, row
	case v.across >= 0 && column != v.at[v.across] && len(t.Trees[v.across].Nodes[column].Children) > 0:
		return v.across, column
	}
	return -1, 0
}

// drilled reports whether the rows or columns are parts of a node below the total.
func (v *slice) drilled() bool {
	for d, node := range v.at {
		if (d == v.down || d == v.across) && node > 0 {
			return true
		}
	}
	return false
}

// up shows the level above.
func (v *slice) up(t *publish.Table) {
	for _, d := range []int{v.down, v.across} {
		if d >= 0 && v.at[d] > 0 {
			v.at[d] = t.Trees[d].Nodes[v.at[d]].Parent
			return
		}
	}
}

// page goes to the next combination of nodes of the variables that are neither rows nor columns.
func (v *slice) page(t *publish.Table, by int) {
	for d := len(v.at) - 1; d >= 0; d-- {
		if d == v.down || d == v.across {
			continue
		}
		n := len(t.Trees[d].Nodes)
		v.at[d] += by
		if v.at[d] >= 0 && v.at[d] < n {
			return
		}
		v.at[d] = (v.at[d] + n) % n
	}
}

// widen shows, of rows or columns that would be a single category, those beside it as well.
func (v *slice) widen(t *publish.Table) {
	for _, d := range []int{v.down, v.across} {
		if tree := t.Trees[d]; tree.Leaf(v.at[d]) && v.at[d] > 0 {
			v.at[d] = tree.Nodes[v.at[d]].Parent
		}
	}
}

// turn puts the next variable on the columns, or on the rows.
func (v *slice) turn(t *publish.Table, rows bool) {
	turned, other := &v.across, v.down
	if rows {
		turned, other = &v.down, v.across
	}
	if v.across < 0 {
		return
	}
	defer v.widen(t)
	before := *turned
	if *turned = (before + 1) % len(v.at); *turned != other {
		return
	}
	if *turned = (*turned + 1) % len(v.at); *turned == before { // two variables: exchange them
		v.down, v.across = v.across, v.down
	}
}
