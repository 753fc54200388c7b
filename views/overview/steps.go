package overview

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Steps is the pane of all steps as a tree: the newest step on top, the current branch on the left, with a mark at
// the current step. Steps of the current branch above the mark are undone.
type Steps struct {
	views.TablePane
	node   int        // current node when the cursor was last put on it; -1: never yet
	under  views.Node // the step under the cursor
	count  int        // number of rows at that time: if it differs, rows were added or deleted
	marked int        // the step that others are compared with; -1: the current one
}

// NewSteps returns the pane of the session's history.
func NewSteps() *Steps {
	p := &Steps{TablePane: views.TablePane{PaneID: "steps", Heading: "Steps", Enter: "go to step"}, node: -1, marked: -1}
	p.Content, p.Actions, p.Titled = p.table, p.keys, p.called
	return p
}

// keys returns the keys for the step under the cursor.
func (p *Steps) keys() []views.KeyAction {
	on := func(name, text string, do func(s views.State, node int) draw.Action, keys ...string) views.KeyAction {
		return views.EmitsFrom(name, text, func(s views.State) draw.Action {
			p.follow(s)
			return do(s, p.under.ID)
		}, keys...)
	}
	compare, with := on("=", "compare with current",
		func(s views.State, node int) draw.Action { return views.CompareNodes{A: node, B: s.At()} }), p.marked
	if p.under.ID > 0 && p.under.ID == p.node {
		compare = on("=", "compare with original", func(_ views.State, node int) draw.Action { return views.CompareNodes{B: node} })
	}
	mark := on("space", "mark", func(_ views.State, node int) draw.Action { p.marked = node; return draw.Handled{} })
	switch {
	case with == p.under.ID:
		mark = views.Handles("space", "no mark", func() { p.marked = -1 })
	case with >= 0:
		compare = on("=", "compare with marked",
			func(_ views.State, node int) draw.Action { return views.CompareNodes{A: with, B: node} })
	}
	if p.under.ID == 0 {
		return []views.KeyAction{mark, compare}
	}
	branch := []views.KeyAction{
		mark,
		compare,
		on("n", "name branch", func(_ views.State, node int) draw.Action { return views.NameBranch{Node: node} }),
		on("x", "export script", func(_ views.State, node int) draw.Action { return views.ExportBranch{Node: node} }),
	}
	if !p.under.Stands {
		return slices.Insert(branch, 0,
			on("d", "delete branch", func(_ views.State, node int) draw.Action { return views.DeleteBranch{Node: node} },
				"d", "delete"))
	}
	return slices.Insert(branch, 0,
		views.Presses("c/d", "change/remove step", func(msg tea.KeyPressMsg, s views.State) draw.Action {
			p.follow(s)
			if msg.String() == "c" {
				return views.EditStep{Step: p.under.Position - 1}
			}
			return views.RemoveStep{Step: p.under.Position - 1}
		}, "c", "d", "delete"))
}

// called returns the title, with the name of the current branch if there are several.
func (p *Steps) called(s views.State) string {
	nodes, branches, name := s.Nodes(), 0, ""
	for i := range nodes {
		if nodes[i].Opens {
			branches++
		}
		if nodes[i].Current {
			name = nodes[i].Branch
		}
	}
	if branches < 2 {
		return p.Heading
	}
	return p.Heading + " · " + draw.Label(name) + " of " + draw.Count(branches)
}

// follow lays out the tree and moves the cursor to the current step if that has changed. If steps were added or
// deleted, the cursor stays on its step.
func (p *Steps) follow(s views.State) []treeRow {
	rows := treeRows(s.Nodes())
	on := func(id int) {
		p.Cursor.At = slices.IndexFunc(rows, func(r treeRow) bool { return r.node.ID == id })
	}
	switch at := s.At(); {
	case p.node != at:
		p.node = at
		on(at)
	case len(rows) != p.count:
		on(p.under.ID)
	}
	if p.marked >= 0 && !slices.ContainsFunc(rows, func(r treeRow) bool { return r.node.ID == p.marked }) {
		p.marked = -1 // it was deleted
	}
	p.Cursor.Clamp(len(rows))
	p.under, p.count = *rows[p.Cursor.At].node, len(rows)
	return rows
}

// table has one row per step and one for the original data.
func (p *Steps) table(s views.State, width int) draw.Table {
	rows := p.follow(s)
	count, digits, branches, lanes := 1, 1, 0, 1
	for i := range rows {
		n := rows[i].node
		count = max(count, draw.Width(stepViolators(&n.Step)))
		lanes = max(lanes, draw.Width(rows[i].lanes))
		digits = max(digits, len(strconv.Itoa(n.Position)))
		if n.Opens {
			branches++
		}
	}
	d := stepsDrawing{s, count, digits, branches > 1, p.marked, "violators k = " + strconv.Itoa(s.K) + ":"}
	switch {
	case width < 70:
		d.violators = "k=" + strconv.Itoa(s.K)
	case width < 90: // the title of the step matters more than k, which the risk line names
		d.violators = "violators"
	}
	columns := []draw.Column{
		{Size: lanes, Most: lanes},
		{Size: digits + 1 + len(s.Beginning()), Most: 64, Least: min(36, width/2)},
		{Most: 34, Rank: 4},
		{Rank: 2},
		{Kind: draw.Values, Rank: 3},
		{Rank: 5},
		{Rank: 1, Most: 34},
	}
	first := 0
	if lanes == 1 {
		first = 1 // a single branch needs no lane
	}
	return draw.Table{
		Columns: columns[first:],
		Rows:    len(rows),
		Row:     func(row int) []draw.Cell { return d.cells(&rows[row])[first:] },
		Indent:  2,
		Marked:  func(row int) bool { return rows[row].node.ID == p.node },
		Foot: func(width, _ int) []string {
			if len(rows) > 1 {
				return nil
			}
			return s.Faint.Indented("r recodes the selected variable, K makes the file k-anonymous; every step can be undone", 4, width)
		},
		Status: func(width int) []string {
			return s.MeantLines(p.under.Meanings, width)
		},
		Open: func(row int) draw.Action { return views.Jump{Node: rows[row].node.ID} },
	}
}

