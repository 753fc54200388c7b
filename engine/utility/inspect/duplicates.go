package inspect

import (
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Duplicates counts the records that are equal to an earlier one.
type Duplicates struct {
	Entire int `json:"all_variables"`
	Rest   int `json:"without_identifying_variables"` // equal in all variables except direct identifiers and variables that are unique in each record
	Apart  int `json:"-"`                             // number of these variables
}

// duplicates counts equal records. Missing cells are equal to each other.
func duplicates(ctx context.Context, data *microdata.Dataset, identifying func(variable int) bool) (Duplicates, error) {
	var rest []*microdata.Column
	for i, column := range data.Columns() {
		if !identifying(i) {
			rest = append(rest, column)
		}
	}
	found := Duplicates{Apart: len(data.Columns()) - len(rest)}
	var err error
	if found.Entire, err = repeats(ctx, data.Len(), data.Columns()); err != nil {
		return found, err
	}
	if found.Rest = found.Entire; found.Apart > 0 && len(rest) > 0 {
		found.Rest, err = repeats(ctx, data.Len(), rest)
	}
	if multiplicity := data.Multiplicity(); multiplicity != nil {
		more := data.Records() - data.Len() // records beyond one per row are duplicates
		found.Rest, found.Entire = found.Rest+more, found.Entire+more
	}
	return found, err
}

// repeats counts the rows that equal an earlier one in all columns. Rows are found by a hash of their cells and
// compared cell by cell. Memory is proportional to the number of distinct rows whose hash occurs more than once;
// two bits per row identify the candidates.
func repeats(ctx context.Context, rows int, columns []*microdata.Column) (count int, err error) {
	width := 10
	for 1<<width < 8*rows {
		width++
	}
	place := func(mark uint64) int { return int(mark >> (64 - width)) }
	once, twice := microdata.NewBits(1<<width), microdata.NewBits(1<<width)
	err = eachMark(ctx, rows, columns, func(_ int, mark uint64) {
		if at := place(mark); once.Has(at) {
			twice.Set(at)
		} else {
			once.Set(at)
		}
	})
	if err != nil {
		return 0, err
	}
	first, others := map[uint64]uint32{}, map[uint64][]uint32{} // distinct rows by hash; those after the first are very rare
	err = eachMark(ctx, rows, columns, func(row int, mark uint64) {
		if !twice.Has(place(mark)) {
			return
		}
		like, ok := first[mark]
		switch {
		case !ok:
			first[mark] = uint32(row)
		case equal(int(like), row, columns) ||
			slices.ContainsFunc(others[mark], func(other uint32) bool { return equal(int(other), row, columns) }):
			count++
		default:
			others[mark] = append(others[mark], uint32(row))
		}
	})
	return count, err
}

// eachMark calls visit for every row in turn with the hash of its cells.
func eachMark(ctx context.Context, rows int, columns []*microdata.Column, visit func(row int, mark uint64)) error {
	workers := runtime.GOMAXPROCS(0)
	marks := make([]uint64, min(rows, 4*workers*parallel.Block))
	for from := 0; from < rows; from += len(marks) {
		part := marks[:min(len(marks), rows-from)]
		clear(part)
		err := parallel.Blocks(ctx, len(part), parallel.Workers(len(part), workers), func(_, start, end int) {
			for _, column := range columns {
				mark(part[start:end], column, from+start)
			}
		})
		if err != nil {
			return err
		}
		for i, mark := range part {
			visit(from+i, mark)
		}
	}
	return nil
}

// mark adds the cells of a column to the hashes of the rows starting at from.
func mark(marks []uint64, column *microdata.Column, from int) {
	if numbers := column.StoredAsNumbers(); numbers != nil {
		for i, x := range numbers.Values[from : from+len(marks)] {
			marks[i] = mixed(marks[i], bitsOf(x))
		}
		return
	}
	codes := column.Categories().Codes
	for i := range marks {
		marks[i] = mixed(marks[i], uint64(codes.At(from+i)))
	}
}

// bitsOf returns the bits of a number. All missing cells have the same bits, and so have both zeros.
func bitsOf(x float64) uint64 {
	if x != x {
		return math.MaxUint64
	}
	if x == 0 {
		return 0
	}
	return math.Float64bits(x)
}

// mixed adds a cell to a hash with the mixing steps of splitmix64 (Steele, Lea and Flood 2014).
func mixed(mark, cell uint64) uint64 {
	z := mark*0x9E3779B97F4A7C15 + cell + 0x632BE59BD9B4E019
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
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
