package draw

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// drawing is a table in one frame: the cells of its rows, and its columns with their final widths.
type drawing struct {
	s      Look
	t      *Table
	c      *Cursor
	width  int
	from   int      // the first row in cells
	cells  [][]Cell // of the visible rows, or of all
	fields []Column // the columns, then the visible scrolling columns
	pairs  []PairSize
	whole  bool // all scrolling columns fit with whole heads
}

// steady is the number of rows up to which a table measures all of them for the width of its columns, so that it
// keeps its shape while it scrolls.
const steady = 64

func (t *Table) drawing(s Look, c *Cursor, width int) *drawing {
	d := &drawing{s: s, t: t, c: c, width: width, from: c.First}
	last := c.First + c.Shown
	if t.Rows <= steady {
		d.from, last = 0, t.Rows
	}
	d.cells = make([][]Cell, last-d.from)
	for i := range d.cells {
		d.cells[i] = t.Row(d.from + i)
	}
	for i := range t.Columns {
		switch t.Columns[i].Kind {
		case Tenths:
			alignPoints(d.cells, i)
		case Percents:
			d.spellPercents(i)
		case Words, Values, Counts, Pairs, Bars:
		}
	}
	d.fit(width - max(1, t.Indent) - 1)
	return d
}

// alignPoints appends a decimal to the integers of a column if other numbers have decimals, or spaces to numbers
// that are too large to have any.
func alignPoints(rows [][]Cell, column int) {
	if !slices.ContainsFunc(rows, func(cells []Cell) bool { return strings.Contains(cells[column].Text, ".") }) {
		return
	}
	for _, cells := range rows {
		switch text := &cells[column].Text; {
		case strings.Contains(*text, ","):
			*text += "  "
		case !strings.Contains(*text, ".") && *text != "–":
			*text += ".0"
		}
	}
}

// fit determines the width of each column. Before columns of rank 1 or 2 are dropped, or a bar gets fewer than six
// cells, it drops originals of pairs that yield.
func (d *drawing) fit(room int) {
	const leastBar = 6
	t, content := d.t, d.measured()
	bar := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Kind == Bars && c.Size == 0 })
	for _, originals := range []bool{true, false} {
		d.size(content, originals)
		enough := bar < 0 || taken(d.fields, func(f Column) int { return f.Size })+1+leastBar <= room
		arrange(d.fields, room-d.reserved(bar, room))
		dropped := slices.ContainsFunc(d.fields, func(f Column) bool { return f.Size == 0 && (f.Rank == 1 || f.Rank == 2) })
		if enough && !dropped {
			break
		}
	}
	switch {
	case t.Sideways != nil:
		d.scroll(room)
	case bar >= 0:
		if rest := room - taken(d.fields, func(f Column) int { return f.Size }) - 1; rest >= 3 {
			d.fields[bar].Size = rest
		}
	case !t.Close && !slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Kind == Bars }):
		spread(d.fields, room)
	}
}

// reserved returns the cells that columns have to leave to a bar: none if there is no bar, or if
// they could not without being dropped.
func (d *drawing) reserved(bar, room int) int {
	const least = 4
	needed := taken(d.fields, func(f Column) int {
		if f.Least > 0 {
			return min(f.Least, f.Size)
		}
		return f.Size
	})
	if bar < 0 || needed+1+least > room {
		return 0
	}
	return 1 + least
}

// measured returns the width of the cells of each column.
func (d *drawing) measured() []PairSize {
	sizes := make([]PairSize, len(d.t.Columns))
	grow := func(cells []Cell) {
		if len(cells) < len(sizes) {
			return
		}
		for i := range sizes {
			column, cell := &d.t.Columns[i], &cells[i]
			if column.Most > 0 && column.Most == column.Size || column.Kind == Bars {
				continue // its width does not depend on its content
			}
			sizes[i].Grow(Pair{Label(cell.Text), cell.Was})
			if cell.Tail != "" {
				sizes[i].Now = max(sizes[i].Now, Width(Label(cell.Text))+Width(cell.Tail)+1)
			}
		}
	}
	for _, cells := range d.cells {
		grow(cells)
	}
	grow(d.t.Sum)
	return sizes
}

