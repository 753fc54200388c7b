package draw

import (
	"slices"
	"strings"
)

// Table defines what a table shows and what its rows do: columns under headings, one line per row. There may be
// millions of rows; only visible ones are requested. A table is made for every frame and every key; a Cursor holds
// the state in between.
type Table struct {
	Columns  []Column
	Sideways *ColumnScroll // further columns that scroll; nil: none
	Rows     int
	// Row returns the cells of a row, one per column. A single cell takes the whole line.
	Row func(row int) []Cell
	Sum []Cell // a last row that the cursor does not reach; nil: none

	Instead string // text shown instead of a table that has nothing to show
	None    string // text below the headings if there are no rows
	// Banner replaces the headings if it returns a text.
	Banner func(width int) string
	// Above returns the lines above the headings, Foot those below the rows, in at most height lines, and Status
	// those at the end of the pane. They may be nil.
	Above  func(width, height int) []string
	Foot   func(width, height int) []string
	Status func(width int) []string

	Indent  int                // cells before the first column, at least one
	Colours bool               // the row under the cursor keeps its colours and has only the mark
	Close   bool               // columns are not spread over spare room
	Marked  func(row int) bool // rows with a cursor mark; nil: the row under the cursor

	// Follows makes the cursor follow the selection: it is on the row Selected, and not drawn if Selected is -1
	// because the selection is not in the table.
	Follows      bool
	Selected     int
	Choose, Open func(row int) Action // what moving to a row and enter do; nil: nothing
	// Stops reports whether the cursor stops on a row, as long as such a row is visible; nil: on all rows.
	Stops func(row int) bool
}

// TextOf returns a table of the lines of a drawn text; the cursor stops on the lines that can be opened.
func TextOf(lines []string, opens func(line int) bool) Table {
	return Table{Rows: len(lines), Stops: opens, Row: func(row int) []Cell { return []Cell{{Text: lines[row], Drawn: true}} }}
}

// ColumnScroll has the scrolling columns of a table with a cursor of cells.
type ColumnScroll struct {
	Columns int
	Column  func(i int) Column
	Cell    func(row, i int) Cell
	// Widen returns the width of a column, given the width of its visible cells; nil: the Size of Column.
	Widen  func(i, size int) int
	Shaded bool // cells differ by shade, so only the cell under the cursor is highlighted
}

// Kind is the kind of content of a column.
type Kind uint8

// The kinds of columns. Counts, pairs and bars are faint while they are being recomputed; words and values are
// data.
const (
	Words    Kind = iota
	Values        // right-aligned numbers; one that does not fit is shown as …
	Counts        // like Values
	Tenths        // like Values; decimal points are aligned if some numbers have decimals
	Percents      // the shares of the cells in percent, all with the same decimals
	Pairs         // a figure and its original: "8 (98)"
	Bars          // without a Size a bar takes the remaining width
)

// Column is a column of a Table.
type Column struct {
	Head   string
	Kind   Kind
	Size   int    // minimum width if there is room
	Most   int    // maximum width; 0: words end at 24 cells
	Least  int    // the column is dropped rather than made narrower than this; 0: its natural width
	Rank   int    // columns of the highest rank are dropped first; 0: never
	Yields bool   // for pairs: the original is dropped before a column of rank 1 or 2
	Style  *Style // of the heading; nil: the default
}

// Cell is the content of a column in a row.
type Cell struct {
	Text       string
	Short      string  // replaces Text if it does not fit; "": Text is cut
	Was        string  // for pairs: the original figure
	Tail       string  // a sign at the end of words
	Drawn      bool    // Text is a whole drawn line
	Share, Had float64 // of a bar or in percent, 0 to 1, and of the original behind a bar
	Style      *Style  // nil: plain
}

// stops reports whether the cursor stops on a row.
func (t *Table) stops(row int) bool { return t.Stops == nil || t.Stops(row) }

