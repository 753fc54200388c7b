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

// Table is a hierarchy of the codes of a variable: each row holds a code followed by its levels, from fine to
// coarse. All rows have the same number of cells; an empty cell makes the code missing at that level. In scripts
// it is a list of lists: [["01","North","all"],["02","South","all"]].
type Table [][]string

// ErrTable is wrapped by the errors of Read and Set.
var ErrTable = errors.New("the table of levels")

// Read parses a hierarchy from a CSV file without a header, the format that ARX writes too: one line per code,
// with the code followed by its coarser levels. Cells are separated by semicolons, commas or tabs, whichever
// occurs most in the first line; they may be quoted. Spaces around cells and empty lines are ignored. A header
// line does no harm: it is a code that no record has. Errors wrap ErrTable and name the line.
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

// Taking returns a function that parses *text, the content of a file, into an empty table and clears the text, so
// that scripts record only one form. A text that cannot be parsed is kept and reported when it is used.
func (t *Table) Taking(text *string) func(given func(name string) bool) {
	return func(func(name string) bool) {
		if table, err := Read([]byte(*text)); err == nil && len(*t) == 0 {
			*t, *text = table, ""
		}
	}
}

// Or returns t, or the table parsed from the parameter "table", the text of a file, if text is not empty.
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

// cellMark returns the cell separator of the first line that is not empty.
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

// String returns the table in one line: cells separated by commas, rows by semicolons, and cells that contain
// either in quotes.
func (t *Table) String() string {
	return wording.Joined(*t, "; ", func(row []string) string {
		return wording.Joined(row, ", ", func(cell string) string { return notation.Quote(cell, ",;") })
	})
}

// Set parses the format of String; "" is the empty table.
func (t *Table) Set(text string) error {
	table, err := parseRows(text, ',', ';', "row")
	if err == nil {
		*t = table
	}
	return err
}

// parseRows parses rows of cells. Errors call a row by the given unit.
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

// Check returns an error if the rows do not form a table or the table has no level of this depth, counted from 1.
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

// breaksLines reports whether a character would break a line of a file or of the screen.
func breaksLines(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }

// Nested returns an error if codes that share a level do not share every coarser level. The table must have passed
// Check.
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

// Rows returns a function that looks up the row of a level. Codes of a numeric variable are also found by value
// ("1.0" for 1).
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
