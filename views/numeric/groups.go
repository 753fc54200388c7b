package numeric

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// NumericGroups is the pane of the selected numeric variable by groups of one or two variables: records, means,
// medians and totals, now and in the original.
type NumericGroups struct {
	views.TablePane
	down, across string // "": the first one that fits for down, none for across
	shows        groupFigure
	unweighted   bool
	found        views.Cache[groupsOf, groupMatrix]
}

// groupFigure is the figure shown in the cells if there are two variables.
type groupFigure int

const (
	groupMean groupFigure = iota
	groupMedian
	groupTotal
	groupRecords
	groupFigures
)

var groupNames = [...]string{groupMean: "mean", groupMedian: "median", groupTotal: "total", groupRecords: "records"}

// groupsOf identifies groups.
type groupsOf struct {
	of, down, across profile.Versions
	weight           *microdata.Column // nil: none
}

// groupMatrix are groups, with the rows and columns that have records.
type groupMatrix struct {
	*profile.Groups
	rows, columns []int
	decimals      [groupTotal + 1]int // of each figure
	refused       string              // the reason why weights are not used
}

// groupBins is the maximum number of bins that numbers are grouped into.
const groupBins = 10

var _ views.Seeker = (*NumericGroups)(nil)

// NewNumericGroups returns the pane of groups.
func NewNumericGroups() *NumericGroups {
	p := &NumericGroups{TablePane: views.TablePane{PaneID: "numeric-groups", Heading: "By group", Move: views.KeyCells()}}
	p.Content, p.Actions, p.Titled, p.OfRow = p.table, p.keys, p.named, p.explain
	return p
}

func (p *NumericGroups) keys() []views.KeyAction {
	turn := func(to *string, none bool) func(tea.KeyPressMsg, views.State) draw.Action {
		return func(msg tea.KeyPressMsg, s views.State) draw.Action {
			down, across := p.variables(s)
			choices := slices.DeleteFunc(groupers(s),
				func(name string) bool { return to == &p.across && name == down || to == &p.down && name == across })
			now := down
			if none {
				choices, now = append([]string{""}, choices...), across
			}
			if len(choices) > 0 {
				*to = nextChoice(choices, now, msg)
				p.Cursor = draw.Cursor{}
			}
			return draw.Handled{}
		}
	}
	return []views.KeyAction{views.Presses("y Y", "set row groups", turn(&p.down, false), "y", "Y"),
		views.Presses("x X", "set column groups", turn(&p.across, true), "x", "X"),
		views.Handles("f", "switch mean/median/total", func() { p.shows = (p.shows + 1) % groupFigures }),
		views.Handles("w", "switch weights", func() { p.unweighted = !p.unweighted })}
}

// groupers returns the variables to group by: key variables, then other categorical ones, then numeric ones.
func groupers(s views.State) []string {
	if s.Scenario == nil || s.Current.Data == nil {
		return nil
	}
	var keys, others, numbers []string
	of := numericVariable(s)
	for _, column := range s.Current.Data.Columns() {
		switch name := column.Name(); {
		case name == of || name == s.Scenario.Household || slices.Contains(s.Scenario.Remove, name) || !versionsOf(s, name).Known():
		case slices.Contains(s.Keys(), name):
			keys = append(keys, name)
		case column.Numeric():
			numbers = append(numbers, name)
		default:
			others = append(others, name)
		}
	}
	return slices.Concat(keys, others, numbers)
}

// variables returns the variables of the rows and of the columns, or "".
func (p *NumericGroups) variables(s views.State) (down, across string) {
	choices := groupers(s)
	if len(choices) == 0 {
		return "", ""
	}
	if down = p.down; !slices.Contains(choices, down) {
		down = choices[0]
	}
	if across = p.across; across == down || !slices.Contains(choices, across) {
		across = ""
	}
	return down, across
}

