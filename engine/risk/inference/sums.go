package inference

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Limits on the search for sums.
const (
	sumRows    = 200
	sumLeast   = 20 // minimum number of rows
	sumShare   = 0.99
	sumColumns = 40     // numeric variables used, the first of the file
	sumBlocks  = 4      // blocks of rows, one of which must have no exception
	sumBlock   = 12     // rows of a block
	mostSums   = 20_000 // sums tried for one variable and number of terms

	mostColumns = 6 // variables of a sum, including the result
)

// Term is a variable of a sum with its sign.
type Term struct {
	Variable string
	Minus    bool
}

// Sum is a linear relation of numeric variables that reveals masked or suppressed values: Variable is the sum of
// the terms, within rounding.
type Sum struct {
	Variable string
	Terms    []Term
	Cells    int     // cells that are suppressed, or masked by more than rounding
	Inferred Claims  // claims on these cells
	Holds    float64 // share of complete records for which the sum holds
	Limit    float64 // lower confidence limit of the share of right claims
	Base     float64 // share of records with the most frequent value
	// Estimated is as in Inferred.
	Estimated bool
}

// number is a numeric variable, now and originally.
type number struct {
	name     string
	now, was *numericCells // was: in the original, or now if the original is unknown
	unit     float64       // of the last decimal place
}

// numericCells reads the cells of a numeric variable without a copy of them.
type numericCells struct {
	rows   int
	values []float64 // nil if the variable is stored as a dictionary
	codes  microdata.Codes
	levels []microdata.Level
}

func cellsOf(column *microdata.Column) *numericCells {
	c := &numericCells{rows: column.Len()}
	if numbers := column.StoredAsNumbers(); numbers != nil {
		c.values = numbers.Values
		return c
	}
	categories := column.Categories()
	c.codes, c.levels = categories.Codes, categories.Levels
	return c
}

// at returns the value of a row, or NaN if it is missing.
func (c *numericCells) at(row int) float64 {
	if c.values != nil {
		return c.values[row]
	}
	if code := c.codes.At(row); code > 0 {
		return c.levels[code-1].Value
	}
	return math.NaN()
}

// picked returns the values of rows.
func (c *numericCells) picked(rows []uint32) []float64 {
	values := make([]float64, len(rows))
	for i, row := range rows {
		values[i] = c.at(int(row))
	}
	return values
}

// mostlyMissing reports whether more than half of the rows are missing.
func (c *numericCells) mostlyMissing() bool {
	missing := 0
	for row := range c.rows {
		if math.IsNaN(c.at(row)) {
			missing++
		}
	}
	return 2*missing > c.rows
}

// unitOf returns the unit of the last decimal place of the values, at least 1e-6.
func unitOf(values []float64) float64 {
	for _, decimals := range []float64{1, 10, 100, 1e3, 1e4, 1e5} {
		if !slices.ContainsFunc(values, func(x float64) bool {
			return math.Abs(x*decimals-math.Round(x*decimals)) > 1e-6*max(1, math.Abs(x))
		}) {
			return 1 / decimals
		}
	}
	return 1e-6
}

// signed is a signed sum of up to three variables.
type signed struct {
	at    [3]int8 // indices from 1, negative for a minus; 0: none
	value float64 // of the sum, for a block
}

// has reports whether a variable is a term of the sum.
func (s *signed) has(place int8) bool {
	return place != 0 && (s.at[0] == place || s.at[1] == place || s.at[2] == place ||
		s.at[0] == -place || s.at[1] == -place || s.at[2] == -place)
}

// sums returns all signed sums of a given number of variables, for the values of a block.
func sums(of int, values []float64) []signed {
	all := []signed{{}}
	for size := range of {
		var next []signed
		for _, sum := range all {
			first := int8(0)
			if size > 0 {
				first = max(sum.at[size-1], -sum.at[size-1])
			}
			for place := first + 1; int(place) <= len(values); place++ {
				plus, minus := sum, sum
				plus.at[size], plus.value = place, sum.value+values[place-1]
				minus.at[size], minus.value = -place, sum.value-values[place-1]
				next = append(next, plus, minus)
			}
		}
		all = next
	}
	return all
}

// adding is the search for sums in a sample of complete rows.
type adding struct {
	numbers []number
	rows    []uint32
	weights []float64 // ±1, by row
}

