package profile

import (
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Profile has what one pass over a variable's cells finds.
type Profile struct {
	Column     *microdata.Column
	Records    int
	Missing    int // records without a value, including suppressed ones
	Suppressed int
	Codes      []Code   // missing codes of the source, most frequent first
	Weight     float64  // sum over the records with a value
	Numbers    *Moments // nil: a text variable, or no finite number

	Weights []float64 // of the rows; nil: none
}

// Code is a code for missing cells in the file, such as "-9", or "" for an empty field.
type Code struct {
	Text    string
	Records int
}

// Moments has the mean and standard deviation of a variable's finite numbers, and the extremes with the first rows
// that have them. Infinite numbers are only counted.
type Moments struct {
	Min, Max           float64
	MinRow, MaxRow     int
	Mean, SD           float64 // SD divides by the number of records minus one; NaN for one record
	WeightedMean       float64 // NaN without weights
	WeightedSD         float64 // for the population: divides by the sum of weights
	Infinite, Negative int
	Zero               int
}

// New describes a variable of a dataset. weights has one entry per row and may be nil. It makes one pass over the
// rows, and a second one for numeric variables. It returns the error of ctx, if any.
func New(ctx context.Context, data *microdata.Dataset, column *microdata.Column, weights []float64) (*Profile, error) {
	p := &Profile{Column: column, Records: column.Records(), Missing: column.MissingCount(),
		Suppressed: column.SuppressedCount(), Weights: weights}
	p.Weight = weightOf(column, weights)
	p.Codes = codes(data, column)
	if column.Numeric() && p.Missing < p.Records {
		p.Numbers = moments(ctx, column, weights)
	}
	return p, ctx.Err()
}

// weightOf sums the weights of the rows with a value, in order.
func weightOf(column *microdata.Column, weights []float64) (sum float64) {
	if weights == nil {
		return 0
	}
	if numbers := column.StoredAsNumbers(); numbers != nil {
		for row, x := range numbers.Values {
			if x == x {
				sum += weights[row]
			}
		}
		return sum
	}
	codes := column.Categories().Codes
	for row, weight := range weights {
		if codes.At(row) != 0 {
			sum += weight
		}
	}
	return sum
}

// codes counts the missing codes of the source. Cells that a step made missing are not included.
func codes(data *microdata.Dataset, column *microdata.Column) []Code {
	spelling, source := data.Spelling(column.Name()), column.Source()
	if source.MissingCount() == 0 {
		return nil
	}
	if spelling.Of.Len() == 0 {
		return []Code{{spelling.OfMissing(0).Text, source.MissingCount()}} // all missing cells have the same code
	}
	counts := map[string]int{}
	for row := range source.Len() {
		if source.Missing(row) {
			counts[spelling.OfMissing(data.SourceRecord(row)).Text] += source.RecordsAt(row)
		}
	}
	var found []Code
	for text, records := range counts {
		found = append(found, Code{text, records})
	}
	slices.SortFunc(found, func(a, b Code) int {
		if a.Records != b.Records {
			return b.Records - a.Records
		}
		return compareText(a.Text, b.Text)
	})
	return found
}

// moments computes means first and then squared deviations, because one pass would lose digits for numbers such as
// years and incomes.
func moments(ctx context.Context, column *microdata.Column, weights []float64) *Moments {
	m := &Moments{Min: math.Inf(1), Max: math.Inf(-1), WeightedMean: math.NaN(), WeightedSD: math.NaN(), SD: math.NaN()}
	records := 0.0
	each(ctx, column, func(row int, x float64) {
		n := column.RecordsAt(row)
		if math.IsInf(x, 0) {
			m.Infinite += n
			return
		}
		if x < m.Min || x == m.Min && row < m.MinRow {
			m.Min, m.MinRow = x, row
		}
		if x > m.Max || x == m.Max && row < m.MaxRow {
			m.Max, m.MaxRow = x, row
		}
		switch {
		case x < 0:
			m.Negative += n
		case x == 0:
			m.Zero += n
		}
		records += float64(n)
	})
	if records > 0 {
		m.spread(ctx, column, weights, records)
		return m
	}
	return nil
}

// spread computes means and standard deviations. Numbers whose squares would overflow are divided by a power of
// two during the computation, which is exact.
func (m *Moments) spread(ctx context.Context, column *microdata.Column, weights []float64, records float64) {
	const squared = 1e140
	shift := 0
	if largest := max(-m.Min, m.Max); largest > squared {
		_, shift = math.Frexp(largest)
	}
	each := func(visit func(row int, x float64)) {
		each(ctx, column, func(row int, x float64) {
			if shift != 0 {
				x = math.Ldexp(x, -shift)
			}
			if !math.IsInf(x, 0) {
				visit(row, x)
			}
		})
	}
	sum, weight, weighted := 0.0, 0.0, 0.0
	each(func(row int, x float64) {
		sum += float64(column.RecordsAt(row)) * x
		if weights != nil {
			weight += weights[row]
			weighted += weights[row] * x
		}
	})
	mean, weightedMean, squares, weightedSquares := sum/records, weighted/weight, 0.0, 0.0
	each(func(row int, x float64) {
		squares += float64(column.RecordsAt(row)) * (x - mean) * (x - mean)
		if weights != nil {
			weightedSquares += weights[row] * (x - weightedMean) * (x - weightedMean)
		}
	})
	if m.Min == m.Max { // the computed mean of equal numbers such as 0.1 may differ from them
		squares, weightedSquares = 0, 0
	}
	m.Mean = math.Ldexp(mean, shift)
	if records > 1 {
		m.SD = math.Ldexp(math.Sqrt(squares/(records-1)), shift)
	}
	if weights != nil {
		m.WeightedMean, m.WeightedSD = math.Ldexp(weightedMean, shift), math.Ldexp(math.Sqrt(weightedSquares/weight), shift)
	}
}

// each calls visit for the rows of a variable that have a number.
func each(ctx context.Context, column *microdata.Column, visit func(row int, x float64)) {
	if numbers := column.StoredAsNumbers(); numbers != nil {
		for row, x := range numbers.Values {
			if parallel.Stopped(ctx, row) {
				return
			}
			if x == x {
				visit(row, x)
			}
		}
		return
	}
	categories := column.Categories()
	for row := range categories.Codes.Len() {
		if parallel.Stopped(ctx, row) {
			return
		}
		if code := categories.Codes.At(row); code != 0 {
			if x := categories.Levels[code-1].Value; x == x {
				visit(row, x)
			}
		}
	}
}
