package views

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Steps is the pane of all that was applied, as a tree: the newest step on top, the
// current branch on the left, with the place where the session stands. Steps of it
// above that are undone.
type Steps struct {
	tablePane
	node   int  // where the session stood when the cursor was last put on it; -1: never yet
	under  Node // the step under the cursor
	count  int  // rows when it was put there: others have come above it since where there are more
	marked int  // the step that others are compared with; -1: none, they are with where the session stands
}

// NewSteps returns the pane of the session's history.
func NewSteps() *Steps {
	p := &Steps{tablePane: tablePane{id: "steps", title: "Steps", enter: "go there"}, node: -1, marked: -1}
	p.content, p.acts, p.titled = p.table, p.keys, p.called
	return p
}

// keys are those of the step under the cursor.
func (p *Steps) keys() []act {
	on := func(do func(n *Node) Action) func(tea.KeyPressMsg, State) Action {
		return func(_ tea.KeyPressMsg, s State) Action {
			p.follow(s)
			return do(&p.under)
		}
	}
	compare, with := act{bind("=", "compare with here", "="), func(_ tea.KeyPressMsg, s State) Action {
		p.follow(s)
		return CompareNodes{p.under.ID, s.at()}
	}}, p.marked
	mark := act{bind("space", "mark", "space"), on(func(n *Node) Action { p.marked = n.ID; return Handled{} })}
	switch {
	case with == p.under.ID:
		mark = act{bind("space", "no mark", "space"), on(func(*Node) Action { p.marked = -1; return Handled{} })}
	case with >= 0:
		compare = act{bind("=", "compare with marked", "="), on(func(n *Node) Action { return CompareNodes{with, n.ID} })}
	}
	if p.under.ID == 0 {
		return []act{mark, compare}
	}
	branch := []act{
		mark,
		compare,
		{bind("n", "name the branch", "n"), on(func(n *Node) Action { return NameBranch{n.ID} })},
		{bind("x", "export its script", "x"), on(func(n *Node) Action { return ExportBranch{n.ID} })},
	}
	if !p.under.Stands {
		return append([]act{{bind("d", "delete with all above", "d", "delete"), on(func(n *Node) Action { return DeleteBranch{n.ID} })}}, branch...)
	}
	return append([]act{{bind("c d", "change, remove", "c", "d", "delete"), func(msg tea.KeyPressMsg, s State) Action {
		p.follow(s)
		if msg.String() == "c" {
			return EditStep{p.under.Position - 1}
		}
		return RemoveStep{p.under.Position - 1}
	}}}, branch...)
}

// called says in the frame on which branch the session stands, where there are
// several.
func (p *Steps) called(s State) string {
	nodes, branches, name := s.nodes(), 0, ""
	for i := range nodes {
		if nodes[i].Opens {
			branches++
		}
		if nodes[i].Current {
			name = nodes[i].Branch
		}
	}
	if branches < 2 {
		return p.title
	}
	return p.title + " · " + Safe(shortened(name)) + " of " + wording.CountedAs(branches, "branch", "branches")
}

// follow lays out the tree and puts the cursor on the session's place whenever that
// has moved; when steps come or go it stays on its step.
func (p *Steps) follow(s State) []treeRow {
	rows := treeRows(s.nodes())
	on := func(id int) {
		p.cursor.At = slices.IndexFunc(rows, func(r treeRow) bool { return r.node.ID == id })
	}
	switch at := s.at(); {
	case p.node != at:
		p.node = at
		on(at)
	case len(rows) != p.count:
		on(p.under.ID)
	}
	if p.marked >= 0 && !slices.ContainsFunc(rows, func(r treeRow) bool { return r.node.ID == p.marked }) {
		p.marked = -1 // it was deleted
	}
	p.cursor.clamp(len(rows))
	p.under, p.count = *rows[p.cursor.At].node, len(rows)
	return rows
}

// table has one row per step and one for the original data.
func (p *Steps) table(s State, width int) Table {
	rows := p.follow(s)
	count, digits, branches := 1, 1, 0
	for i := range rows {
		n := rows[i].node
		count = max(count, Width(stepViolators(&n.Step)))
		digits = max(digits, len(strconv.Itoa(n.Position)))
		if n.Opens {
			branches++
		}
	}
	d := stepsDrawing{s, count, digits, branches > 1, p.marked, "violators(" + strconv.Itoa(s.K) + ")"}
	if width < 70 {
		d.violators = "k" + strconv.Itoa(s.K)
	}
	return Table{
		Columns: []Column{
			{Size: digits + 1 + len("original data"), Most: 64, Least: min(40, width/2)},
			{Most: 34, Rank: 4},
			{Rank: 2},
			{Kind: Values, Rank: 3},
			{Rank: 5},
			{Rank: 1, Most: 24},
		},
		Rows:   len(rows),
		Row:    func(row int) []Cell { return d.cells(&rows[row]) },
		Indent: 2,
		Marked: func(row int) bool { return rows[row].node.ID == p.node },
		Foot: func(width, _ int) []string {
			if len(rows) > 1 {
				return nil
			}
			return []string{s.Theme.Faint.Render(Fit("    r recodes the selected variable, K makes the file k-anonymous; nothing is final", width))}
		},
		Status: func(width int) []string {
			return s.meantLines(p.under.Meanings, width)
		},
		Open: func(row int) Action { return Jump{rows[row].node.ID} },
	}
}

