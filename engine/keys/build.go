package keys

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// MostVariables is the largest number of key variables.
const MostVariables = microdata.MostKeys

// Errors of building a table.
var (
	ErrVariables = errors.New("the number of key variables must be 1 to 64")
	ErrLengths   = errors.New("key variables and weights must have the same number of records")
)

// New returns the key table of the given columns, in their order, with weights
// or nil: 1 each. Weights that are no positive numbers are an error that wraps
// ErrWeight. It takes O(records) time and keeps 4 bytes per record.
func New(ctx context.Context, columns []*microdata.Column, weights []float64) (*Table, error) {
	if len(columns) < 1 || len(columns) > MostVariables {
		return nil, fmt.Errorf("%w, not %d", ErrVariables, len(columns))
	}
	n := columns[0].Len()
	if n > math.MaxUint32-1 || weights != nil && len(weights) != n {
		return nil, fmt.Errorf("%w: %d records, %d weights", ErrLengths, n, len(weights))
	}
	b := builder{records: n, weights: weights}
	levels := make([]int, len(columns))
	for j, column := range columns {
		if column.Len() != n {
			return nil, fmt.Errorf("%w: %s has %d, %s has %d", ErrLengths, columns[0].Name(), n, column.Name(), column.Len())
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		categories := column.Categories()
		b.columns = append(b.columns, categories)
		levels[j] = len(categories.Levels)
	}
	b.layout = newLayout(levels)
	return b.build(ctx)
}

// builder builds a table from records.
type builder struct {
	layout  layout
	columns []*microdata.Categories
	weights []float64
	records int
}

func (b *builder) build(ctx context.Context) (*Table, error) {
	t := &Table{layout: b.layout, records: b.records, scale: 1}
	err := b.number(ctx, t)
	if err == nil && b.weights != nil {
		t.scale, err = unitScale(ctx, b.weights)
	}
	if err == nil {
		err = b.count(ctx, t)
	}
	if err != nil {
		return nil, err
	}
	return t.finish(), nil
}

// number sets the keys of the records and the codes of the keys.
func (b *builder) number(ctx context.Context, t *Table) error {
	if width := b.layout.bits[0]; b.layout.words() == 1 && width <= bitmapLimit(b.records) {
		return b.numberBits(ctx, t, width)
	}
	result, err := numberWords(ctx, b.records, b.layout.bits, func(word int, dst []uint64, from int) {
		pack(&b.layout, word, b.columns, dst, from)
	})
	if err != nil {
		return err
	}
	t.original = result.ids
	t.counts = make([]uint32, result.distinct)
	t.codes = b.codesOf(result)
	return nil
}

// numberBits numbers codes of few bits; the codes of the records stand where
// their numbers will.
func (b *builder) numberBits(ctx context.Context, t *Table, width int) error {
	ids := make([]uint32, b.records)
	set := newBitmap(width)
	workers := parallel.Workers(b.records, runtime.GOMAXPROCS(0))
	err := parallel.Blocks(ctx, b.records, workers, func(_, from, to int) {
		block := ids[from:to]
		pack(&b.layout, 0, b.columns, block, from)
		for _, code := range block {
			set.add(uint64(code))
		}
	})
	if err != nil {
		return err
	}
	t.counts = make([]uint32, set.count())
	t.codes = set.codes(len(t.counts))
	t.original = ids
	return parallel.Blocks(ctx, b.records, workers, func(_, from, to int) {
		block := ids[from:to]
		for i, code := range block {
			block[i] = set.rank(uint64(code))
		}
	})
}

// codesOf packs the codes of one record of each key.
func (b *builder) codesOf(numbers numbering) []uint64 {
	example := make([]int, numbers.distinct)
	for record, key := range numbers.ids {
		example[key] = record
	}
	words := b.layout.words()
	codes := make([]uint64, words*numbers.distinct)
	for key, record := range example {
		for word := range words {
			pack(&b.layout, word, b.columns, codes[key*words+word:key*words+word+1], record)
		}
	}
	return codes
}

// count sums records and weights per key. Each worker counts for itself: sums
// of integers do not depend on who summed what.
func (b *builder) count(ctx context.Context, t *Table) error {
	keys := t.Keys()
	// No more memory for the workers' sums than about 24 bytes per record.
	limit := max(1, min(runtime.GOMAXPROCS(0), 2*b.records/max(keys, 1)))
	workers := parallel.Workers(b.records, limit)
	counts, units := make([][]uint32, workers), make([][]int64, workers)
	for w := range workers {
		counts[w] = make([]uint32, keys)
		if b.weights != nil {
			units[w] = make([]int64, keys)
		}
	}
	err := parallel.Blocks(ctx, b.records, workers, func(worker, from, to int) {
		sums := counts[worker]
		for _, key := range t.original[from:to] {
			sums[key]++
		}
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

func sumUnits(sums []int64, keys []uint32, weights []float64, scale float64) {
	for i, key := range keys {
		sums[key] += unitsOf(weights[i], scale)
	}
}
