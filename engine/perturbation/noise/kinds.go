package noise

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// sample has the records of a stratum by variable: the values x, a draw for each cell z, and the values with
// noise.
type sample struct{ x, z, out [][]float64 }

// draw returns a function that draws a number: uniform on (-√3, √3) or standard normal.
func (m *Noise) draw() func(*rand.Rand) float64 {
	if m.Method == Uniform {
		return func(stream *rand.Rand) float64 { return math.Sqrt(3) * (2*stream.Float64() - 1) }
	}
	return (*rand.Rand).NormFloat64
}

// purpose is the prefix of the random stream of a variable.
const purpose = "noise "

// scale returns the factor for the draws of a variable.
func (m *Noise) scale(values []float64) float64 {
	c := m.Percent / 100
	if m.Method == Multiplicative {
		return c
	}
	return c * stat.StandardDeviation(values)
}

// shifted returns the value x with noise, given the draw z.
func (m *Noise) shifted(x, scale, z float64) float64 {
	switch {
	case m.Method == Multiplicative:
		return float64(x * (1 + max(-1, float64(scale*z))))
	case m.Method == AdditiveZero && x == 0:
		return x
	}
	return x + float64(scale*z)
}

// of computes the values with noise.
func (m *Noise) of(ctx context.Context, s *sample) (warning string, err error) {
	c := m.Percent / 100
	switch m.Method {
	case Additive, Uniform, AdditiveZero, Multiplicative:
		err = s.independent(ctx, m, nil)
	case Outliers:
		var outlying []bool
		if outlying, warning, err = outliers(ctx, s.x); err == nil {
			err = s.independent(ctx, m, func(i int) bool { return outlying[i] })
		}
	case Correlated:
		s.correlated(stat.Covariance(s.x), c)
	case Robust:
		var m *stat.MCD
		if m, err = numeric.Robust(ctx, s.x); err == nil {
			s.correlated(m.Covariance, c)
		}
	case Kim:
		s.kim(m.Delta)
	case Brand:
		n := float64(len(s.x[0]))
		k := math.Sqrt((n - 1) / (n*(1+c) - 1))
		s.correlated(stat.Covariance(s.x), c)
		means := stat.Means(s.x)
		s.each(func(j, i int) float64 { return float64(k*s.out[j][i]) + float64((1-k)*means[j]) })
	case Restricted:
		err = s.restricted(c)
	case ROMM:
		err = s.romm(m.P)
	}
	return warning, err
}

// masked returns the values with noise. A constant variable is returned exactly, and values with too small
// differences are rescaled before masking.
func (m *Noise) masked(ctx context.Context, x, z [][]float64) (out [][]float64, warning string, err error) {
	if _, amount := m.strength(); amount == 0 {
		return x, "", nil
	}
	s, exponents := &sample{x: make([][]float64, len(x)), z: z}, make([]int, len(x))
	for j := range x {
		s.x[j], exponents[j] = numeric.Raised(x[j])
	}
	warning, err = m.of(ctx, s)
	for j := range s.out {
		if s.out[j] = numeric.Scaled(s.out[j], -exponents[j]); m.Method != Multiplicative && stat.Constant(x[j]) {
			s.out[j] = x[j]
		}
	}
	return s.out, warning, err
}

// each computes all values with a function of variable and record.
func (s *sample) each(f func(j, i int) float64) {
	out := make([][]float64, len(s.x))
	for j, x := range s.x {
		out[j] = make([]float64, len(x))
		for i := range x {
			out[j][i] = f(j, i)
		}
	}
	s.out = out
}

// independent adds independent noise, in the records for which which returns true, or in all records if it is nil.
func (s *sample) independent(ctx context.Context, m *Noise, which func(i int) bool) error {
	s.out = make([][]float64, len(s.x))
	return parallel.Each(ctx, len(s.x), func(j int) error {
		x, out := s.x[j], make([]float64, len(s.x[j]))
		scale := m.scale(x)
		for i := range x {
			out[i] = x[i]
			if which == nil || which(i) {
				out[i] = m.shifted(x[i], scale, s.z[j][i])
			}
		}
		s.out[j] = out
		return nil
	})
}