// newAdding takes equally spaced rows until it has enough complete ones.
func newAdding(numbers []number, n int) *adding {
	a := &adding{numbers: numbers}
	random := rand.New(rand.NewPCG(1, 1))
	step := max(1, n/sumRows)
	for start := 0; start < step && len(a.rows) < sumRows; start++ {
		for row := start; row < n && len(a.rows) < sumRows; row += step {
			if !slices.ContainsFunc(numbers, func(x number) bool { return math.IsNaN(x.was.at(row)) || math.IsNaN(x.now.at(row)) }) {
				a.rows = append(a.rows, uint32(row))
				a.weights = append(a.weights, float64(1-2*random.IntN(2)))
			}
		}
	}
	for i := range a.numbers {
		a.numbers[i].unit = unitOf(numbers[i].was.picked(a.rows))
	}
	return a
}

// values returns the weighted sums over the rows of a block, by variable, now and originally.
func (a *adding) values(block int) (now, was []float64) {
	now, was = make([]float64, len(a.numbers)), make([]float64, len(a.numbers))
	for i := block * sumBlock; i < min(len(a.rows), (block+1)*sumBlock); i++ {
		for j := range a.numbers {
			now[j] += a.weights[i] * a.numbers[j].now.at(int(a.rows[i]))
			was[j] += a.weights[i] * a.numbers[j].was.at(int(a.rows[i]))
		}
	}
	return now, was
}

// tolerance returns by how much a sum of terms may differ from a variable: by the rounding of each, unless that is
// large compared with the variation of the variable.
func (a *adding) tolerance(x int, terms []int8) float64 {
	rounding := a.numbers[x].unit
	for _, place := range terms {
		rounding += a.numbers[max(place, -place)-1].unit
	}
	if spread := stat.StandardDeviation(a.numbers[x].was.picked(a.rows)); rounding/2 < spread/100 {
		return rounding/2 + 1e-9*spread
	}
	return a.numbers[x].unit / 100
}

// sum returns the sum of the terms for a row.
func (a *adding) sum(terms []int8, row uint32) (sum float64) {
	for _, place := range terms {
		if place < 0 {
			sum -= a.numbers[-place-1].now.at(int(row))
		} else {
			sum += a.numbers[place-1].now.at(int(row))
		}
	}
	return sum
}

// holds reports whether a variable is the sum of the terms in nearly all sampled rows.
func (a *adding) holds(x int, terms []int8, tolerance float64) bool {
	may := int((1 - sumShare) * float64(len(a.rows)))
	for _, row := range a.rows {
		if !(math.Abs(a.numbers[x].was.at(int(row))-a.sum(terms, row)) <= tolerance) {
			if may--; may < 0 {
				return false
			}
		}
	}
	return true
}

// halves returns the numbers of terms of two partial sums, the smallest first.
func halves() [][2]int { return [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 3}, {2, 3}} }

// find returns the terms of the smallest sum that equals a variable, or nil if there is none. Partial sums are
// looked up by binary search.
func (a *adding) find(ctx context.Context, x int, blocks []block) ([]int8, error) {
	coarsest := 0.0
	for _, one := range a.numbers {
		coarsest = max(coarsest, one.unit)
	}
	wide := sumBlock * coarsest * mostColumns / 2
	for _, sizes := range halves() {
		tried := 0
		for _, b := range blocks {
			for _, left := range b.sums[sizes[0]] {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				want := b.was[x] - left.value
				right := b.sums[sizes[1]]
				first, _ := slices.BinarySearchFunc(right, want-wide, func(s signed, value float64) int { return cmp.Compare(s.value, value) })
				for _, sum := range right[first:] {
					if tried++; sum.value > want+wide || tried > mostSums {
						break
					}
					if terms := joinedTerms(left, sum, int8(x+1)); terms != nil && a.holds(x, terms, a.tolerance(x, terms)) {
						return terms, nil
					}
				}
			}
		}
	}
	return nil, nil
}

// block has the sums of the values of a block by number of terms, sorted.
type block struct {
	was  []float64
	sums [4][]signed
}

func (a *adding) blocks(ctx context.Context) ([]block, error) {
	blocks := make([]block, min(sumBlocks, len(a.rows)/sumBlock))
	return blocks, parallel.Each(ctx, len(blocks), func(i int) error {
		now, was := a.values(i)
		blocks[i].was = was
		for size := range blocks[i].sums {
			blocks[i].sums[size] = sums(size, now)
			slices.SortFunc(blocks[i].sums[size], func(a, b signed) int { return cmp.Compare(a.value, b.value) })
		}
		return nil
	})
}

// joinedTerms returns the terms of two sums, or nil if they share a variable or contain x.
func joinedTerms(a, b signed, x int8) (terms []int8) {
	if a.has(x) || b.has(x) || b.has(a.at[0]) || b.has(a.at[1]) || b.has(a.at[2]) {
		return nil
	}
	for _, at := range [][3]int8{a.at, b.at} {
		for _, place := range at {
			if place != 0 {
				terms = append(terms, place)
			}
		}
	}
	return terms
}
