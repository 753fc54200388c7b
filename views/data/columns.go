package data

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// gridColumn is a column of the grid: a variable, or a figure of the record's key pattern.
type gridColumn struct {
	id       string            // unique whatever the file contains
	variable *microdata.Column // nil for a figure
	figure   string            // fk, Fk or risk
}

// name returns what the column is called.
func (c *gridColumn) name() string {
	if c.variable == nil {
		return c.figure
	}
	return c.variable.Name()
}

// layout is the order and visibility of columns.
type layout struct {
	figures bool
	hidden  map[string]bool
	places  []string // ids in the user's order; the others follow
	changes int
}

// hide hides a column.
func (l *layout) hide(id string) {
	if l.hidden == nil {
		l.hidden = map[string]bool{}
	}
	l.hidden[id] = true
	l.changes++
}

// reset shows all columns in the order of the file.
func (l *layout) reset() { *l = layout{figures: l.figures, changes: l.changes + 1} }

// move swaps two of the visible columns.
func (l *layout) move(columns []gridColumn, at, to int) {
	l.places = nil
	for _, c := range columns {
		l.places = append(l.places, c.id)
	}
	l.places[at], l.places[to] = l.places[to], l.places[at]
	l.changes++
}

// columnsOf is what the visible columns depend on.
type columnsOf struct {
	data    *microdata.Dataset
	changes int
	keys    bool
}

// columns returns the visible columns, all if every variable is hidden.
func (p *Records) columns(s views.State) []gridColumn {
	of := columnsOf{s.Current.Data, p.layout.changes, len(s.Keys()) > 0}
	return *p.inSight.Look(of, func() []gridColumn {
		var all []gridColumn
		if p.layout.figures && of.keys && !p.ofKeys {
			for _, figure := range []string{"f", "F", "risk"} {
				all = append(all, gridColumn{id: draw.FigureMark + figure, figure: figure})
			}
		}
		for _, column := range of.data.Columns() {
			all = append(all, gridColumn{id: column.Name(), variable: column})
		}
		return p.layout.arranged(all)
	})
}

// hidden returns the number of hidden columns.
func (p *Records) hidden(s views.State) int {
	if s.Current.Data == nil {
		return 0
	}
	inSight := slices.DeleteFunc(slices.Clone(p.columns(s)), func(c gridColumn) bool { return c.variable == nil })
	return len(s.Current.Data.Columns()) - len(inSight)
}

func (l *layout) arranged(all []gridColumn) []gridColumn {
	places := make(map[string]int, len(l.places))
	for place, id := range l.places {
		places[id] = place - len(l.places)
	}
	shown := slices.DeleteFunc(slices.Clone(all), func(c gridColumn) bool { return l.hidden[c.id] })
	if len(shown) == 0 {
		return all
	}
	slices.SortStableFunc(shown, func(a, b gridColumn) int { return places[a.id] - places[b.id] })
	return shown
}

// current returns the column under the cursor.
func (p *Records) current(s views.State) *gridColumn {
	columns := p.columns(s)
	p.Cursor.Column = max(0, min(p.Cursor.Column, len(columns)-1))
	return &columns[p.Cursor.Column]
}

// cell returns the cell of a record in a column; matches of the search are highlighted.
func (p *Records) cell(s views.State, c *gridColumn, record int) draw.Cell {
	if c.variable == nil {
		return draw.Cell{Text: figureText(s, c.figure, record), Style: s.Fresh(&s.Plain)}
	}
	text, style := views.CellText(s, c.variable, record)
	if p.ofKeys {
		text, style = p.spelled(c.variable, record)
	}
	if p.finds.marks(text) {
		style = &s.Theme.Marked
	}
	cell := draw.Cell{Text: text, Style: style}
	if most := p.most(c); c.variable.Numeric() && draw.Width(draw.Label(text)) > most { // because a number must not be cut
		cell.Text, cell.Short = strings.TrimRight(draw.Fit(text, most), " "), c.variable.Text(record)
	}
	return cell
}

// figureText formats a record-level figure; the risk has four digits.
func figureText(s views.State, figure string, record int) string {
	of, _, err := s.RecordFigure(figure)
	switch a := s.Current.Assessment; {
	case err != nil || a == nil || record >= a.Records:
		return "–"
	case figure == "risk":
		return wording.Probability(of(record))
	}
	return wording.Frequency(of(record))
}

// figureMeaning explains a figure in words.
func figureMeaning(figure string) string {
	switch figure {
	case "f":
		return "records of the file with the same key pattern"
	case "F":
		return "expected population units with the same key pattern"
	}
	return "probability that the record is re-identified by its key pattern"
}

// column returns the heading of a column.
func (p *Records) column(s views.State, c *gridColumn) draw.Column {
	mark := p.By.Mark(c.id)
	if c.variable == nil {
		return draw.Column{Head: c.figure + mark, Kind: draw.Values, Size: 5, Least: 3, Style: &s.Heading}
	}
	head, kind, style := headOf(s, c.variable.Name()), draw.Words, &s.Heading
	if c.variable.Numeric() && !(p.ofKeys && s.LabelsOf(c.variable) != nil) { // labelled codes of key patterns are left-aligned
		kind = draw.Values
	}
	if strings.HasPrefix(head, "◆") {
		style = &s.Strong
	}
	// The name is shortened rather than the arrow.
	if most := p.most(c) - draw.Width(mark); draw.Width(draw.Label(head)) > most {
		head = strings.TrimRight(draw.Fit(head, most), " ")
	}
	head += mark
	return draw.Column{Head: head, Kind: kind, Size: draw.Width(draw.Label(head)), Least: 3, Style: style}
}

// widestWide is the width limit of a column widened by the user.
const widestWide = 120

// most returns the maximum width of a column.
func (p *Records) most(c *gridColumn) int {
	if p.wide[c.id] {
		return widestWide
	}
	return draw.Widest
}

// widen makes a column as wide as the cells that are or were visible need, so that the table does not become
// narrower while it scrolls.
func (p *Records) widen(c *gridColumn, size int) int {
	if c.variable == nil {
		return size
	}
	return min(p.widths.Grow(c.variable, size), p.most(c))
}

// reorder sorts the records if the data or the sort columns have changed.
func (p *Records) reorder(s views.State) {
	of := orderedBy{data: s.Current.Data, by: p.By.Key()}
	var keys []func() microdata.SortKey
	for _, by := range p.By {
		if figure, ok := strings.CutPrefix(by.Id, draw.FigureMark); ok {
			of.assessment = s.Current.Assessment
			number, _, err := s.RecordFigure(figure)
			if err != nil || number == nil {
				continue // not known, or not yet
			}
			keys = append(keys, func() microdata.SortKey {
				return microdata.SortByNumbers(func(row uint32) float64 { return number(int(row)) }, by.Down)
			})
		} else if column, ok := s.Current.Data.Column(by.Id); ok {
			keys = append(keys, func() microdata.SortKey { return microdata.SortByColumn(column, by.Down) })
		}
	}
	p.sorted.sort(of, keys)
}
