package tables

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// list is the pane of the tables of the session.
type list struct {
	views.TablePane
	*room
}

func newList(r *room) views.Pane {
	p := &list{TablePane: views.TablePane{PaneID: "tables", Heading: "Tables", Enter: "edit"}, room: r}
	p.Content, p.Actions, p.Explained = p.table, p.keys, p.explain
	return p
}

func (p *list) keys() []views.KeyAction {
	return []views.KeyAction{views.Emits("a", "add table", views.OpenTable{At: -1}),
		p.OnRow("A", "protect", func(views.State) draw.Action { return views.OpenProtection{At: p.at} }),
		p.OnRow("d", "delete", func(s views.State) draw.Action {
			d := definitions(s)[p.at]
			return views.SetTables{Tables: slices.Delete(cloned(definitions(s)), p.at, p.at+1), Notice: "deleted the table " + d.Title()}
		})}
}

// cloned returns a copy that can be changed.
func cloned(all []microdata.TableDefinition) []microdata.TableDefinition {
	out := make([]microdata.TableDefinition, len(all))
	for i := range all {
		out[i] = all[i].Clone()
	}
	return out
}

func (p *list) table(s views.State, _ int) draw.Table {
	all := definitions(s)
	if p.definition(s) == nil {
		return draw.Table{Instead: noTables}
	}
	affected := "suppressed"
	for i := range all {
		if known, _ := p.shown(s, i); known != nil && known.table.Perturbs() {
			affected = "affected"
		}
	}
	return draw.Table{
		Columns: []draw.Column{{Head: "table", Least: 12}, {Head: "cells", Kind: draw.Counts, Rank: 3},
			{Head: "sensitive", Kind: draw.Counts, Rank: 1}, {Head: affected, Kind: draw.Counts, Rank: 2},
			{Head: "recalculable", Kind: draw.Counts}},
		Rows: len(all), Follows: true, Selected: p.at,
		Row:    func(row int) []draw.Cell { return p.row(s, row) },
		Choose: func(row int) draw.Action { p.at = row; return draw.Handled{} },
		Open:   func(row int) draw.Action { return views.OpenTable{At: row} },
		Status: func(width int) []string { return p.status(s, width) },
	}
}

// status names the tables that are protected together with the selected one because they share cells.
func (p *list) status(s views.State, width int) []string {
	known, _ := p.shown(s, p.at)
	if known == nil || len(known.linked) == 0 {
		return nil
	}
	why := "shared cells are protected together"
	if known.table.Perturbs() {
		why = "an intruder uses all of them"
	}
	return s.Faint.Indented("linked with "+wording.Listed(known.linked)+": "+why, 1, width)
}

func (p *list) row(s views.State, row int) []draw.Cell {
	d := &definitions(s)[row]
	cells := []draw.Cell{{Text: d.Title()}, {}, {}, {}, {}}
	known, err := p.shown(s, row)
	if err != nil {
		cells[0].Style, cells[4] = &s.Error, draw.Cell{Text: "error", Style: &s.Error}
	}
	if known == nil {
		return cells
	}
	cells[1].Text, cells[2].Text = draw.Count(len(known.table.Cells)), draw.Count(known.safety.Sensitive)
	cells[3].Text = draw.Count(known.loss.Affected())
	if err == nil {
		n := known.safety.Recalculable()
		cells[4] = draw.Cell{Text: draw.Count(n), Style: safeStyle(s.Theme, n)}
	}
	return cells
}

// safeStyle is good for no open cell.
func safeStyle(theme *draw.Theme, open int) *draw.Style {
	if open == 0 {
		return &theme.Good
	}
	return &theme.Error
}
