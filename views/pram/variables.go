package pram

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// NewPRAMVariables returns the pane of the variables suitable for PRAM: their roles, how often PRAM was applied to
// them, and how much it changed.
func NewPRAMVariables() views.Pane {
	drawn := drawnShare{}
	return &views.TablePane{PaneID: "pram-variables", Heading: "Variables for PRAM", Enter: "inspect", About: "pram",
		Content: func(s views.State, _ int) draw.Table { return drawn.table(s) }, Explained: drawn.figures}
}

// table has one row per variable; its cursor is the selected variable.
func (m drawnShare) table(s views.State) draw.Table {
	names := candidates(s)
	if len(names) == 0 {
		return draw.Table{Instead: "The file has no variable with categories."}
	}
	t := draw.Table{
		Columns: []draw.Column{
			{Head: "variable", Least: 8},
			{Head: "role", Least: 4, Rank: 2},
			{Head: "values", Kind: draw.Counts, Rank: 3},
			{Head: "runs", Kind: draw.Counts},
			{Head: "changed", Kind: draw.Percents, Size: 8},
		},
		Row: func(row int) []draw.Cell { return m.row(s, names[row]) },
	}
	t = s.OfVariables(t, names, s.Selected.Variable)
	open := t.Open
	t.Open = func(row int) draw.Action {
		if row != t.Selected {
			return t.Choose(row)
		}
		return open(row)
	}
	return t
}

// roleText names the relevant roles of a variable.
func roleText(s views.State, name string) string {
	var roles []string
	for _, role := range []microdata.Role{microdata.RoleKey, microdata.RolePRAM, microdata.RoleSensitive} {
		if s.Scenario.Has(name, role) {
			roles = append(roles, string(role))
		}
	}
	return strings.Join(roles, ", ")
}

func (m drawnShare) row(s views.State, name string) []draw.Cell {
	theme, a := s.Theme, pram.ApplicationsTo(name, standing(s))
	style, times, changed := &theme.Plain, "–", draw.Cell{Text: " "}
	if n := len(a.Reports); n > 0 {
		last := a.Reports[n-1]
		style, times, changed = &theme.Changed, draw.Count(n), share(last.Changed, last.Records+last.Kept)
		if drawn := m.of(s, name); n > 1 && drawn.ok {
			changed = share(drawn.changed, drawn.present)
		}
	}
	changed.Style = style
	return []draw.Cell{{Text: s.Marked(name), Style: style}, {Text: roleText(s, name), Style: &theme.Faint},
		{Text: draw.Count(views.CategoriesOf(s.Current, name).Occurring())}, {Text: times, Style: style},
		changed}
}

// share is the cell of a share in percent.
func share(part, whole int) draw.Cell { return draw.Cell{Share: float64(part) / float64(whole)} }

// figures explains how much changed in the selected variable.
func (m drawnShare) figures(s views.State) []views.Figure {
	a := pram.ApplicationsTo(s.Selected.Variable, standing(s))
	if len(a.Reports) == 0 {
		return nil
	}
	var values []string
	for i, report := range a.Reports {
		values = append(values,
			"step "+draw.Count(a.Steps[i])+": "+draw.Count(report.Changed)+" of "+draw.Count(report.Records+report.Kept)+" values changed")
	}
	last := a.Reports[len(a.Reports)-1]
	share := wording.PercentOf(last.Changed, last.Records+last.Kept) + " in the last application"
	if drawn := m.of(s, s.Selected.Variable); drawn.ok {
		values = append(values,
			"now "+draw.Count(drawn.changed)+" of "+draw.Count(drawn.present)+" values differ from the original")
		share += ", " + wording.PercentOf(drawn.changed, drawn.present) + " now"
	}
	return []views.Figure{{Name: "Values of " + s.Selected.Variable + " that PRAM changed", Value: share,
		Definition: "Records whose value changed, among those with a value. If PRAM is applied several times, the matrices are " +
			"multiplied, and the pane shows how many values differ from the original.",
		Formula: "changed / records with a value",
		Values:  values,
		Source:  measure.SourcePRAM}}
}

// drawnShare caches how many values of variables differ from the original.
type drawnShare map[string]*views.Cache[views.NowAndBefore, drawnCount]

// drawnCount is the number of values of a variable that differ from the original, and the number present in both;
// ok is false if the categories differ.
type drawnCount struct {
	changed, present int
	ok               bool
}

func (m drawnShare) of(s views.State, name string) *drawnCount {
	if m[name] == nil {
		m[name] = &views.Cache[views.NowAndBefore, drawnCount]{}
	}
	c := s.Categories(name)
	return m[name].Look(c, func() (count drawnCount) {
		count.changed, count.present, count.ok = microdata.Redrawn(c.Now, c.Before)
		return count
	})
}
