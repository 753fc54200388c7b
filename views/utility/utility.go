package utility

import (
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Utility is the pane of all figures: those of the active measures and of risk, now, in the original data, and
// after each step.
type Utility struct{ views.TablePane }

// NewUtility returns the pane of the measures.
func NewUtility() *Utility {
	p := &Utility{views.TablePane{PaneID: "utility", Heading: "Measures", Enter: "open"}}
	p.Content, p.Actions, p.OfRow, p.Move = p.table, p.keys, p.explain, views.KeyCells()
	return p
}

// table shows below the figures why the measure under the cursor has none.
func (p *Utility) table(s views.State, width int) draw.Table {
	t := utilityTable(s, width)
	t.Status = func(width int) []string {
		if r := utilityRows(s)[p.Cursor.At]; r.open != nil && r.value == nil {
			return s.Faint.Indented(r.open.Waiting(), 1, width)
		}
		return nil
	}
	return t
}

// utilityRow is a measure, or one of its figures.
type utilityRow struct {
	entry *measure.Entry
	open  *views.Opened  // nil: not an active measure
	value *measure.Value // nil: the row is the title of the measure
	was   *measure.Value
}

// utilityRows lists the figures.
func utilityRows(s views.State) []utilityRow {
	var rows []utilityRow
	add := func(e *measure.Entry, was measure.Set, open *views.Opened, shown func(v *measure.Value) bool) {
		rows = append(rows, utilityRow{entry: e, open: open})
		for i := range e.Values.Numbers {
			if v := &e.Values.Numbers[i]; shown(v) {
				rows = append(rows, utilityRow{e, open, v, was.Like(e.Spec.Name, v)})
			}
		}
	}
	for i := range s.Measures {
		o := &s.Measures[i]
		entry := o.Current
		if entry == nil {
			entry = &measure.Entry{Spec: o.Spec}
		}
		add(entry, o.OriginalSet(), o, func(*measure.Value) bool { return true })
	}
	for i := range s.Current.Figures {
		if e := &s.Current.Figures[i]; e.NotApplicable == "" && len(e.Values.Numbers) > 0 {
			add(e, s.Original.Figures, nil, func(v *measure.Value) bool { return !v.NextToSameK })
		}
	}
	return rows
}

func utilityTable(s views.State, width int) draw.Table {
	rows := utilityRows(s)
	if len(rows) == 0 {
		return draw.Table{Instead: "Choose key variables, or activate a measure with m, to see figures here."}
	}
	path, widest := s.Path(), max(34, min(56, width-40))
	x, _ := s.Axis(0)
	y, _ := s.Axis(1)
	t := draw.Table{
		Columns: []draw.Column{{Head: "figure", Size: 24, Most: widest}, {Head: "axis", Size: 4, Rank: 2},
			{Head: "now", Kind: draw.Values, Size: 11}, {Head: "original", Kind: draw.Values, Size: 11, Rank: 1}},
		Rows: len(rows),
		Row:  func(row int) []draw.Cell { return utilityCells(s, &rows[row], x, y) },
		Open: func(row int) draw.Action {
			if open := rows[row].open; open != nil {
				return views.ShowMeasure{Name: open.Spec.Name}
			}
			return draw.Handled{}
		},
	}
	if len(path) > 1 {
		fixed, known := t.Columns[:3], make([][]string, len(rows)) // the original is the first state
		texts := func(row int) []string {
			if known[row] == nil {
				known[row] = rows[row].texts(s, path)
			}
			return known[row]
		}
		t.Columns, t.Row = fixed, func(row int) []draw.Cell {
			cells := utilityCells(s, &rows[row], x, y)
			if rows[row].value != nil {
				cells[2].Text = texts(row)[0]
			}
			return cells[:min(len(fixed), len(cells))]
		}
		t.Sideways = &draw.ColumnScroll{Columns: len(path), Column: func(i int) draw.Column {
			if i == 0 {
				return draw.Column{Head: "original", Kind: draw.Values, Size: 9}
			}
			return draw.Column{Head: "after " + strconv.Itoa(i), Kind: draw.Values, Size: 9}
		}, Cell: func(row, i int) draw.Cell {
			if rows[row].value == nil {
				return draw.Cell{}
			}
			return cellOf(s, texts(row)[i+1])
		}}
	}
	return t
}

// texts formats the current figure and those of all states of a path alike.
func (r *utilityRow) texts(s views.State, path []int) []string {
	values := []*measure.Value{r.value}
	for i, node := range path {
		v := s.StepFigure(node, views.IdOf(r.entry.Spec.Name, r.value))
		if v == nil && i == 0 {
			v = r.was
		}
		values = append(values, v)
	}
	return measure.Texts(values...)
}

// cellOf returns the cell of a figure, faint if it is unknown.
func cellOf(s views.State, text string) draw.Cell {
	if text == measure.Unknown {
		return draw.Cell{Text: text, Style: &s.Faint}
	}
	return draw.Cell{Text: text}
}

// utilityCells returns the cells of a figure, or of the title of a measure.
func utilityCells(s views.State, r *utilityRow, x, y views.FigureID) []draw.Cell {
	if r.value == nil {
		text := r.entry.Spec.Title
		switch {
		case r.open == nil:
		case r.open.Current != nil && r.open.Current.NotApplicable != "":
			text += ": not applicable"
		case r.open.Err != nil:
			text += ": failed"
		case r.open.Waiting() != "":
			text += ": " + r.open.Waiting()
		case r.open.Stale:
			text += ": " + draw.StaleMark + " as of " + r.open.Of
		}
		return []draw.Cell{{Text: text, Style: &s.Heading}}
	}
	axis, now, was := "", r.value.Text(), draw.Cell{Text: "–", Style: &s.Faint}
	_, short := r.value.Row()
	switch id := views.IdOf(r.entry.Spec.Name, r.value); {
	case id == x:
		axis = "→"
	case id == y:
		axis = "↑"
	}
	if r.was != nil {
		was.Style = nil
		now, was.Text = r.value.Pair(r.was)
	}
	return []draw.Cell{{Text: "  " + views.FigureName(r.value), Short: "  " + short}, {Text: axis, Style: &s.Key},
		{Text: now, Style: &s.Strong}, was}
}

func (p *Utility) keys() []views.KeyAction {
	axis := func(which int) func(views.State) draw.Action {
		return func(s views.State) draw.Action {
			if r := utilityRows(s)[p.Cursor.At]; r.value != nil {
				return views.SetAxis{Axis: which, Figure: views.IdOf(r.entry.Spec.Name, r.value)}
			}
			return draw.Handled{}
		}
	}
	stop := func(s views.State) draw.Action {
		if open := utilityRows(s)[p.Cursor.At].open; open != nil {
			return views.StopMeasure{Name: open.Spec.Name}
		}
		return draw.Handled{}
	}
	return []views.KeyAction{p.OnRow("X", "use as risk axis", axis(0)),
		p.OnRow("Y", "use as information loss axis", axis(1)), p.OnRow("c", "stop or compute", stop)}
}

// explain explains the figures, starting with the one under the cursor.
func (p *Utility) explain(s views.State) []views.Figure {
	var figures []views.Figure
	rows := utilityRows(s)
	for _, r := range slices.Concat(rows[p.Cursor.At:], rows[:p.Cursor.At]) {
		if r.value == nil {
			continue
		}
		what := measure.FigureKey{Value: *r.value, Original: r.was}
		if figure := r.entry.Explain(what); figure.Name != "" {
			figures = append(figures, figure)
		}
	}
	return figures
}
