package generated

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
)

// AgesCut returns generated survey data with age in the intervals of several reference figures: up to 4, 14, 24,
// 34, 44, 54, 64 and 99 years.
func AgesCut(tb testing.TB, data *microdata.Dataset) *microdata.Dataset {
	tb.Helper()
	ends := []float64{4, 14, 24, 34, 44, 54, 64, 99}
	column := golden.Columns(data, "age")[0]
	categories := column.Categories()
	mapping := make([]uint32, len(categories.Levels)+1)
	for i, level := range categories.Levels {
		for mapping[i+1] = 1; level.Value > ends[mapping[i+1]-1]; mapping[i+1]++ {
		}
	}
	cut := &microdata.Categories{Ordered: true, Codes: categories.Codes.Mapped(len(ends), mapping)}
	for _, label := range []string{"0-4", "5-14", "15-24", "25-34", "35-44", "45-54", "55-64", "65-99"} {
		cut.Levels = append(cut.Levels, microdata.Level{Label: label})
	}
	return data.With(microdata.NewCategorical("age", microdata.Category, cut))
}
