package shuffle

import (
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/numeric"
)

// predictor is a variable that the order is drawn given.
type predictor struct {
	column  *microdata.Column
	numbers []float64 // nil: categories
}

// Missing reports whether a row has no value.
func (p predictor) Missing(row int) bool {
	if p.numbers != nil {
		return math.IsNaN(p.numbers[row])
	}
	return p.column.Missing(row)
}

// predictors finds the variables.
func (m *Shuffle) predictors(in method.Input) ([]predictor, error) {
	columns, err := in.Columns("predictors", m.Predictors)
	if err != nil {
		return nil, err
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	out := make([]predictor, len(columns))
	for i, column := range columns {
		out[i].column = column
		if !column.Numeric() {
			continue
		}
		out[i].numbers = numeric.Floats(column)
		for _, x := range out[i].numbers {
			if math.IsInf(x, 0) || math.Abs(x) > 1e150 {
				return nil, fmt.Errorf("%w: %q has infinite numbers, or ones too large to be squared", method.ErrInput, column.Name())
			}
		}
	}
	return out, nil
}

// values returns the variables of the rows: the numbers, or 0 and 1 for each category
// that occurs but the first one.
func (p predictor) values(rows []uint32) [][]float64 {
	if p.numbers != nil {
		return [][]float64{taken(p.numbers, rows)}
	}
	categories := p.column.Categories()
	place := make([]int, len(categories.Levels)+1) // from 1
	for _, row := range rows {
		place[categories.Codes.At(int(row))] = 1
	}
	count := 0
	for code := range place {
		if place[code] > 0 {
			count++
			place[code] = count
		}
	}
	if count > mostDummies+1 {
		return make([][]float64, count-1) // too many, and only counted
	}
	out := make([][]float64, max(0, count-1))
	for k := range out {
		out[k] = make([]float64, len(rows))
	}
	for i, row := range rows {
		if k := place[categories.Codes.At(int(row))]; k > 1 {
			out[k-2][i] = 1
		}
	}
	return out
}

func taken(values []float64, rows []uint32) []float64 {
	out := make([]float64, len(rows))
	for i, row := range rows {
		out[i] = values[row]
	}
	return out
}
