package stat

import (
	"errors"
	"math"
)

// ErrSingular is returned for a matrix without an inverse or root because variables are constant or linearly
// dependent.
var ErrSingular = errors.New("variables are constant or linearly dependent")

// Matrix is a matrix, by rows.
type Matrix [][]float64

// NewMatrix returns a matrix of zeros.
func NewMatrix(rows, columns int) Matrix {
	m := make(Matrix, rows)
	for i := range m {
		m[i] = make([]float64, columns)
	}
	return m
}

// Transposed returns the transpose.
func (m Matrix) Transposed() Matrix {
	out := NewMatrix(len(m[0]), len(m))
	for i := range m {
		for j, x := range m[i] {
			out[j][i] = x
		}
	}
	return out
}

// Columns returns the selected columns.
func (m Matrix) Columns(which []int) Matrix {
	out := NewMatrix(len(m), len(which))
	for i := range m {
		for k, from := range which {
			out[i][k] = m[i][from]
		}
	}
	return out
}

// singularShare is the share of a variable's variance below which the part unexplained by other variables counts
// as rounding error.
const singularShare = 1e-12

// Cholesky returns the lower triangular L with L L' = m for a symmetric positive definite matrix. It returns
// ErrSingular if m is not one, or if a variable is a linear combination of those before it within double
// precision.
func (m Matrix) Cholesky() (Matrix, error) {
	l, _, err := m.cholesky(false)
	return l, err
}

// SemiCholesky is Cholesky for a matrix that may be singular: variables that depend linearly on those before them
// have 0 on the diagonal, and are listed in dependent.
func (m Matrix) SemiCholesky() (l Matrix, dependent []int) {
	l, dependent, _ = m.cholesky(true)
	return l, dependent
}

func (m Matrix) cholesky(semi bool) (l Matrix, dependent []int, err error) {
	l = NewMatrix(len(m), len(m))
	for j := range m {
		rest := m[j][j]
		for k := range j {
			rest -= float64(l[j][k] * l[j][k])
		}
		if !(rest > singularShare*m[j][j]) {
			if !semi {
				return nil, nil, ErrSingular
			}
			dependent = append(dependent, j)
			continue
		}
		l[j][j] = math.Sqrt(rest)
		for i := j + 1; i < len(m); i++ {
			sum := m[i][j]
			for k := range j {
				sum -= float64(l[i][k] * l[j][k])
			}
			l[i][j] = sum / l[j][j]
		}
	}
	return l, dependent, nil
}

// Solved overwrites b with the solution x of L x = b for a lower triangular L
// without zeros on the diagonal.
func (m Matrix) Solved(b []float64) {
	for i := range m {
		for k := range i {
			b[i] -= float64(m[i][k] * b[k])
		}
		b[i] /= m[i][i]
	}
}

// SolvedTransposed overwrites b with the solution x of L' x = b.
func (m Matrix) SolvedTransposed(b []float64) {
	for i := len(m) - 1; i >= 0; i-- {
		for k := i + 1; k < len(m); k++ {
			b[i] -= float64(m[k][i] * b[k])
		}
		b[i] /= m[i][i]
	}
}

// sweeps is a bound on the sweeps of Jacobi's method, which needs six to ten.
const sweeps = 60

// Eigen returns the eigenvalues of a symmetric matrix in descending order and the eigenvectors, of length 1, as
// the columns of a matrix, by Jacobi's method. The first nonzero component of each vector is positive.
func (m Matrix) Eigen() (values []float64, vectors Matrix) {
	p := len(m)
	a, v := NewMatrix(p, p), NewMatrix(p, p)
	for i := range m {
		copy(a[i], m[i])
		v[i][i] = 1
	}
	for range sweeps {
		off, all := 0.0, 0.0
		for i := range a {
			for j := range a {
				all += float64(a[i][j] * a[i][j])
				if i != j {
					off += float64(a[i][j] * a[i][j])
				}
			}
		}
		if off <= 1e-32*all {
			break
		}
		for i := range p {
			for j := i + 1; j < p; j++ {
				rotate(a, v, i, j)
			}
		}
	}
	diagonal := make([]float64, p)
	for i := range a {
		diagonal[i] = -a[i][i]
	}
	values, vectors = make([]float64, p), NewMatrix(p, p)
	for to, from := range Order(diagonal) {
		values[to] = a[from][from]
		sign := 1.0
		for i := range p {
			if math.Abs(v[i][from]) > 1e-12 {
				sign = math.Copysign(1, v[i][from])
				break
			}
		}
		for i := range p {
			vectors[i][to] = sign * v[i][from]
		}
	}
	return values, vectors
}

// rotate makes a[i][j] zero by a rotation, which it also applies to v.
func rotate(a, v Matrix, i, j int) {
	if a[i][j] == 0 {
		return
	}
	theta := (a[j][j] - a[i][i]) / (2 * a[i][j])
	t := math.Copysign(1, theta) / (math.Abs(theta) + math.Sqrt(1+float64(theta*theta)))
	c := 1 / math.Sqrt(1+float64(t*t))
	s := t * c
	turn := func(x, y *float64) { *x, *y = float64(c**x)-float64(s**y), float64(s**x)+float64(c**y) }
	for k := range a {
		turn(&a[k][i], &a[k][j])
	}
	for k := range a {
		turn(&a[i][k], &a[j][k])
	}
	for k := range v {
		turn(&v[k][i], &v[k][j])
	}
}

// InverseRoot returns the symmetric m^(-1/2) of a symmetric positive definite matrix, or ErrSingular.
func (m Matrix) InverseRoot() (Matrix, error) {
	values, vectors := m.Eigen()
	if last := values[len(values)-1]; !(last > singularShare*values[0]) {
		return nil, ErrSingular
	}
	out := NewMatrix(len(m), len(m))
	for i := range m {
		for j := range m {
			for k, value := range values {
				out[i][j] += float64(vectors[i][k] * vectors[j][k] / math.Sqrt(value))
			}
		}
	}
	return out, nil
}

// Scores returns the linear combination of the variables with the given loadings.
func Scores(variables [][]float64, loadings []float64) []float64 {
	return Combined(Matrix{loadings}, variables)[0]
}
