package draw

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// numbered returns a table whose rows and scrolling columns show their numbers.
func numbered(rows, columns int, asked func(row int)) Table {
	t := Table{
		Columns: []Column{{Head: "row", Kind: Values, Size: 9, Most: 9}},
		Rows:    rows,
		Row: func(row int) []Cell {
			asked(row)
			return []Cell{{Text: strconv.Itoa(row)}}
		},
		Choose: func(row int) Action { return chosen{row} },
		Open:   func(row int) Action { return opened{row} },
	}
	if columns > 0 {
		t.Sideways = &ColumnScroll{Columns: columns,
			Column: func(i int) Column { return Column{Head: "c" + strconv.Itoa(i), Size: 2 + i%7, Least: 3} },
			Cell:   func(_, i int) Cell { return Cell{Text: strconv.Itoa(i)} }}
	}
	return t
}

// chosen and opened are the actions of choosing and opening a row.
type (
	chosen struct{ row int }
	opened struct{ row int }
)

// pressed returns the key press of an arrow or a letter.
func pressed(name string) tea.KeyPressMsg {
	codes := map[string]rune{"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"home": tea.KeyHome,
		"end":  tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "enter": tea.KeyEnter}
	if code, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: rune(name[0]), Text: name}
}

// unstyled returns lines without styles and trailing spaces.
func unstyled(lines []string) []string {
	for i := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(lines[i]), " ")
	}
	return lines
}

// rowsOn returns the numbers of the rows of a drawn table, and the number of further rows at its end mark, or -1.
func rowsOn(t *rapid.T, lines []string) (rows []int, more int) {
	more = -1
	for _, line := range lines[1:] {
		text := strings.TrimLeft(line, " ▸")
		if after, ok := strings.CutPrefix(text, "↓ "); ok {
			more, _ = strconv.Atoi(strings.ReplaceAll(strings.Fields(after)[0], ",", ""))
			continue
		}
		row, err := strconv.Atoi(strings.Fields(text)[0])
		if err != nil {
			t.Fatalf("%q is no row", line)
		}
		rows = append(rows, row)
	}
	return rows, more
}

// Wherever the cursor goes, its row is visible, rows are consecutive, those below are counted, and only visible
// ones are requested. A click on a line selects its row.
func TestTableShowsTheCursorAndCountsTheRest(t *testing.T) {
	s := Look{Theme: NewTheme(true, false)}
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.OneOf(rapid.IntRange(1, 20), rapid.IntRange(65, 2_000_000)).Draw(t, "rows")
		var c Cursor
		for range 12 {
			asked := map[int]bool{}
			table := numbered(rows, 0, func(row int) { asked[row] = true })
			name := rapid.SampledFrom([]string{"up", "down", "pgdown", "pgup", "end", "home"}).Draw(t, "key")
			c.Key(pressed(name), &table)
			height := rapid.IntRange(2, 12).Draw(t, "height")
			lines := unstyled(table.Lines(s, &c, 20, height, true))
			shown, more := rowsOn(t, lines)
			last := shown[len(shown)-1]
			if c.At < shown[0] || c.At > last || last-shown[0]+1 != len(shown) {
				t.Fatalf("the cursor is on %d, rows %v", c.At, shown)
			}
			if len(lines) > height || rows > steady && len(asked) > height {
				t.Fatalf("%d lines and %d rows in a height of %d", len(lines), len(asked), height)
			}
			switch below := rows - 1 - last; {
			case height < 4:
				if marked := strings.HasSuffix(lines[0], "↓"); marked != (below > 0) {
					t.Fatalf("%d rows below, the headings end %q", below, lines[0])
				}
			case below > 0 && more != below, below == 0 && more != -1:
				t.Fatalf("%d rows below, the mark says %d", below, more)
			case below > 0:
				before := c
				if c.Click(0, len(lines)-1, &table); c.At == before.At {
					t.Fatal("a click on the mark goes nowhere")
				}
				c = before
			}
			line := rapid.IntRange(1, len(shown)).Draw(t, "line")
			var want Action = chosen{shown[line-1]}
			if shown[line-1] == c.At {
				want = opened{c.At}
			}
			if got := c.Click(3, line, &table); got != want {
				t.Fatalf("a click on the line of %d gives %v, the cursor was on %d", shown[line-1], got, c.At)
			}
		}
	})
}