// size sets columns to their preferred width, with or without the originals of pairs that yield.
func (d *drawing) size(content []PairSize, originals bool) {
	d.fields, d.pairs = make([]Column, len(content)), slices.Clone(content)
	for i := range d.fields {
		c := &d.t.Columns[i]
		if c.Yields && !originals {
			d.pairs[i].Original = 0
		}
		f := *c
		f.Size = max(c.Size, d.pairs[i].Size(), Width(f.Head))
		if most := c.Most; most > 0 {
			f.Size = min(f.Size, most)
		} else if c.Kind == Words {
			f.Size = min(f.Size, max(Widest, c.Size))
		}
		d.fields[i] = f
	}
}

// scroll adds the visible scrolling columns, including the one under the cursor.
func (d *drawing) scroll(room int) {
	w, c := d.t.Sideways, d.c
	c.Left = max(0, min(c.Left, c.Column))
	space, need := room-taken(d.fields, func(f Column) int { return f.Size }), 0
	d.whole = d.headsFit(space)
	// The width of the columns up to the one under the cursor determines how far the table scrolls.
	for i := c.Column; i >= c.Left; i-- {
		if need += d.sideways(i).Size + 1; need > space {
			c.Left = min(i+1, c.Column)
			break
		}
	}
	c.ends = c.ends[:0]
	end := 1
	for _, f := range d.fields {
		end += f.Size + 1
	}
	c.ends = append(c.ends, end)
	for i := c.Left; i < w.Columns; i++ {
		column := d.sideways(i)
		size := min(column.Size, space-1)
		least := min(column.Size, column.Least)
		if column.right() {
			least = column.Size // a figure is never cut
		}
		if size < 1 || size < least && i > c.Left {
			break
		}
		f := Column{Head: column.Head, Kind: column.Kind, Size: size, Style: column.Style}
		if i == c.Column && !w.Shaded {
			f.Style = &d.s.Title
		}
		d.fields = append(d.fields, f)
		space -= size + 1
		end += size + 1
		c.ends = append(c.ends, end)
	}
}

// headsFit reports whether all scrolling columns fit with whole heads.
func (d *drawing) headsFit(space int) bool {
	w := d.t.Sideways
	for i := 0; i < w.Columns && space >= 0; i++ {
		column := w.Column(i)
		space -= column.headed() + 1
	}
	return space >= 0 && w.Widen == nil && !w.Shaded
}

// headed returns the width of a column with its whole head.
func (c *Column) headed() int { return max(c.Size, min(Widest, Width(Label(c.Head)))) }

// sideways returns a scrolling column, as wide as the visible cells need.
func (d *drawing) sideways(i int) Column {
	w := d.t.Sideways
	column := w.Column(i)
	if d.whole {
		column.Size = column.headed()
	}
	if w.Widen == nil {
		return column
	}
	size := 1
	for row := d.c.First; row < d.c.First+d.c.Shown; row++ {
		size = max(size, Width(Label(w.Cell(row, i).Text)))
	}
	column.Size = max(column.Size, w.Widen(i, size))
	return column
}

