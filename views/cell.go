package views

import (
	"weak"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// The signs of cells without a value.
const (
	MissingSign    = "·"
	SuppressedSign = "∅"
)

// CellText returns the text of a cell and its style: changed, suppressed, missing from the beginning, or plain. A
// cell counts as changed if a step other than a suppression made it missing.
func CellText(s State, column *microdata.Column, record int) (text string, style *draw.Style) {
	theme := s.Theme
	source := column.Source()
	if column.Missing(record) {
		switch {
		case column.Suppressed().Has(record):
			return SuppressedSign, &theme.Suppressed
		case source == column || source.Missing(record):
			return MissingSign, &theme.Faint
		default:
			return MissingSign, &theme.Changed
		}
	}
	text = s.WithCodeLabel(column, column.Text(record))
	if column.Differs(source, record) {
		return text, &theme.Changed
	}
	return text, &theme.Plain
}

// CellInWords appends a cell in words and in its style, followed by its original value: "suppressed, was 31".
// joined separates the two.
func CellInWords(l *draw.Line, s State, column *microdata.Column, record int, joined, missing string) {
	theme := s.Theme
	text, style := CellText(s, column, record)
	switch {
	case style == &theme.Faint:
		text = missing
	case style == &theme.Suppressed:
		text = "suppressed"
	case column.Missing(record):
		text = "missing"
	}
	l.Text(style, draw.Shortened(text))
	if style == &theme.Suppressed || style == &theme.Changed {
		l.Text(&theme.Faint, joined+"was ")
		l.Text(&theme.Plain, draw.Shortened(s.WithCodeLabel(column.Source(), column.Source().Text(record))))
	}
}

// ColumnWidths remembers the widths of columns, so that a table does not change its shape while it scrolls. It
// does not keep the columns of discarded steps in memory.
type ColumnWidths map[weak.Pointer[microdata.Column]]int

// Of returns the width of a column's values, at most draw.Widest. It measures all levels if they are few,
// otherwise a sample spread over the file.
func (w *ColumnWidths) Of(column *microdata.Column) int {
	if size, ok := (*w)[weak.Make(column)]; ok {
		return size
	}
	return w.Grow(column, sampledWidth(column))
}

// Labelled is like Of, but includes the labels of the values.
func (w *ColumnWidths) Labelled(s State, column *microdata.Column) int {
	size := w.Of(column)
	for code, meaning := range s.LabelsOf(column) {
		size = max(size, min(draw.Widest, draw.Width(draw.Label(code+" "+meaning))))
	}
	return size
}

// Grow makes a column at least size wide and returns its width.
func (w *ColumnWidths) Grow(column *microdata.Column, size int) int {
	if *w == nil || len(*w) > 4096 {
		*w = ColumnWidths{} // drop columns of steps undone long ago
	}
	known := weak.Make(column)
	(*w)[known] = max((*w)[known], size)
	return (*w)[known]
}

func sampledWidth(column *microdata.Column) int {
	const sample = 256
	size := 1
	grow := func(text string) { size = max(size, min(draw.Widest, draw.Width(draw.Label(text)))) }
	if column.StoredAsNumbers() == nil && len(column.Categories().Levels) <= sample {
		for _, level := range column.Categories().Levels {
			grow(level.Label)
		}
		return size
	}
	n := column.Len()
	for i := range min(n, sample) {
		grow(column.Text(i * n / min(n, sample)))
	}
	return size
}

// SuppressedCells returns the number of suppressed cells of a variable.
func SuppressedCells(s State, variable string) int {
	if column := s.Current.Column(variable); column != nil {
		return column.SuppressedCount()
	}
	return 0
}
