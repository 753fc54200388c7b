package loss

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// results is the result of the measure of numeric variables.
type results struct {
	pairs         *numeric.Pairs
	cells         cells
	x, m          side        // original and masked data
	compared      []statistic // rows of the table of Domingo-Ferrer
	eigen, correl float64     // NaN: undefined
	variable      variables
}

// side has the statistics of one version of the data.
type side struct {
	means       []float64
	covariance  stat.Matrix
	correlation stat.Matrix
	values      []float64   // eigenvalues of the correlation matrix, descending
	vectors     stat.Matrix // eigenvectors in columns
	constant    bool        // whether a variable is constant
}

func newSide(variables [][]float64) side {
	s := side{means: stat.Means(variables), covariance: stat.Covariance(variables),
		correlation: stat.Correlation(variables)}
	for j := range s.covariance {
		s.constant = s.constant || !(s.covariance[j][j] > 0)
	}
	if !s.constant {
		s.values, s.vectors = s.correlation.Eigen()
	}
	return s
}

// singular is the eigenvalue below which a correlation matrix is treated as singular.
const singular = 1e-10

// invertible reports whether the correlation matrix is invertible.
func (s *side) invertible() bool {
	return !s.constant && len(s.values) > 0 && s.values[len(s.values)-1] >= singular
}

func newFound(pairs *numeric.Pairs) *results {
	f := &results{pairs: pairs, x: newSide(pairs.Original), m: newSide(pairs.Current), eigen: math.NaN(), correl: math.NaN()}
	f.cells = newCells(pairs, f.x.covariance)
	f.align()
	f.compare()
	if f.x.invertible() && !f.m.constant {
		f.eigen = 0
		for j, e := range f.x.values {
			f.eigen += math.Abs(e-f.m.values[j]) / e
		}
	}
	if len(pairs.Names) > 1 && f.x.invertible() && f.m.invertible() {
		f.correl = correlationLoss(f.x.correlation, f.m.correlation)
		if len(pairs.Names) == 2 {
			f.correl = 0 // exactly, without rounding error
		}
	}
	return f
}

// align flips principal components of the masked data that point in the opposite direction, because their sign is
// arbitrary.
func (f *results) align() {
	for k := range f.m.values {
		product := 0.0
		for j := range f.m.vectors {
			if f.x.vectors != nil {
				product += float64(f.x.vectors[j][k] * f.m.vectors[j][k])
			}
		}
		if product < 0 {
			for j := range f.m.vectors {
				f.m.vectors[j][k] = -f.m.vectors[j][k]
			}
		}
	}
}

// correlationLoss compares the normalised diagonals of the inverses of two correlation matrices, on a scale from 0
// to 1.
func correlationLoss(original, masked stat.Matrix) float64 {
	a, b := inverseDiagonal(original), inverseDiagonal(masked)
	return math.Sqrt(stat.SquaredDistance(a, b) / 2)
}

// inverseDiagonal returns the diagonal of the inverse of a symmetric positive definite matrix, divided by its
// norm. It is NaN if the matrix is singular.
func inverseDiagonal(m stat.Matrix) []float64 {
	out, length := make([]float64, len(m)), 0.0
	root, err := m.Cholesky()
	for j := range m {
		if out[j] = math.NaN(); err != nil {
			continue
		}
		column := make([]float64, len(m))
		column[j] = 1
		root.Solved(column)
		out[j] = 0
		for _, x := range column {
			out[j] += float64(x * x)
		}
		length += float64(out[j] * out[j])
	}
	for j := range out {
		out[j] /= math.Sqrt(length)
	}
	return out
}

// cells has the cell-by-cell comparisons.
type cells struct {
	il1, il1s, sse float64 // sums; sse in percent of the total sum of squares
	zeros          int     // cells with original value 0, excluded from il1
	constants      int     // constant variables, excluded from il1s and sse
	of             []variableResults
}

// variableResults has the results for one variable.
type variableResults struct{ il1, il1s, correlation float64 }

func newCells(p *numeric.Pairs, covariance stat.Matrix) cells {
	c := cells{of: make([]variableResults, len(p.Names))}
	n, counted, lost := len(p.Rows), 0, 0.0
	for j, original := range p.Original {
		relative, squares, absolute, zeros := 0.0, 0.0, 0.0, 0
		for i, x := range original {
			d := math.Abs(x - p.Current[j][i])
			absolute += d
			squares += float64(d * d)
			if x == 0 {
				zeros++
			} else {
				relative += d / math.Abs(x)
			}
		}
		c.zeros += zeros
		c.il1 += 100 * relative
		c.of[j] = variableResults{100 * relative / float64(n-zeros), math.NaN(), correlationWith(original, p.Current[j])}
		sd := math.Sqrt(covariance[j][j])
		if !(sd > 0) {
			c.constants++
			continue
		}
		counted++
		c.il1s += absolute / (math.Sqrt2 * sd)
		c.of[j].il1s = absolute / (math.Sqrt2 * sd) / float64(n)
		lost += squares / covariance[j][j]
	}
	c.sse = 100 * lost / float64((n-1)*counted)
	if counted == 0 {
		c.il1s, c.sse = math.NaN(), math.NaN()
	}
	return c
}

func correlationWith(a, b []float64) float64 {
	c := stat.Covariance([][]float64{a, b})
	if !(c[0][0] > 0) || !(c[1][1] > 0) {
		return math.NaN()
	}
	return c[0][1] / math.Sqrt(c[0][0]) / math.Sqrt(c[1][1])
}

var _ measure.Measure = (*Numeric)(nil)