// head draws the headings or the banner. Its last cell marks that figures are being recomputed, that there are
// columns to the right, or, if no line is left for it, rows below.
func (d *drawing) head(cut bool) string {
	if d.t.Banner != nil {
		if text := d.t.Banner(d.width); text != "" {
			return ExactLine(text, d.width)
		}
	}
	theme, indent := d.s.Theme, max(1, d.t.Indent)
	l := NewLine(d.width, nil)
	l.Left(&theme.Heading, "", indent)
	for i, f := range d.fields {
		if f.Size == 0 {
			continue
		}
		switch {
		case i == len(d.t.Columns) && d.c.Left > 0:
			l.Left(&theme.Heading, "‹", 1)
		case i > 0 && l.used > indent:
			l.Left(&theme.Heading, "", 1)
		}
		style := &theme.Heading
		if f.Style != nil {
			style = f.Style
		}
		if f.right() {
			l.Right(style, f.Head, f.Size)
		} else {
			l.Left(style, f.Head, f.Size)
		}
	}
	if d.s.Stale {
		return Ending(l.String(), &theme.Warning, StaleMark, d.width)
	}
	mark, style := "", &theme.Heading
	if cut {
		mark, style = "↓", &theme.Key
	}
	if sideways := d.t.Sideways; sideways != nil && d.c.Left+len(d.fields)-len(d.t.Columns) < sideways.Columns {
		mark += "›"
	}
	if mark == "" {
		return l.String()
	}
	return Ending(l.String(), style, mark, d.width)
}

// row draws one line.
func (d *drawing) row(cells []Cell, row int, chosen, focused bool) string {
	t, theme := d.t, d.s.Theme
	if len(cells) == 1 && cells[0].Drawn {
		line := ExactLine(cells[0].Text, d.width)
		if chosen {
			line = theme.Strong.Render("▸") + ansi.TruncateLeft(line, 1, "")
		}
		return line
	}
	over := cursor(theme, chosen && (focused || t.Follows), focused)
	sideways := t.Sideways
	switch {
	case t.Colours:
		over = nil
	case sideways == nil || over == nil:
	case sideways.Shaded:
		over = nil
	default:
		over = &theme.SelectedIdle
	}
	l := NewLine(d.width, over)
	marked := chosen
	if t.Marked != nil {
		marked = row >= 0 && t.Marked(row)
	}
	l.mark(&theme.Strong, marked)
	l.Gap(t.Indent - 1)
	if len(cells) == 1 && len(t.Columns) > 1 {
		l.Text(plainly(theme, cells[0].Style), Shortened(cells[0].Text))
		return l.String()
	}
	for i, first := 0, true; i < len(t.Columns); i++ {
		if d.fields[i].Size == 0 {
			continue
		}
		if !first {
			l.Gap(1)
		}
		first = false
		d.cell(l, i, &cells[i])
	}
	for i := len(t.Columns); i < len(d.fields); i++ {
		column := d.c.Left + i - len(t.Columns)
		cell := sideways.Cell(row, column)
		if sideways.Shaded {
			l.Left(&theme.Plain, "", 1) // no shade between two cells
		} else {
			l.Gap(1)
		}
		if chosen && (focused || sideways.Shaded) && column == d.c.Column {
			l.over = cursor(theme, true, focused)
		}
		d.cell(l, i, &cell)
		l.over = over
	}
	if sideways != nil && sideways.Shaded {
		l.Left(&theme.Plain, "", 1)
	}
	return l.String()
}

// cell appends the content of a column.
func (d *drawing) cell(l *Line, i int, cell *Cell) {
	f, theme := d.fields[i], d.s.Theme
	style := plainly(theme, cell.Style)
	if f.Kind >= Counts {
		style = d.s.Fresh(style)
	}
	switch f.Kind {
	case Words:
		text := cell.Text
		if cell.Short != "" && Width(text) > f.Size {
			text = cell.Short
		}
		if cell.Tail != "" {
			text = Fit(text, f.Size-Width(cell.Tail)) + cell.Tail
		}
		l.Left(style, text, f.Size)
	case Pairs:
		l.Gap(f.Size - d.pairs[i].Size())
		l.Pair(theme, style, Pair{cell.Text, cell.Was}, d.pairs[i])
	case Bars:
		l.bar(theme, style, cell.Share, cell.Had, f.Size)
	default:
		text := cell.Text
		if cell.Short != "" && Width(text) > f.Size {
			text = cell.Short
		}
		l.Number(style, text, f.Size)
	}
}

func plainly(theme *Theme, style *Style) *Style {
	if style == nil {
		return &theme.Plain
	}
	return style
}
