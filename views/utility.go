package views

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Utility is the pane of all figures that are told of the data: those of the measures
// that are open and of risk, now, in the original data, and after each step.
type Utility struct{ tablePane }

// NewUtility returns the pane of the measures.
func NewUtility() *Utility {
	p := &Utility{tablePane{id: "utility", title: "Measures", enter: "the measure"}}
	p.content, p.acts, p.figures, p.move = utilityTable, p.keys, p.explain, keyCells()
	return p
}

// utilityRow is a measure, or one of its figures.
type utilityRow struct {
	entry *measure.Entry
	open  *Opened        // nil: it is no open one
	value *measure.Value // nil: the row is the measure's
	was   *measure.Value
}

// utilityRows lists the figures.
func utilityRows(s State) []utilityRow {
	var rows []utilityRow
	add := func(e *measure.Entry, was measure.Set, open *Opened, shown func(v *measure.Value) bool) {
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
		add(entry, o.original(), o, func(*measure.Value) bool { return true })
	}
	for i := range s.Current.Figures {
		if e := &s.Current.Figures[i]; e.NotApplicable == "" && len(e.Values.Numbers) > 0 {
			add(e, s.Original.Figures, nil, func(v *measure.Value) bool { return !v.Beside })
		}
	}
	return rows
}

func utilityTable(s State, width int) Table {
	rows := utilityRows(s)
	if len(rows) == 0 {
		return Table{Instead: "Figures stand here as soon as there are key variables, or a measure is open: m opens one."}
	}
	path, widest := s.path(), 34
	if width >= 100 {
		widest = 56
	}
	x, _ := s.axis(0)
	y, _ := s.axis(1)
	t := Table{
		Columns: []Column{{Head: "figure", Size: 24, Most: widest}, {Head: "axis", Size: 4, Rank: 2}, {Head: "now", Kind: Values, Size: 11}, {Head: "original", Kind: Values, Size: 11, Rank: 1}},
		Rows:    len(rows),
		Row:     func(row int) []Cell { return utilityCells(s, &rows[row], x, y) },
		Open: func(row int) Action {
			if open := rows[row].open; open != nil {
				return ShowMeasure{open.Spec.Name}
			}
			return Handled{}
		},
	}
	if len(path) > 1 {
		fixed := t.Columns[:3] // the original is the first of the states
		t.Columns, t.Row = fixed, func(row int) []Cell {
			cells := utilityCells(s, &rows[row], x, y)
			return cells[:min(len(fixed), len(cells))]
		}
		t.Sideways = &Sideways{Columns: len(path), Column: func(i int) Column {
			if i == 0 {
				return Column{Head: "original", Kind: Values, Size: 9}
			}
			return Column{Head: "after " + strconv.Itoa(i), Kind: Values, Size: 9}
		}, Cell: func(row, i int) Cell {
			if rows[row].value == nil {
				return Cell{}
			}
			if v := s.told(path[i], idOf(rows[row].entry.Spec.Name, rows[row].value)); v != nil {
				return Cell{Text: v.Text()}
			}
			if was := rows[row].was; i == 0 && was != nil {
				return Cell{Text: was.Text()}
			}
			return Cell{Text: "–", Style: &s.Theme.Faint}
		}}
	}
	return t
}

// utilityCells returns the cells of a figure, or of the line of a measure.
func utilityCells(s State, r *utilityRow, x, y FigureID) []Cell {
	if r.value == nil {
		text := r.entry.Spec.Title
		switch {
		case r.open == nil:
		case r.open.waiting() != "":
			text += ": " + r.open.waiting()
		case r.open.Stale:
			text += ": " + StaleMark + " as of " + r.open.Of
		}
		return []Cell{{Text: text, Style: &s.Theme.Heading}}
	}
	axis, was := "", Cell{Text: "–", Style: &s.Theme.Faint}
	switch id := idOf(r.entry.Spec.Name, r.value); {
	case id == x:
		axis = "→"
	case id == y:
		axis = "↑"
	}
	if r.was != nil {
		was = Cell{Text: r.was.Text()}
	}
	return []Cell{{Text: "  " + figureName(r.value)}, {Text: axis, Style: &s.Theme.Key}, {Text: r.value.Text(), Style: &s.Theme.Strong}, was}
}

func (p *Utility) keys() []act {
	axis := func(which int) func(tea.KeyPressMsg, State) Action {
		return func(_ tea.KeyPressMsg, s State) Action {
			rows := utilityRows(s)
			if p.cursor.At >= len(rows) || rows[p.cursor.At].value == nil {
				return Handled{}
			}
			r := rows[p.cursor.At]
			return SetAxis{which, idOf(r.entry.Spec.Name, r.value)}
		}
	}
	stop := func(_ tea.KeyPressMsg, s State) Action {
		if rows := utilityRows(s); p.cursor.At < len(rows) && rows[p.cursor.At].open != nil {
			return StopMeasure{rows[p.cursor.At].open.Spec.Name}
		}
		return Handled{}
	}
	return []act{{bind("X", "onto the axis of risk", "X"), axis(0)}, {bind("Y", "onto that of loss", "Y"), axis(1)}, {bind("c", "stop, compute", "c"), stop}}
}

// explain explains the figures, that under the cursor first.
func (p *Utility) explain(s State) []Figure {
	var above, from []Figure
	for i, r := range utilityRows(s) {
		if r.value == nil {
			continue
		}
		figure := r.entry.Measure.Explain(measure.What{Value: *r.value, Original: r.was, Values: &r.entry.Values})
		switch {
		case figure.Name == "":
		case i < p.cursor.At:
			above = append(above, safeFigure(figure))
		default:
			from = append(from, safeFigure(figure))
		}
	}
	return append(from, above...)
}