// stepsDrawing is what the rows of one frame share.
type stepsDrawing struct {
	s         views.State
	count     int    // width of the violators
	digits    int    // width of the step numbers
	branches  bool   // there are several branches
	marked    int    // the step that others are compared with; -1: none
	violators string // text before the violators
}

// cells returns lanes, number and title, effect, violators, their change, time, and the state: the name of the
// branch at its end, or that the step is undone.
func (d *stepsDrawing) cells(row *treeRow) []draw.Cell {
	theme, n := d.s.Theme, row.node
	// in returns a style, faint if the step is undone.
	in := func(style *draw.Style) *draw.Style {
		if !n.Stands {
			return &theme.Faint
		}
		return style
	}
	plain := in(&theme.Plain)
	if n.ID == d.s.At() {
		plain = &theme.Strong
	}
	lanes := draw.Cell{Text: row.lanes, Style: in(&theme.Key)}
	if n.ID == 0 {
		return []draw.Cell{lanes, {Text: strings.Repeat(" ", d.digits+1) + d.s.Beginning(), Style: plain}, {}, {}, {}, {},
			{Text: d.standing(row), Style: &theme.Faint}}
	}
	step, change := &n.Step, &theme.Low
	if step.Change > 0 {
		change = &theme.High
	}
	cells := []draw.Cell{
		lanes,
		{Text: draw.FitRight(strconv.Itoa(n.Position), d.digits) + " " + step.Title, Style: plain},
		{Text: step.Effect, Short: firstClause(step.Effect), Style: in(effectStyle(theme, step))},
		{Style: in(&theme.Plain)},
		{Style: in(change)},
		{Style: &theme.Faint},
		{Text: d.standing(row), Style: in(&theme.Faint)},
	}
	if violators := stepViolators(step); violators != "" {
		cells[3].Text = d.violators + " " + draw.FitRight(violators, d.count)
	}
	if step.Violators >= 0 && step.Change != 0 {
		cells[4].Text = "(" + draw.Signed(step.Change) + ")"
	}
	if !step.At.IsZero() {
		cells[5].Text = step.At.Local().Format("15:04")
	}
	return cells
}

// firstClause returns the first clause of an effect, which is complete without the others.
func firstClause(effect string) string {
	clause, _, _ := strings.Cut(effect, "; ")
	return clause
}

// standing returns the state of a step: marked, undone on the current branch, and the name of the branch at its
// end.
func (d *stepsDrawing) standing(row *treeRow) string {
	var said []string
	if row.node.ID == d.marked {
		said = append(said, "marked")
	}
	if row.node.Current && !row.node.Stands {
		said = append(said, "undone")
	}
	switch {
	case row.out && row.tip:
		said = append(said, "removed from "+row.node.Branch)
	case row.node.ID > 0 && row.tip && (d.branches || row.node.Named):
		said = append(said, row.node.Branch)
	}
	return strings.Join(said, ", ")
}

// stepViolators formats the violators after a step; "" if they are unknown.
func stepViolators(step *views.Step) string {
	switch {
	case step.Violators >= 0:
		return draw.Count(step.Violators)
	case step.NotApplicable != "":
		return draw.NoFigure
	}
	return ""
}

// effectStyle returns the style of a step's effect: suppressed cells or other changes.
func effectStyle(theme *draw.Theme, step *views.Step) *draw.Style {
	if step.Report != nil && step.Report.Suppression != nil {
		return &theme.Suppressed
	}
	return &theme.Changed
}

// Figures explains the violators after the step under the cursor.
func (p *Steps) Figures(s views.State) []views.Figure {
	p.follow(s)
	position, step := p.under.Position, &p.under.Step
	if p.under.ID == 0 {
		return views.HistoryFigures(s, s.Original.Figures, nil, " in the original", false)
	}
	if step.NotApplicable != "" {
		return []views.Figure{risk.ExplainNotApplicable(step.NotApplicable)}
	}
	var figures []views.Figure
	if step.Violators >= 0 {
		figures = append(figures, views.Figure{
			Name:  "Violators of " + strconv.Itoa(s.K) + "-anonymity after step " + strconv.Itoa(position),
			Value: draw.Count(step.Violators) + " (" + draw.Signed(step.Change) + ")",
			Definition: "Records that violate " + strconv.Itoa(s.K) +
				"-anonymity after the step, under the rule of the scenario; in brackets the change from the previous step.",
			Formula: "number of records with f < " + strconv.Itoa(s.K),
			Values: append([]string{step.Title, step.Effect},
				s.Meant(step.Meanings, len(step.Meanings))...),
			Source: measure.SourceSwee + "; " + measure.SourceGuide,
		})
	}
	return append(figures, views.HistoryFigures(s, step.Figures, nil, " after step "+strconv.Itoa(position), true)...)
}

// Method returns the method of the step under the cursor.
func (p *Steps) Method(s views.State) string {
	p.follow(s)
	return p.under.Step.Name
}