func (p *NumericGroups) of(s views.State) groupsOf {
	down, across := p.variables(s)
	of := groupsOf{of: versionsOf(s, numericVariable(s)), down: versionsOf(s, down), across: versionsOf(s, across)}
	if s.Scenario != nil && s.Scenario.Weight != "" && !p.unweighted {
		of.weight = s.Current.Column(s.Scenario.Weight)
	}
	return of
}

// Seek computes the figures of all groups.
func (p *NumericGroups) Seek(s views.State) views.Piece {
	of, data, scenario := p.of(s), s.Current.Data, s.Scenario
	if !of.of.Known() || !of.down.Known() {
		return nil
	}
	return p.found.Seek(of, func(ctx context.Context) (f groupMatrix, err error) {
		g := profile.Grouping{Of: of.of, Down: of.down, Across: of.across}
		if of.weight != nil {
			if g.Weights, err = scenario.Weights(data); err != nil {
				f.refused = err.Error()
			}
		}
		if f.Groups, err = profile.NewGroups(ctx, g, groupBins); err != nil {
			return f, err
		}
		for i := range f.Rows {
			if i == 0 || f.Now[i][0].Records+f.Before[i][0].Records > 0 {
				f.rows = append(f.rows, i)
			}
		}
		for j := range f.Columns {
			if j == 0 || f.Now[0][j].Records+f.Before[0][j].Records > 0 {
				f.columns = append(f.columns, j)
			}
		}
		for which := range f.decimals {
			var figures []float64
			for _, i := range f.rows {
				for _, j := range f.columns {
					for _, g := range []*profile.Group{&f.Now[i][j], &f.Before[i][j]} {
						figures = append(figures, [...]float64{groupMean: g.Mean, groupMedian: g.Median, groupTotal: g.Total}[which])
					}
				}
			}
			f.decimals[which] = draw.Decimals(5, figures...)
		}
		return f, nil
	})
}

func (p *NumericGroups) named(s views.State) string {
	name := numericVariable(s)
	down, across := p.variables(s)
	if name == "" || down == "" {
		return p.Heading
	}
	title := draw.Shortened(name) + " by " + draw.Shortened(down)
	if across != "" {
		title = groupNames[p.shows] + " of " + title + " and " + draw.Shortened(across)
	}
	if p.of(s).weight != nil {
		title += " · weighted"
	}
	return title
}

func (p *NumericGroups) table(s views.State, _ int) draw.Table {
	of := p.of(s)
	f := p.found.Found(of)
	down, across := p.variables(s)
	switch {
	case !of.of.Known():
		return draw.Table{Instead: noNumbers}
	case !of.down.Known():
		return draw.Table{Instead: "No variable to group the records by."}
	case f == nil:
		return draw.Table{Instead: "counting …"}
	}
	t := draw.Table{Rows: len(f.rows), Foot: p.foot(s, f)}
	label := func(row int) draw.Cell {
		cell := draw.Cell{Text: s.WithCode(down, f.Rows[f.rows[row]])}
		if row == 0 {
			cell.Style = &s.Strong
		}
		return cell
	}
	if !of.across.Known() {
		t.Columns = []draw.Column{{Head: down, Least: 10, Most: 24},
			{Head: "records", Kind: draw.Pairs, Rank: 3, Yields: true}, {Head: "mean", Kind: draw.Pairs},
			{Head: "median", Kind: draw.Pairs, Rank: 1}, {Head: "total", Kind: draw.Pairs, Rank: 2}}
		t.Row = func(row int) []draw.Cell {
			now, before := f.Now[f.rows[row]][0], f.Before[f.rows[row]][0]
			return []draw.Cell{label(row), f.cell(s, now, before, groupRecords), f.cell(s, now, before, groupMean),
				f.cell(s, now, before, groupMedian), f.cell(s, now, before, groupTotal)}
		}
		return t
	}
	t.Columns = []draw.Column{{Head: down, Least: 10, Most: 24}}
	t.Row = func(row int) []draw.Cell { return []draw.Cell{label(row)} }
	size := 6
	for _, i := range f.rows {
		for _, j := range f.columns {
			size = max(size, draw.Width(f.change(f.Now[i][j], f.Before[i][j], p.shows)))
		}
	}
	t.Sideways = &draw.ColumnScroll{Columns: len(f.columns),
		Column: func(i int) draw.Column {
			head := s.WithCode(across, f.Columns[f.columns[i]])
			return draw.Column{Head: head, Kind: draw.Counts, Size: max(size, min(14, draw.Width(draw.Label(head)))),
				Least: min(size, 9)}
		},
		Cell: func(row, i int) draw.Cell {
			now, before := f.Now[f.rows[row]][f.columns[i]], f.Before[f.rows[row]][f.columns[i]]
			return draw.Cell{Text: f.change(now, before, p.shows), Short: f.figure(now, p.shows),
				Style: f.style(s, now, before, p.shows)}
		}}
	return t
}

