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

// Seed returns the seed of the step for the variables: another one where the same
// seed was used on one of them before, so that equal draws are not added twice.
func (t *Table) Seed(in method.Input) uint64 {
	times := 0
	for _, column := range t.Columns {
		times = max(times, column.Draws(in.Seed))
	}
	return random.Again(in.Seed, times)
}

// Seeded marks columns as perturbed with the seed of a step, for Masked.
func Seeded(in method.Input) func(*microdata.Column) *microdata.Column {
	return func(column *microdata.Column) *microdata.Column { return column.PerturbedWith(in.Seed) }
}

// Normals draws n standard normal numbers for a purpose, such as the name of a
// variable. They do not depend on the number of processors.
func Normals(ctx context.Context, seed uint64, purpose string, n int) ([]float64, error) {
	return Draws(ctx, seed, purpose, n, (*rand.Rand).NormFloat64)
}

// Draws draws n numbers by a function of a stream.
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
