package inspect

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Duplicates counts records that equal an earlier one.
type Duplicates struct {
	Entire int // in all variables
	Rest   int // in all but direct identifiers and variables with a value of its own for each record
	Apart  int // such variables
}

// duplicates finds records that are equal, missing cells being equal to each other.
// Rows are sorted by a mark made of their cells, and those with the same mark
// compared cell by cell.
func duplicates(ctx context.Context, data *microdata.Dataset, identifying func(variable int) bool) (Duplicates, error) {
	var rest, apart []*microdata.Column
	for i, column := range data.Columns() {
		if identifying(i) {
			apart = append(apart, column)
		} else {
			rest = append(rest, column)
		}
	}
	found := Duplicates{Apart: len(apart)}
	if len(rest) == 0 {
		rest, apart = apart, nil
	}
	rows, err := marked(ctx, data.Len(), rest)
	if err != nil {
		return found, err
	}
	for _, equals := range alike(rows, rest) {
		found.Rest += len(equals) - 1
		for i := range equals {
			equals[i].mark = 0
			for _, column := range apart {
				mark(equals[i:i+1], column, int(equals[i].row))
			}
		}
		for _, entire := range alike(equals, apart) {
			found.Entire += len(entire) - 1
		}
	}
	if multiplicity := data.Multiplicity(); multiplicity != nil {
		more := data.Records() - data.Len() // rows stand for equal records
		found.Rest, found.Entire = found.Rest+more, found.Entire+more
	}
	return found, ctx.Err()
}

// markedRow is a row with the mark of its cells.
type markedRow struct {
	mark uint64
	row  uint32
}

// marked returns the rows whose mark another row shares, or may share.
func marked(ctx context.Context, rows int, columns []*microdata.Column) ([]markedRow, error) {
	marks := make([]markedRow, rows)
	workers := parallel.Workers(rows, runtime.GOMAXPROCS(0))
	err := parallel.Blocks(ctx, rows, workers, func(_, from, to int) {
		for i := from; i < to; i++ {
			marks[i].row = uint32(i)
		}
		for _, column := range columns {
			mark(marks[from:to], column, from)
		}
	})
	if err != nil {
		return nil, err
	}
	return shared(marks), nil
}

// shared leaves out rows whose mark surely no other has: most, so that few are to be
// sorted.
func shared(marks []markedRow) []markedRow {
	width := 10
	for 1<<width < 16*len(marks) {
		width++
	}
	once, twice := microdata.NewBits(1<<width), microdata.NewBits(1<<width)
	for _, m := range marks {
		place := int(m.mark >> (64 - width))
		if once.Has(place) {
			twice.Set(place)
		}
		once.Set(place)
	}
	return slices.DeleteFunc(marks, func(m markedRow) bool { return !twice.Has(int(m.mark >> (64 - width))) })
}

// mark adds the cells of a column to the marks of the rows from on.
func mark(marks []markedRow, column *microdata.Column, from int) {
	if numbers := column.StoredAsNumbers(); numbers != nil {
		for i, x := range numbers.Values[from : from+len(marks)] {
			marks[i].mark = mixed(marks[i].mark, bitsOf(x))
		}
		return
	}
	codes := column.Categories().Codes
	for i := range marks {
		marks[i].mark = mixed(marks[i].mark, uint64(codes.At(from+i)))
	}
}

// bitsOf stands for a number: one for all missing cells, and for both zeros.
func bitsOf(x float64) uint64 {
	if x != x {
		return math.MaxUint64
	}
	if x == 0 {
		return 0
	}
	return math.Float64bits(x)
}

// mixed spreads what comes in over all bits: the steps of splitmix64 (Steele, Lea and
// Flood 2014).
func mixed(mark, cell uint64) uint64 {
	z := mark*0x9E3779B97F4A7C15 + cell + 0x632BE59BD9B4E019
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// alike parts rows into those that are equal in all columns, of which the marks were
// made. It sorts the rows.
func alike(rows []markedRow, columns []*microdata.Column) [][]markedRow {
	slices.SortFunc(rows, func(a, b markedRow) int {
		return cmp.Or(cmp.Compare(a.mark, b.mark), cmp.Compare(a.row, b.row))
	})
	var all [][]markedRow
	first := 0 // of the parts with the mark
	for i, row := range rows {
		if i > 0 && rows[i-1].mark != row.mark {
			first = len(all)
		}
		at := slices.IndexFunc(all[first:],
			func(part []markedRow) bool { return equal(int(part[0].row), int(row.row), columns) })
		if at < 0 {
			at, all = len(all)-first, append(all, nil)
		}
		all[first+at] = append(all[first+at], row)
	}
	return all
}

func equal(a, b int, columns []*microdata.Column) bool {
	for _, column := range columns {
		if numbers := column.StoredAsNumbers(); numbers != nil {
			if bitsOf(numbers.Values[a]) != bitsOf(numbers.Values[b]) {
				return false
			}
		} else if codes := column.Categories().Codes; codes.At(a) != codes.At(b) {
			return false
		}
	}
	return true
}