func (*NumericGroups) foot(s views.State, f *groupMatrix) func(width, height int) []string {
	switch {
	case f.refused != "":
		return s.Footnote("not weighted: " + f.refused)
	case f.SameGroups:
		return s.Footnote("the original is grouped by the present categories")
	}
	return nil
}

// figure formats a figure of a group with the decimals of all groups.
func (f *groupMatrix) figure(g profile.Group, which groupFigure) string {
	switch which {
	case groupMean:
		return draw.Figure(g.Mean, f.decimals[which])
	case groupMedian:
		return draw.Figure(g.Median, f.decimals[which])
	case groupTotal:
		if g.Values == 0 {
			return draw.NoFigure
		}
		return draw.Figure(g.Total, f.decimals[which])
	case groupRecords, groupFigures:
	}
	return draw.Count(g.Records)
}

// change formats a figure, followed by the original one if it differs.
func (f *groupMatrix) change(now, before profile.Group, which groupFigure) string {
	text, was := f.figure(now, which), f.figure(before, which)
	if text == was {
		return text
	}
	return text + " (" + was + ")"
}

func (f *groupMatrix) cell(s views.State, now, before profile.Group, which groupFigure) draw.Cell {
	return draw.Cell{Text: f.figure(now, which), Was: f.figure(before, which),
		Style: f.style(s, now, before, which)}
}

func (f *groupMatrix) style(s views.State, now, before profile.Group, which groupFigure) *draw.Style {
	if f.figure(now, which) == f.figure(before, which) {
		return &s.Plain
	}
	return &s.Changed
}

func (p *NumericGroups) explain(s views.State) []views.Figure {
	f := p.found.Found(p.of(s))
	i, j := f.rows[p.Cursor.At], 0
	if p.of(s).across.Known() {
		j = f.columns[p.Cursor.Column]
	}
	now, before := f.Now[i][j], f.Before[i][j]
	down, across := p.variables(s)
	name := numericVariable(s) + " in " + s.WithCode(down, f.Rows[i])
	if j > 0 {
		name += ", " + s.WithCode(across, f.Columns[j])
	}
	values := []string{draw.Count(now.Values) + " of " + wording.Counted(now.Records, "record") + " have a value",
		"original " + draw.Count(before.Values) + " of " + draw.Count(before.Records)}
	var figures []views.Figure
	for which, about := range [...][2]string{
		groupMean: {"Mean of the records in the group; with weights, the population mean. If it changes, published tables change.", "Σ w x / Σ w"},
		groupMedian: {"Median of the group, or with weights of the population that it represents.",
			"smallest x at which the weights reach half of their sum"},
		groupTotal: {"Sum over the group; with weights, the estimated population total.", "Σ w x"},
	} {
		figures = append(figures, views.Figure{Name: groupNames[which] + " of " + name, Value: f.change(now, before,
			groupFigure(which)), Definition: about[0], Formula: about[1], Values: values, Source: measure.SourceGuide})
	}
	return figures
}