// The column under the cursor is visible, hidden columns on either side are marked, and a click on a cell finds
// its column.
func TestTableScrollsSideways(t *testing.T) {
	s := Look{Theme: NewTheme(true, false)}
	rapid.Check(t, func(t *rapid.T) {
		columns, width := rapid.IntRange(1, 40).Draw(t, "columns"), rapid.IntRange(24, 120).Draw(t, "width")
		var c Cursor
		for range 10 {
			table := numbered(9, columns, func(int) {})
			c.Key(pressed(rapid.SampledFrom([]string{"left", "right", "down"}).Draw(t, "key")), &table)
			lines := unstyled(table.Lines(s, &c, width, 8, true))
			heads := strings.Fields(strings.NewReplacer("‹", " ", "›", " ").Replace(lines[0]))[1:]
			first, last := c.Left, c.Left+len(heads)-1
			if c.Column < first || c.Column > last {
				t.Fatalf("column %d is not among %v", c.Column, heads)
			}
			if strings.Contains(lines[0], "‹") != (first > 0) || strings.HasSuffix(lines[0], "›") != (last < columns-1) {
				t.Fatalf("columns %d to %d of %d under %q", first, last, columns, lines[0])
			}
			at := rapid.IntRange(first, last).Draw(t, "click")
			x := c.ends[at-first]
			if table.Rows > 1 && x < width {
				if c.Click(x, 1, &table); c.Column != at {
					t.Fatalf("a click at %d gives column %d, not %d: %q", x, c.Column, at, lines[0])
				}
			}
		}
	})
}

// If there is little room, originals of pairs are dropped first, then columns by rank; on the smallest screens words are cut, never figures.
// A scrolling column of figures is shown if it fits, while words can be cut at the right edge.
func TestScrollingFiguresAreWhole(t *testing.T) {
	for kind, want := range map[Kind]string{Words: "1 abcdef ab…", Values: "1 abcdef"} {
		table := Table{Columns: []Column{{Size: 1, Most: 1}}, Rows: 1, Row: func(int) []Cell { return []Cell{{Text: "1"}} },
			Sideways: &ColumnScroll{Columns: 2, Column: func(int) Column { return Column{Size: 6, Least: 3, Kind: kind} },
				Cell: func(int, int) Cell { return Cell{Text: "abcdef"} }}}
		lines := unstyled(table.Lines(Look{Theme: NewTheme(true, true)}, &Cursor{}, 14, 3, false))
		if got := strings.TrimLeft(lines[1], "▸ "); got != want {
			t.Errorf("kind %d: %q, not %q", kind, got, want)
		}
	}
}

// The heads of scrolling columns are whole if all columns then fit.
func TestWholeHeadsOfScrollingColumns(t *testing.T) {
	for width, want := range map[int]string{40: "secondary tertiary", 16: "seco… tert…"} {
		heads := []string{"secondary", "tertiary"}
		table := Table{Columns: []Column{{Size: 1, Most: 1}}, Rows: 1, Row: func(int) []Cell { return []Cell{{Text: "1"}} },
			Sideways: &ColumnScroll{Columns: 2, Column: func(i int) Column { return Column{Head: heads[i], Size: 5, Least: 3, Kind: Counts} },
				Cell: func(int, int) Cell { return Cell{Text: "1"} }}}
		lines := unstyled(table.Lines(Look{Theme: NewTheme(true, true)}, &Cursor{}, width, 3, false))
		if got := strings.Join(strings.Fields(lines[0]), " "); got != want {
			t.Errorf("%d cells: %q, not %q", width, got, want)
		}
	}
}

func TestTableGivesWayInOrder(t *testing.T) {
	s := Look{Theme: NewTheme(true, false)}
	table := Table{
		Columns: []Column{
			{Head: "variable", Least: 8},
			{Head: "smallest", Kind: Pairs, Yields: true},
			{Head: "suppressed", Kind: Counts, Rank: 1},
		},
		Rows: 1,
		Row: func(int) []Cell {
			return []Cell{{Text: "marital"}, {Text: "2,402", Was: "2,403"}, {Text: "4,711"}}
		},
	}
	for _, test := range []struct {
		width int
		want  string
	}{
		{40, " variable         smallest   suppressed|▸marital     2,402 (2,403)        4,711"},
		{34, " variable   smallest   suppressed|▸marital       2,402        4,711"},
		{30, " variable smallest suppressed|▸marital     2,402      4,711"},
		{25, " variable     smallest|▸marital         2,402"},
		{19, " variable smallest|▸marital     2,402"},
		{15, " var… smallest|▸mar…    2,402"},
	} {
		lines := unstyled(table.Lines(s, &Cursor{}, test.width, 2, true))
		if got := strings.Join(lines, "|"); got != test.want {
			t.Errorf("%d cells: %q, not %q", test.width, got, test.want)
		}
	}
}

// A short table has the same columns wherever it is scrolled.
func TestShortTableKeepsItsShape(t *testing.T) {
	s := Look{Theme: NewTheme(true, false)}
	table := Table{Columns: []Column{{Head: "name"}, {Head: "n", Kind: Counts}}, Rows: 30,
		Row: func(row int) []Cell {
			return []Cell{{Text: strings.Repeat("x", row%20)}, {Text: fmt.Sprint(1 << row)}}
		}}
	var c Cursor
	head := table.Lines(s, &c, 60, 6, true)[0]
	for c.At < 29 {
		c.At++
		if got := table.Lines(s, &c, 60, 6, true)[0]; got != head {
			t.Fatalf("row %d: %q, not %q", c.At, got, head)
		}
	}
}