// stepsDrawing is what the rows of one frame have in common.
type stepsDrawing struct {
	s         State
	count     int    // cells of the violators
	digits    int    // of the numbers of steps
	branches  bool   // there are several
	marked    int    // the step that others are compared with; -1: none
	violators string // what stands before them
}

// cells returns number and title, effect, violators, their change, time, and the
// branch, where it ends, or that the step is undone.
func (d *stepsDrawing) cells(row *treeRow) []Cell {
	theme, n := d.s.Theme, row.node
	// in returns the style of a meaning, faint where the step does not stand.
	in := func(style *Style) *Style {
		if !n.Stands {
			return &theme.Faint
		}
		return style
	}
	plain := in(&theme.Plain)
	if n.ID == d.s.at() {
		plain = &theme.Strong
	}
	if n.ID == 0 {
		return []Cell{{Text: strings.Repeat(" ", d.digits+1) + "original data", Style: plain}, {}, {}, {}, {}, {Text: d.standing(row), Style: &theme.Faint}}
	}
	step, change := &n.Step, &theme.Low
	if step.Change > 0 {
		change = &theme.High
	}
	cells := []Cell{
		{Text: row.lines + FitRight(strconv.Itoa(n.Position), d.digits) + " " + step.Title, Style: plain},
		{Text: step.Effect, Style: in(effectStyle(theme, step))},
		{Style: in(&theme.Plain)},
		{Style: in(change)},
		{Style: &theme.Faint},
		{Text: d.standing(row), Style: in(&theme.Faint)},
	}
	if violators := stepViolators(step); violators != "" {
		cells[2].Text = d.violators + " " + FitRight(violators, d.count)
	}
	if step.Violators >= 0 && step.Change != 0 {
		cells[3].Text = "(" + signed(step.Change) + ")"
	}
	if !step.At.IsZero() {
		cells[4].Text = step.At.Local().Format("15:04")
	}
	return cells
}

// standing says that a step is marked, that one of the current branch is undone, and at
// the end of a branch what that is called.
func (d *stepsDrawing) standing(row *treeRow) string {
	var said []string
	if row.node.ID == d.marked {
		said = append(said, "marked")
	}
	if row.node.Current && !row.node.Stands {
		said = append(said, "undone")
	}
	if row.node.ID > 0 && row.tip && (d.branches || row.node.Named) {
		said = append(said, row.node.Branch)
	}
	return strings.Join(said, ", ")
}

// stepViolators spells the violators after a step; "" where they are not known.
func stepViolators(step *Step) string {
	switch {
	case step.Violators >= 0:
		return Count(step.Violators)
	case step.NotApplicable != "":
		return noFigure
	}
	return ""
}

// effectStyle returns the colour of what a step did: suppressed cells or other
// changes.
func effectStyle(theme *Theme, step *Step) *Style {
	if step.Report != nil && step.Report.Suppression != nil {
		return &theme.Suppressed
	}
	return &theme.Changed
}

// Figures explains the violators after the step under the cursor.
func (p *Steps) Figures(s State) []Figure {
	p.follow(s)
	position, step := p.under.Position, &p.under.Step
	if p.under.ID == 0 {
		var figures []Figure
		s.Original.Figures.Shown(measure.History, func(e *measure.Entry, v *measure.Value) {
			if figure := e.Measure.Explain(measure.What{Value: *v, Values: &e.Values}); figure.Name != "" {
				figure.Name += " in the original data"
				figures = append(figures, figure)
			}
		})
		return figures
	}
	if step.NotApplicable != "" {
		return inapplicableFigures(State{NotApplicable: step.NotApplicable})
	}
	var figures []Figure
	if step.Violators >= 0 {
		figures = append(figures, Figure{
			Name:  "Violators of " + strconv.Itoa(s.K) + "-anonymity after step " + strconv.Itoa(position),
			Value: Count(step.Violators) + " (" + signed(step.Change) + ")",
			Definition: "Records that violate " + strconv.Itoa(s.K) + "-anonymity right after the step, under the rule of the scenario; " +
				"in brackets the change against the step before.",
			Formula: "number of records with f < " + strconv.Itoa(s.K),
			Values:  append([]string{Safe(shortened(step.Title)), Safe(shortened(step.Effect))}, s.meant(step.Meanings, len(step.Meanings))...),
			Source:  measure.SourceSwee + "; " + measure.SourceGuide,
		})
	}
	step.Figures.Shown(measure.History, func(e *measure.Entry, v *measure.Value) {
		figure := e.Measure.Explain(measure.What{Value: *v, Values: &e.Values})
		if figure.Name == "" {
			return
		}
		figure.Name += " after step " + strconv.Itoa(position)
		figure.Values = append(figure.Values, "after each step: "+historyOf(s, e.Spec.Name, v))
		figures = append(figures, figure)
	})
	return figures
}

// Method returns that of the step under the cursor.
func (p *Steps) Method(s State) string {
	p.follow(s)
	return p.under.Step.Name
}
