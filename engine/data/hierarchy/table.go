// Package hierarchy reads and checks hierarchies: tables of codes with their coarser levels.
//
//	table, err := hierarchy.Read([]byte("01;North;all\n02;South;all\n"))
package hierarchy

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
)

// Table is a hierarchy of the codes of a variable: each row begins with a
// code and goes on with its coarser levels, the finer first. All rows have the
// same number of cells; an empty coarser cell makes the code missing there. In
// scripts it is a list of lists: [["01","North","all"],["02","South","all"]].
type Table [][]string

// ErrTable is wrapped by errors of reading a level table.
var ErrTable = errors.New("the table of levels")

// Read reads a level table from the bytes of a CSV file without a
// header, as ARX writes its hierarchies too: one line per code, first the code,
// then its coarser levels. Cells are parted by semicolons, commas or tabs,
// whichever the first line has most of; they may be quoted; blanks around them
// and empty lines are left out. A line for a heading does no harm: it is a code
// that no record has. Errors wrap ErrTable and name the line.
func Read(text []byte) (Table, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("%w is not UTF-8 text: save it as UTF-8", ErrTable)
	}
	table, err := parseRows(string(text), cellMark(string(text)), '\n', "line")
	if err != nil {
		return nil, err
	}
	if len(table) == 0 {
		return nil, fmt.Errorf("%w is empty: it needs one line per code, with the code and its coarser levels",
			ErrTable)
	}
	return table, nil
}

// Taking returns a function that takes the table of a file, given as a text, unless there is one, so that steps are
// written in one form. A text that is no table stays, and is an error where it is used.
func (t *Table) Taking(text *string) func(given func(name string) bool) {
	return func(func(name string) bool) {
		if table, err := Read([]byte(*text)); err == nil && len(*t) == 0 {
			*t, *text = table, ""
		}
	}
}

// Or returns the table, or that of a parameter "table" which is the text of a file; "": there is none.
func (t Table) Or(text string) (Table, error) {
	if text == "" {
		return t, nil
	}
	table, err := Read([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("\"table\": %w", err)
	}
	return table, nil
}

// cellMark returns what parts the cells of the first line that is not empty.
func cellMark(text string) rune {
	first, _, _ := strings.Cut(strings.TrimLeft(text, "\r\n \t"), "\n")
	best, most := ';', 1
	for _, mark := range ";,\t" {
		if rows, _ := notation.Rows(first, mark, '\n'); len(rows) > 0 && len(rows[0]) > most {
			best, most = mark, len(rows[0])
		}
	}
	return best
}

// String returns the table in one line: cells parted by commas, rows by
// semicolons, cells with such marks in quotes.
func (t *Table) String() string {
	return wording.Joined(*t, "; ", func(row []string) string {
		return wording.Joined(row, ", ", func(cell string) string { return notation.Quote(cell, ",;") })
	})
}

// Set reads what String gives; "" is no table.
func (t *Table) Set(text string) error {
	table, err := parseRows(text, ',', ';', "row")
	if err == nil {
		*t = table
	}
	return err
}

// parseRows reads rows of cells. unit is what the rows are called in errors.
func parseRows(text string, cell, end rune, unit string) (Table, error) {
	var table Table
	rows, ok := notation.Rows(text, cell, end)
	for i, row := range rows {
		switch {
		case row == nil:
			continue
		case len(row) == 1:
			return nil, fmt.Errorf("%w, %s %d: the code has no coarser level; write the code, its coarser level, and so on", ErrTable, unit, i+1)
		case len(table) > 0 && len(row) != len(table[0]):
			return nil, fmt.Errorf("%w, %s %d: %s, but the first has %d", ErrTable, unit, i+1,
				wording.Counted(len(row), "cell"), len(table[0]))
		}
		table = append(table, row)
	}
	if !ok {
		return nil, fmt.Errorf("%w, %s %d: a quote is not closed, or text follows a closing quote",
			ErrTable, unit, len(rows)+1)
	}
	return table, nil
}

// Check reports rows that make no table, and a depth that it does not have.
func (t Table) Check(depth int) error {
	rows := make(map[string]int, len(t))
	for i, row := range t {
		switch {
		case len(row) < 2:
			return fmt.Errorf("\"levels\": row %d needs a code and at least one coarser level", i+1)
		case len(row) != len(t[0]):
			return fmt.Errorf("\"levels\": row %d has %s, the first row %d", i+1,
				wording.Counted(len(row), "cell"), len(t[0]))
		case row[0] == "":
			return fmt.Errorf("\"levels\": row %d begins with an empty code", i+1)
		}
		if depth >= 1 && depth < len(row) {
			if strings.ContainsFunc(row[depth], breaksLines) {
				return fmt.Errorf("\"levels\": a label contains a control character, such as a tab or a line break; remove it")
			}
			if first, twice := rows[row[0]]; twice && t[first][depth] != row[depth] {
				return fmt.Errorf("\"levels\": rows %d and %d have different levels for code %q",
					first+1, i+1, wording.Excerpt(row[0]))
			}
		}
		rows[row[0]] = i
	}
	if most := len(t[0]) - 1; depth < 1 || depth > most {
		return fmt.Errorf("\"depth\" is %d; the table has levels 1 to %d", depth, most)
	}
	return nil
}

// breaksLines reports whether a character would break lines of files and of the screen.
func breaksLines(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }

// Nested reports a level that is parted by a coarser one: what is one level must stay together in all coarser ones.
// The table passed Check.
func (t Table) Nested() error {
	type level struct {
		depth int
		label string
	}
	coarser := map[level]string{}
	for i, row := range t {
		for depth := 2; depth < len(row); depth++ {
			below := level{depth, row[depth-1]}
			if below.label == "" {
				continue
			}
			if above, known := coarser[below]; known && above != row[depth] {
				return fmt.Errorf("row %d puts %q into %q, an earlier row into %q; codes that share a level must share every coarser level", i+1, wording.Excerpt(below.label),
					wording.Excerpt(row[depth]), wording.Excerpt(above))
			}
			coarser[below] = row[depth]
		}
	}
	return nil
}

// Rows returns the look-up of codes in the table; of a numeric variable codes are
// also found where they are spelled differently ("1.0" for 1).
func (t Table) Rows(numeric bool) func(microdata.Level) (row []string, ok bool) {
	byLabel := make(map[string][]string, len(t))
	byNumber := map[float64][]string{}
	for _, row := range t {
		byLabel[row[0]] = row
		if number := microdata.LabelNumber(row[0]); numeric && !math.IsNaN(number) {
			byNumber[number] = row
		}
	}
	return func(code microdata.Level) ([]string, bool) {
		row, ok := byLabel[code.Label]
		if !ok && numeric {
			row, ok = byNumber[code.Value]
		}
		return row, ok
	}
}