// choose returns the action of moving to a row.
func (t *Table) choose(row int) Action {
	if t.Choose == nil {
		return Handled{}
	}
	return t.Choose(row)
}

// View draws the table in exactly height lines of width cells.
func (t *Table) View(s Look, c *Cursor, width, height int, focused bool) string {
	if t.Instead != "" {
		return s.Sentence(t.Instead, width, height)
	}
	var status []string
	if c.Place(t); t.Status != nil && height > 1 {
		status = t.Status(width)
		status = status[:min(len(status), max(1, height-2))]
	}
	room := height - len(status)
	lines := t.Lines(s, c, width, room, focused)
	if t.Foot != nil && len(lines) < room {
		for _, line := range t.Foot(width, room-len(lines)) {
			lines = append(lines, ExactLine(line, width))
		}
	}
	lines = cutTo(s.Theme, lines, room, width) // each line has its exact width
	for len(lines) < room {
		lines = append(lines, strings.Repeat(" ", width))
	}
	for _, line := range status {
		lines = append(lines, ExactLine(line, width))
	}
	return strings.Join(lines, "\n")
}

// Lines draws the headings and the visible rows in at most height lines of width cells. If c is nil, it starts at
// the first row.
func (t *Table) Lines(s Look, c *Cursor, width, height int, focused bool) []string {
	still := c == nil
	if still {
		c = &Cursor{}
	}
	c.Place(t)
	var lines []string
	if t.Above != nil {
		for _, line := range t.Above(width, height) {
			lines = append(lines, ExactLine(line, width))
		}
	}
	headed := t.headed(width)
	if c.top = len(lines); headed {
		c.top++
	}
	first, last := c.window(t.Rows, height-c.top-min(1, len(t.Sum)))
	c.Shown = last - first
	d := t.drawing(s, c, width)
	if headed {
		lines = append(lines, d.head(last < t.Rows && c.Shown == c.Page))
	}
	for row := first; row < last; row++ {
		chosen := !still && row == c.At && (!t.Follows || row == t.Selected) && t.stops(row)
		lines = append(lines, d.row(d.cells[row-d.from], row, chosen, focused))
	}
	switch {
	case t.Rows == 0 && t.None != "":
		for _, line := range s.Faint.Indented(t.None, 1, width) {
			lines = append(lines, ExactLine(line, width))
		}
		lines = lines[:min(len(lines), max(1, height))]
	case last < t.Rows && c.Shown < c.Page:
		lines = append(lines, s.Key.Fit(strings.Repeat(" ", max(1, t.Indent))+"↓ "+Count(t.Rows-last)+" more", width))
	case last < t.Rows && !headed && c.Shown > 0: // no line is left for a mark
		lines[len(lines)-1] = Ending(lines[len(lines)-1], &s.Key, "↓", width)
	}
	if t.Sum != nil {
		lines = append(lines, d.row(t.Sum, -1, false, false))
	}
	return lines
}

// headed reports whether there is a line of headings or a banner.
func (t *Table) headed(width int) bool {
	for i := range t.Columns {
		if t.Columns[i].Head != "" {
			return true
		}
	}
	return t.Sideways != nil || t.Banner != nil && t.Banner(width) != ""
}

// Within joins at most height lines of width cells; if some do not fit, the last line says so.
func Within(theme *Theme, lines []string, width, height int) string {
	lines = cutTo(theme, slices.Clone(lines), height, width)
	return strings.Join(lines, "\n")
}

// cutTo returns the lines that fit, with a mark on the last if some do not.
func cutTo(theme *Theme, lines []string, room, width int) []string {
	room = max(0, room)
	cut := len(lines) - room
	if cut <= 0 || room == 0 {
		return lines[:min(len(lines), room)]
	}
	if lines = lines[:room]; room < 3 {
		lines[room-1] = Ending(lines[room-1], &theme.Key, "↓", width)
	} else {
		lines[room-1] = theme.Key.Fit(" ↓ "+Count(cut+1)+" more", width)
	}
	return lines
}
