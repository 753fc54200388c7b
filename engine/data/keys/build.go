package keys

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// MostVariables is the largest number of key variables.
const MostVariables = microdata.MostKeys

// mostRows is the largest number of rows.
const mostRows = math.MaxUint32 - 1

// Errors of New and Of.
var (
	ErrVariables = errors.New("the number of key variables must be 1 to 64")
	ErrLengths   = errors.New("key variables and weights must have the same number of records")
)

// New returns the key table of the columns, in their order, with the weights of the rows, or nil for weights of 1.
// Rows count with the multiplicity of the columns; their weights are sums over these records. A weight that is not
// a positive number is an error that wraps ErrWeight. New takes O(rows) time and keeps 4 bytes per row.
func New(ctx context.Context, columns []*microdata.Column, weights []float64) (*Table, error) {
	if len(columns) > MostVariables {
		return nil, fmt.Errorf("%w, not %d", ErrVariables, len(columns))
	}
	all := make([]*microdata.Categories, len(columns))
	for j, column := range columns {
		if column.Len() != columns[0].Len() {
			return nil, fmt.Errorf("%w: %s has %d, %s has %d", ErrLengths, columns[0].Name(), columns[0].Len(), column.Name(), column.Len())
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		all[j] = column.Categories()
	}
	return Of(ctx, all, weights)
}

// Of is New for the categories of columns of the same length.
func Of(ctx context.Context, all []*microdata.Categories, weights []float64) (*Table, error) {
	if len(all) < 1 || len(all) > MostVariables {
		return nil, fmt.Errorf("%w, not %d", ErrVariables, len(all))
	}
	n := all[0].Codes.Len()
	if n > mostRows || weights != nil && len(weights) != n {
		return nil, fmt.Errorf("%w: %d records, %d weights", ErrLengths, n, len(weights))
	}
	b := builder{rows: n, records: n, weights: weights, noun: "record"}
	levels := make([]int, len(all))
	for j, categories := range all {
		b.codes = append(b.codes, categories.Codes)
		levels[j] = len(categories.Levels)
	}
	b.layout = newLayout(levels)
	b.standFor(all[0].Multiplicity())
	return b.build(ctx)
}

// builder builds a table from rows.
type builder struct {
	layout  layout
	codes   []microdata.Codes
	counts  []int     // records that a row stands for; nil for 1 each
	weights []float64 // sums over the records of a row; nil for 1 per record
	rows    int
	records int
	noun    string // name of a row in errors
}

// standFor sets the multiplicity of the rows.
func (b *builder) standFor(counts []int) {
	if counts == nil {
		return
	}
	b.counts, b.records, b.noun = counts, 0, "group"
	for _, count := range counts {
		b.records += count
	}
}

func (b *builder) build(ctx context.Context) (*Table, error) {
	t := &Table{layout: b.layout, records: b.records, multiplicity: b.counts, scale: 1}
	err := b.number(ctx, t)
	if err == nil && b.weights != nil {
		t.scale, err = b.unitScale(ctx)
	}
	if err == nil {
		err = b.count(ctx, t)
	}
	if err != nil {
		return nil, err
	}
	return t.finish(), nil
}

// number numbers the keys of the rows and sets the codes of the keys.
func (b *builder) number(ctx context.Context, t *Table) error {
	if width := b.layout.bits[0]; b.layout.words() == 1 && width <= bitmapLimit(b.rows) {
		ids, set, err := numberBits(ctx, b.rows, width,
			func(dst []uint32, from int) { pack(&b.layout, 0, b.codes, dst, from) })
		if err != nil {
			return err
		}
		t.original, t.codes, t.counts = ids, set.codes(), make([]int, set.distinct)
		return nil
	}
	result, err := numberWords(ctx, b.rows, b.layout.bits, func(word int, dst []uint64, from int) {
		pack(&b.layout, word, b.codes, dst, from)
	})
	if err != nil {
		return err
	}
	t.original, t.codes, t.counts = result.ids, b.codesOf(result), make([]int, result.distinct)
	return nil
}

// codesOf returns the packed codes of the keys, each from one of its rows.
func (b *builder) codesOf(numbers numbering) []uint64 {
	example := make([]int, numbers.distinct)
	for row, key := range numbers.ids {
		example[key] = row
	}
	words := b.layout.words()
	codes := make([]uint64, words*numbers.distinct)
	for key, row := range example {
		for word := range words {
			pack(&b.layout, word, b.codes, codes[key*words+word:key*words+word+1], row)
		}
	}
	return codes
}

// count sums records and weights by key. Each worker has its own sums; sums of integers do not depend on how the
// rows are divided.
func (b *builder) count(ctx context.Context, t *Table) error {
	keys := t.Keys()
	// at most about 24 bytes per row for the workers' sums
	limit := max(1, min(runtime.GOMAXPROCS(0), 2*b.rows/max(keys, 1)))
	workers := parallel.Workers(b.rows, limit)
	counts, units := make([][]int, workers), make([][]int64, workers)
	for w := range workers {
		counts[w] = make([]int, keys)
		if b.weights != nil {
			units[w] = make([]int64, keys)
		}
	}
	err := parallel.Blocks(ctx, b.rows, workers, func(worker, from, to int) {
		sumCounts(counts[worker], t.original[from:to], b.counts, from)
		if b.weights != nil {
			sumUnits(units[worker], t.original[from:to], b.weights[from:to], t.scale)
		}
	})
	for w := 1; w < workers; w++ {
		for key, count := range counts[w] {
			counts[0][key] += count
		}
		for key, sum := range units[w] {
			units[0][key] += sum
		}
	}
	t.counts, t.units = counts[0], units[0]
	if b.weights == nil {
		t.units = make([]int64, keys)
		for key, count := range t.counts {
			t.units[key] = int64(count)
		}
	}
	return err
}

// sumCounts adds the records of the rows that begin with from to their keys.
func sumCounts(sums []int, keys []uint32, counts []int, from int) {
	if counts == nil {
		for _, key := range keys {
			sums[key]++
		}
		return
	}
	for i, key := range keys {
		sums[key] += counts[from+i]
	}
}

func sumUnits(sums []int64, keys []uint32, weights []float64, scale float64) {
	for i, key := range keys {
		sums[key] += unitsOf(weights[i], scale)
	}
}
