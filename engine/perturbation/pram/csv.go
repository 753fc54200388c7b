package pram

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// ErrMatrixFile is wrapped by all errors of reading a matrix from a file.
var ErrMatrixFile = errors.New("the file of the matrix")

// maxMatrixBytes is the maximum size of a matrix file.
const maxMatrixBytes = 64 << 20

// WriteCSV writes the matrices of a variable for publication: a line per category before, a column per category
// after, with exact probabilities. If there are strata, each line starts with their name, and each stratum has its
// own header, because categories can differ. If a condition left some records unchanged, a first line that starts
// with "# " says so.
func WriteCSV(w io.Writer, v *method.PRAMVariable) error {
	if note := Kept(v); note != "" {
		if _, err := fmt.Fprintf(w, "%s%s\n", noteMark, note); err != nil {
			return err
		}
	}
	out := csv.NewWriter(w)
	for i := range v.Strata {
		s := &v.Strata[i]
		var prefix []string
		if len(v.Strata) > 1 || s.Stratum != nil {
			prefix = []string{"stratum"}
		}
		if err := out.Write(append(append(prefix, v.Variable), s.Levels...)); err != nil {
			return err
		}
		for k, row := range s.Matrix {
			line := []string{s.Levels[k]}
			if prefix != nil {
				line = []string{s.Stratum.String(), s.Levels[k]}
			}
			for _, p := range row {
				line = append(line, strconv.FormatFloat(p, 'g', -1, 64))
			}
			if err := out.Write(line); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// noteMark starts comment lines before a matrix.
const noteMark = "# "

// Kept describes the records to which the matrix does not apply, or returns "" if it applies to all.
func Kept(v *method.PRAMVariable) string {
	if v.Condition == "" {
		return ""
	}
	return fmt.Sprintf("the matrix is of the records with %s (%s); the others keep their value of %s",
		v.Condition, wording.Number(v.Records), v.Variable)
}

// ReadCSV reads a matrix as written by WriteCSV without strata, with lines in any order, or a matrix of numbers
// only, for which levels is nil. Fields are separated by commas, semicolons or tabs. Errors wrap ErrMatrixFile and
// name the line.
func ReadCSV(r io.Reader) (levels []string, rows Rows, err error) {
	text, err := io.ReadAll(io.LimitReader(r, maxMatrixBytes+1))
	if err != nil {
		return nil, nil, err
	}
	if len(text) > maxMatrixBytes {
		return nil, nil, fmt.Errorf("%w is larger than %d MB", ErrMatrixFile, maxMatrixBytes>>20)
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	for bytes.HasPrefix(text, []byte(noteMark)) {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	lines, err := readLines(text)
	if err != nil {
		return nil, nil, err
	}
	if len(lines) == 0 {
		return nil, nil, fmt.Errorf("%w is empty", ErrMatrixFile)
	}
	if rows, err := numbersOf(lines, 0, 1); err == nil {
		return nil, rows, checkFile(nil, rows)
	}
	return labelled(lines)
}

func readLines(text []byte) ([][]string, error) {
	reader := csv.NewReader(bytes.NewReader(text))
	reader.FieldsPerRecord, reader.TrimLeadingSpace, reader.LazyQuotes = -1, true, true
	first, _, _ := bytes.Cut(text, []byte("\n"))
	for _, mark := range ",;\t" {
		if bytes.Count(first, []byte(string(mark))) > bytes.Count(first, []byte(string(reader.Comma))) {
			reader.Comma = mark
		}
	}
	lines, err := reader.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%w cannot be read as CSV", ErrMatrixFile)
	}
	return lines, nil
}

// numbersOf parses the fields from a column on as numbers. line is the number of the first line.
func numbersOf(lines [][]string, from, line int) (Rows, error) {
	rows := make(Rows, len(lines))
	for i, fields := range lines {
		for j := from; j < len(fields); j++ {
			p, err := strconv.ParseFloat(strings.TrimSpace(fields[j]), 64)
			if err != nil {
				return nil, fmt.Errorf("%w, line %d, column %d: not a number; use a decimal point", ErrMatrixFile, line+i, j+1)
			}
			rows[i] = append(rows[i], p)
		}
	}
	return rows, nil
}

// labelled parses a matrix whose first line and column are categories.
func labelled(lines [][]string) ([]string, Rows, error) {
	levels := lines[0][1:]
	rows, err := numbersOf(lines[1:], 1, 2)
	if err != nil {
		return nil, nil, err
	}
	if len(rows) != len(levels) {
		return nil, nil, fmt.Errorf("%w has %s and %s; a matrix has as many lines as columns, each named by a category",
			ErrMatrixFile,
			wording.Counted(len(rows), "line"), wording.Counted(len(levels), "column"))
	}
	place := placesOf(levels)
	ordered := make(Rows, len(levels))
	for i, fields := range lines[1:] {
		at, ok := place[fields[0]]
		if !ok || ordered[at] != nil {
			return nil, nil, fmt.Errorf("%w, line %d: its category is no column, or has a line already", ErrMatrixFile, i+2)
		}
		ordered[at] = rows[i]
	}
	return levels, ordered, checkFile(levels, ordered)
}

func checkFile(levels []string, rows Rows) error {
	if err := rows.Check(levels); err != nil {
		return fmt.Errorf("%w: %w", ErrMatrixFile, err)
	}
	return nil
}
