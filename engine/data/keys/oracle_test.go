package keys_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// sample is a small file of key variables: codes per variable and record.
type sample struct {
	levels  []int
	codes   [][]uint32
	weights []float64
	n       int
}

// columns returns the sample as dataset columns.
func (s *sample) columns(t testing.TB) []*microdata.Column {
	t.Helper()
	columns := make([]*microdata.Column, len(s.levels))
	for j, levels := range s.levels {
		columns[j] = column(fmt.Sprintf("v%d", j), levels, s.codes[j])
	}
	return columns
}

func column(name string, levels int, codes []uint32) *microdata.Column {
	categories := &microdata.Categories{Codes: microdata.NewCodes(len(codes), levels)}
	for l := range levels {
		categories.Levels = append(categories.Levels, microdata.Level{Label: fmt.Sprint("l", l), Value: math.NaN()})
	}
	for record, code := range codes {
		categories.Codes.Set(record, code)
	}
	return microdata.NewCategorical(name, microdata.Category, categories)
}

func (s *sample) weight(record int) float64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[record]
}

func (s *sample) compatible(a, b int) bool {
	for _, codes := range s.codes {
		if codes[a] != codes[b] && codes[a] != 0 && codes[b] != 0 {
			return false
		}
	}
	return true
}

func (s *sample) identical(a, b int) bool {
	for _, codes := range s.codes {
		if codes[a] != codes[b] {
			return false
		}
	}
	return true
}

func (s *sample) missing(record int) int {
	count := 0
	for _, codes := range s.codes {
		if codes[record] == 0 {
			count++
		}
	}
	return count
}

// share returns the share of a category in the total of a measure.
func (s *sample) share(variable int, code uint32, measure func(int) float64) float64 {
	part, total := 0.0, 0.0
	for record := range s.n {
		total += measure(record)
		if s.codes[variable][record] == code {
			part += measure(record)
		}
	}
	return part / total
}

// frequency computes the frequency of record i under a rule from all records, directly by the definitions; measure
// is 1 or the weight.
func (s *sample) frequency(i int, rule microdata.Rule, alpha float64, measure func(int) float64) float64 {
	switch rule {
	case microdata.RuleConservative:
		alpha = 0
	case microdata.RuleCategorySize, microdata.RuleConservative2:
		if s.missing(i) > 0 {
			alpha = 1
		}
	}
	sum := 0.0
	for j := range s.n {
		factor := 0.0
		switch complete := s.missing(j) == 0; {
		case s.identical(i, j):
			factor = 1
		case rule == microdata.RuleOwnCategory || !s.compatible(i, j):
		case s.missing(i) == len(s.codes):
			factor = 1
		case complete:
			factor = 1
		case s.missing(i) == 0 && rule == microdata.RuleConservative2:
		case s.missing(i) == 0 && rule == microdata.RuleCategorySize:
			factor = 1
			for v, codes := range s.codes {
				if codes[j] == 0 {
					factor *= s.share(v, codes[i], measure)
				}
			}
		default:
			factor = alpha
		}
		sum += factor * measure(j)
	}
	return sum
}

// draw returns a small file of 1 to 6 variables, with missing values, with or without weights.
func draw(t *rapid.T) *sample {
	s := &sample{n: rapid.IntRange(1, 40).Draw(t, "records")}
	most := 6
	if rapid.IntRange(0, 4).Draw(t, "wide") == 0 {
		most = 20
	}
	for range rapid.IntRange(1, most).Draw(t, "variables") {
		levels := rapid.SampledFrom([]int{0, 1, 2, 3, 4, 7, 300, 70000}).Draw(t, "levels")
		s.levels = append(s.levels, levels)
		used := min(levels, rapid.IntRange(1, 3).Draw(t, "used"))
		codes := make([]uint32, s.n)
		for record := range codes {
			if code := rapid.IntRange(0, used).Draw(t, "code"); code > 0 {
				codes[record] = uint32(levels - code + 1)
			}
		}
		s.codes = append(s.codes, codes)
	}
	if rapid.Bool().Draw(t, "weighted") {
		places := rapid.SampledFrom([]float64{1, 10, 1e4, math.Pi}).Draw(t, "places")
		for range s.n {
			s.weights = append(s.weights, float64(rapid.IntRange(1, 100000).Draw(t, "weight"))/places)
		}
	}
	return s
}
