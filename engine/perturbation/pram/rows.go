package pram

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// rowTolerance is the tolerance of the sum of a row.
const rowTolerance = 1e-9

// Rows is a user-defined matrix: a row of probabilities for each category before, with a column for each category
// after. As text, rows are separated by semicolons.
type Rows [][]float64

// String returns the rows as they are typed: "0.9 0.1; 0.2 0.8".
func (r Rows) String() string {
	return wording.Joined(r, "; ", func(row []float64) string {
		return wording.Joined(row, " ", func(p float64) string { return strconv.FormatFloat(p, 'g', -1, 64) })
	})
}

// Set parses the output of String. Shape and sums are checked when the matrix is used.
func (r *Rows) Set(text string) error {
	if strings.TrimSpace(text) == "" {
		*r = nil
		return nil
	}
	var rows Rows
	for i, line := range strings.Split(text, ";") {
		var row []float64
		for _, word := range strings.FieldsFunc(line, func(c rune) bool { return c == ' ' || c == ',' || c == '\t' }) {
			p, err := strconv.ParseFloat(word, 64)
			if err != nil || math.IsNaN(p) || math.IsInf(p, 0) {
				return fmt.Errorf("row %d, column %d is not a number; write rows such as 0.9 0.1; 0.2 0.8", i+1, len(row)+1)
			}
			row = append(row, p)
		}
		rows = append(rows, row)
	}
	*r = rows
	return nil
}

// Check reports a matrix that is not square, has cells outside [0, 1], or has a row that does not sum to 1 within
// 1e-9. labels names the rows; nil: they are numbered.
func (r Rows) Check(labels []string) error {
	for i, row := range r {
		if len(row) != len(r) {
			return method.ParamError("\"matrix\": row %s has %d cells; a matrix of %d rows needs %d in each",
				rowName(labels, i), len(row), len(r), len(r))
		}
		sum := 0.0
		for j, p := range row {
			if !(p >= 0 && p <= 1) {
				return method.ParamError("\"matrix\": row %s, column %s is %v; a probability is between 0 and 1",
					rowName(labels, i), rowName(labels, j), p)
			}
			sum += p
		}
		if math.Abs(sum-1) > rowTolerance {
			return method.ParamError("\"matrix\": row %s sums to %s; each row must sum to 1", rowName(labels, i),
				strconv.FormatFloat(sum, 'g', 10, 64))
		}
	}
	return nil
}

func rowName(labels []string, i int) string {
	if i < len(labels) {
		return strconv.Quote(labels[i])
	}
	return strconv.Itoa(i + 1)
}

// Pairs are transitions between two categories that are forbidden in both directions. As text, a pair is two
// labels separated by " / ", and pairs are separated by semicolons; labels with these characters are in double
// quotes.
type Pairs [][2]string

// String returns the pairs as they are typed: "married / single; a / b".
func (p Pairs) String() string {
	return wording.Joined(p, "; ", func(pair [2]string) string {
		return notation.Quote(pair[0], ";/") + " / " + notation.Quote(pair[1], ";/")
	})
}

// Set parses the output of String.
func (p *Pairs) Set(text string) error {
	var pairs Pairs
	rows, ok := notation.Rows(text, '/', ';')
	if !ok {
		return fmt.Errorf("pair %d has a quote that is opened and not closed, or text behind one", len(rows)+1)
	}
	for i, row := range rows {
		switch {
		case len(row) == 2:
			pairs = append(pairs, [2]string(row))
		case row != nil:
			return fmt.Errorf("pair %d needs two categories: write married / single; child / widowed", i+1)
		}
	}
	*p = pairs
	return nil
}

// Has reports whether the transition between two categories is forbidden.
func (p Pairs) Has(a, b string) bool {
	return slices.Contains(p, [2]string{a, b}) || slices.Contains(p, [2]string{b, a})
}