// normal returns normal draws with covariance matrix v.
func (s *sample) normal(v stat.Matrix) [][]float64 {
	l, _ := v.SemiCholesky()
	return stat.Combined(l, s.z)
}

// correlated adds noise with covariance matrix c v.
func (s *sample) correlated(v stat.Matrix, c float64) {
	e, root := s.normal(v), math.Sqrt(c)
	s.each(func(j, i int) float64 { return s.x[j][i] + float64(root*e[j][i]) })
}

// kim combines values and noise so that mean and covariance matrix are preserved in expectation. [Kim 1986]
func (s *sample) kim(d float64) {
	e, means := s.normal(stat.Covariance(s.x)), stat.Means(s.x)
	share := math.Sqrt(1 - float64(d*d))
	s.each(func(j, i int) float64 { // the mean of d z is added separately, because d may be 0
		return float64(share*s.x[j][i]) + float64((1-share)*means[j]) + float64(d*e[j][i])
	})
}

// restricted adds correlated noise and restores mean and covariance matrix exactly.
func (s *sample) restricted(c float64) error {
	v := stat.Covariance(s.x)
	s.correlated(v, c)
	_, free := stat.Independent(v)
	if len(free) == 0 {
		s.out = s.x
		return nil
	}
	some := stat.Variables(stat.Centred(s.out), free)
	l, err := stat.Covariance(some).Cholesky()
	if err != nil {
		return tooFew(len(s.x[0]), err)
	}
	s.rebuild(v, free, stat.Unrooted(l, some))
	return nil
}

// romm applies a random orthogonal transformation to the records. [Ting, Fienberg and Trottini 2008]
func (s *sample) romm(p float64) error {
	v := stat.Covariance(s.x)
	l, free := stat.Independent(v)
	if len(free) == 0 {
		s.out = s.x
		return nil
	}
	// U has orthonormal columns: the centred values multiplied by the inverse root of their cross product, which
	// is (n - 1) V.
	u := stat.Unrooted(l, stat.Variables(stat.Centred(s.x), free))
	scale := 1 / math.Sqrt(float64(len(s.x[0])-1))
	g := stat.Centred(stat.Variables(s.z, free))
	for j := range u {
		for i := range u[j] {
			u[j][i] = float64(u[j][i]*scale) + float64(p*g[j][i])
		}
	}
	w := stat.Covariance(u)
	root, err := w.InverseRoot()
	if err != nil {
		return tooFew(len(s.x[0]), err)
	}
	s.rebuild(v, free, stat.Combined(root, u))
	return nil
}

// rebuild gives uncorrelated unit-variance values, one variable for each free one, the means of x and the
// covariance matrix v.
func (s *sample) rebuild(v stat.Matrix, free []int, unit [][]float64) {
	l, _ := v.SemiCholesky()
	means, out := stat.Means(s.x), stat.Combined(l.Columns(free), unit)
	s.each(func(j, i int) float64 { return means[j] + out[j][i] })
}

func tooFew(n int, err error) error {
	return fmt.Errorf("%w: %d records are too few to keep the covariance exactly: %w; use fewer variables or strata, or another kind of noise", method.ErrInput, n, err)
}

// Quantile of a variable, and share of a normal distribution, beyond which records are outliers.
const (
	highQuantile = 0.99
	normalShare  = 0.975
)

// outliers returns the records above the 99 % quantile of a variable, or with a robust distance from the centre
// that exceeds 0.975 of normal data. If there is no robust distance, it returns a warning.
func outliers(ctx context.Context, x [][]float64) (outlying []bool, warning string, err error) {
	outlying = make([]bool, len(x[0]))
	for _, values := range x {
		limit := stat.Quantile(values, highQuantile)
		for i, value := range values {
			outlying[i] = outlying[i] || value > limit
		}
	}
	m, err := stat.NewMCD(ctx, x)
	if errors.Is(err, stat.ErrSingular) {
		return outlying,
			"there is no robust distance, as half of the records lie on a line or plane, or there are too few: only the 99 % quantiles count", nil
	}
	if err != nil {
		return nil, "", err
	}
	limit := stat.NormalDistance(len(x), normalShare)
	for i, d := range m.Distances {
		outlying[i] = outlying[i] || d > limit
	}
	return outlying, "", nil
}
