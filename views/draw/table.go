package draw

import (
	"slices"
	"strings"
)

// Table is what a table shows and what its rows do: columns under headings, one
// line per row. There may be millions of rows; only those in sight are asked for.
// It is made anew for every frame and every key. What stays from one to the next
// is a Cursor.
type Table struct {
	Columns  []Column
	Sideways *Sideways // more columns, which are scrolled; nil: none
	Rows     int
	// Row returns the cells of a row, one per column. A row of one cell alone has
	// the whole line for it.
	Row func(row int) []Cell
	Sum []Cell // a last row, which the cursor does not reach; nil: none

	Instead string // stands in the place of a table that has nothing to show
	None    string // stands under the headings where there are no rows
	// Banner takes the place of the headings where it returns a text.
	Banner func(width int) string
	// Above returns the lines above the headings and Foot those under the rows, in a
	// space of so many lines, and Status those at the end of the pane. They may be
	// nil.
	Above  func(width, height int) []string
	Foot   func(width, height int) []string
	Status func(width int) []string

	Indent  int                // cells before the first column, at least one
	Colours bool               // the row under the cursor keeps its colours: it has the mark alone
	Close   bool               // columns are not set apart where there is room
	Marked  func(row int) bool // rows with the mark of a cursor before them; nil: that under the cursor

	// Follows says that the cursor stands on the row Selected of the session, -1
	// where it is not in the table, and is drawn only there.
	Follows      bool
	Selected     int
	Choose, Open func(row int) Action // what moving to a row and enter do; nil: nothing
	// Stops says on which rows the cursor comes to rest where one of them is in sight; nil: on all.
	Stops func(row int) bool
}

// TextOf is a table of the lines of a text, drawn already, with a cursor on some of them: those that can
// be opened.
func TextOf(lines []string, opens func(line int) bool) Table {
	return Table{Rows: len(lines), Stops: opens, Row: func(row int) []Cell { return []Cell{{Text: lines[row], Drawn: true}} }}
}

// Sideways is the columns of a table that has a cursor of cells.
type Sideways struct {
	Columns int
	Column  func(i int) Column
	Cell    func(row, i int) Cell
	// Widen is told how wide the cells in sight of a column are, and says how wide it
	// should be for them; nil: the Size that Column says is enough.
	Widen  func(i, size int) int
	Shaded bool // cells are told apart by their shades: only that under the cursor stands out
}

// Kind says what stands in a column.
type Kind uint8

// The kinds of columns. Counts, pairs and bars are faint while they are being
// recalculated; words and values are as they are in the data.
const (
	Words    Kind = iota
	Values        // numbers, on the right; one that does not fit is shown as …
	Counts        // likewise
	Tenths        // likewise; where some have a decimal the points stand below each other
	Percents      // the shares of the cells in percent, all with the same decimals
	Pairs         // a figure and that of the original: "8 (98)"
	Bars          // without a Size a bar takes what the others leave
)

// Column is a column of a Table.
type Column struct {
	Head   string
	Short  string // stands for Head where it is narrow; "": Head
	Kind   Kind
	Size   int    // it is at least that wide where there is room
	Most   int    // and never wider; 0: words end at 24 cells
	Least  int    // it is dropped rather than made narrower; 0: as wide as it would like to be
	Rank   int    // those of the highest rank are dropped first; 0: never
	Yields bool   // of a pair: the original goes before a column of rank 1 or 2 does
	Style  *Style // of the heading; nil: as all
}

// Cell is what stands in a column of a row.
type Cell struct {
	Text       string
	Short      string  // stands for Text where that does not fit; "": Text, cut
	Was        string  // of a pair: the figure of the original
	Tail       string  // a sign at the end of words
	Drawn      bool    // Text is a whole line, drawn already
	Share, Had float64 // of a bar or in percent, 0 to 1, and of the original behind a bar
	Style      *Style  // nil: plain
}

// stops reports whether the cursor comes to rest on a row.
func (t *Table) stops(row int) bool { return t.Stops == nil || t.Stops(row) }

// choose does what moving to a row does.
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
	if c.Settle(t); t.Status != nil && height > 1 {
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
	lines = cutTo(s.Theme, lines, room, width) // each is as wide as it should be
	for len(lines) < room {
		lines = append(lines, strings.Repeat(" ", width))
	}
	for _, line := range status {
		lines = append(lines, ExactLine(line, width))
	}
	return strings.Join(lines, "\n")
}

// Lines draws the headings and the rows in sight, in at most height lines of
// width cells. Without a cursor, nil, it begins at the first row.
func (t *Table) Lines(s Look, c *Cursor, width, height int, focused bool) []string {
	still := c == nil
	if still {
		c = &Cursor{}
	}
	c.Settle(t)
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
	case last < t.Rows && !headed && c.Shown > 0: // no line is left to say it
		lines[len(lines)-1] = Ending(lines[len(lines)-1], &s.Key, "↓", width)
	}
	if t.Sum != nil {
		lines = append(lines, d.row(t.Sum, -1, false, false))
	}
	return lines
}

// headed reports whether a line of headings, or a banner, stands above the rows.
func (t *Table) headed(width int) bool {
	for i := range t.Columns {
		if t.Columns[i].Head != "" {
			return true
		}
	}
	return t.Sideways != nil || t.Banner != nil && t.Banner(width) != ""
}

// Within joins lines in a space of so many, each of width cells; where not all fit the
// last one says so.
func Within(theme *Theme, lines []string, width, height int) string {
	lines = cutTo(theme, slices.Clone(lines), height, width)
	return strings.Join(lines, "\n")
}

// cutTo returns the lines that fit, the last of them with a mark where others do not.
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
