package numeric

import (
	"context"
	"math/rand/v2"
	"runtime"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Seed returns the seed of the step for the variables. It differs from the seed of the step if that was used on
// one of them before, so that equal draws are not added twice.
func (t *Table) Seed(in method.Input) uint64 {
	return in.SeedFor(t.Columns...)
}

// Mark marks a column with the seed of a step, for example (*microdata.Column).PerturbedWith.
type Mark = func(column *microdata.Column, seed uint64) *microdata.Column

// marked returns a column marked as perturbed and by mark, which may be nil.
func marked(column *microdata.Column, in method.Input, mark Mark) *microdata.Column {
	if column = column.WithOrigin(microdata.Perturbed); mark != nil {
		column = mark(column, in.Seed)
	}
	return column
}

// Normals draws n standard normal numbers for a purpose, such as the name of a variable. The result does not
// depend on the number of processors.
func Normals(ctx context.Context, seed uint64, purpose string, n int) ([]float64, error) {
	return Draws(ctx, seed, purpose, n, (*rand.Rand).NormFloat64)
}

// Draws draws a number for each variable and record. The random stream of a variable is purpose followed by its
// name.
func (t *Table) Draws(ctx context.Context, seed uint64, purpose string, draw func(*rand.Rand) float64) (all [][]float64,
	err error) {
	all = make([][]float64, len(t.Columns))
	for j, column := range t.Columns {
		if all[j], err = Draws(ctx, seed, purpose+column.Name(), len(t.Rows), draw); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Draws draws n numbers with a function of a random stream.
func Draws(ctx context.Context, seed uint64, purpose string, n int, draw func(*rand.Rand) float64) ([]float64, error) {
	out := make([]float64, n)
	err := parallel.Tasks(ctx, random.Blocks(n), min(runtime.GOMAXPROCS(0), random.Blocks(n)), func(_, block int) {
		stream := random.Stream(seed, purpose, block)
		for i := block * random.Block; i < min((block+1)*random.Block, n); i++ {
			out[i] = draw(stream)
		}
	})
	return out, err
}
