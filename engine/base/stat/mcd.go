package stat

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

// MCD is the minimum covariance determinant estimate of centre and covariance. The raw estimate is that of the h =
// (n + p + 1)/2 records whose covariance has the least determinant, scaled to be consistent for normal data; the
// final one is that of all records that are not outliers of it.
type MCD struct {
	RawLogDeterminant float64 // of the covariance of the h records, with denominator h - 1 and no factors
	H                 int
	Center            []float64
	Covariance        Matrix
	Kept              []bool // records used for Center and Covariance
	// RawFactors and Factors scale the raw and the final covariance: the factor for consistency with normal data,
	// and the small-sample factor of Pison, Van Aelst and Willems (2002).
	RawFactors, Factors [2]float64
	Distances           []float64 // Mahalanobis distances, not squared, of all records by Center and Covariance

	root Matrix
}

const (
	mcdStarts = 500   // random starting subsets
	mcdBest   = 10    // starts followed to convergence
	mcdGroup  = 300   // records of a part of a large file
	mcdParts  = 5     // maximum number of parts
	mcdShare  = 0.5   // h as a share of the records
	mcdKeep   = 0.975 // quantile of normal data beyond which a record is an outlier
	mcdSteps  = 200   // bound on the steps; convergence is much faster
	mcdSeed   = 1     // of the random subsets, so that equal data has equal estimates
)

// NewMCD computes the estimate by FAST-MCD [Rousseeuw and Van Driessen 1999]: 500 random starts with two
// concentration steps each, the best ten followed to convergence. With more than 600 records the starts use up to
// five parts of 300; with more than 1,500, the best two of the ten are followed. It takes O(n) time and a few
// numbers per record of memory. The error wraps ErrSingular if half of the records lie on a hyperplane, or if
// there are too few: fewer than twice the variables, or too few for valid small-sample factors.
func NewMCD(ctx context.Context, variables [][]float64) (*MCD, error) {
	n, p := len(variables[0]), len(variables)
	h := (n + p + 1) / 2
	if least := leastOfMCD(p); n < least {
		return nil, tooFewError{n, p, least}
	}
	search := &mcdSearch{ctx: ctx, variables: variables, stream: random.Stream(mcdSeed, "mcd", 0)}
	best, err := search.best(n, h)
	if err != nil {
		return nil, err
	}
	m := &MCD{RawLogDeterminant: best.logDeterminant, H: h}
	m.RawFactors = [2]float64{consistency(p, float64(h)/float64(n)), smallSample(p, n, mcdShare, false)}
	m.Center, m.Covariance = best.center, best.covariance
	m.scale(m.RawFactors)
	if err := m.measure(variables); err != nil {
		return nil, err
	}
	limit := NormalDistance(p, mcdKeep)
	var kept []uint32
	m.Kept = make([]bool, n)
	for i, d := range m.Distances {
		if m.Kept[i] = d <= limit; m.Kept[i] {
			kept = append(kept, uint32(i))
		}
	}
	m.Factors = [2]float64{consistency(p, float64(len(kept))/float64(n)), smallSample(p, n, mcdShare, true)}
	m.Center = meansOf(variables, kept)
	m.Covariance = covarianceAbout(variables, m.Center, kept)
	m.scale(m.Factors)
	return m, m.measure(variables)
}

// tooFewError is the error for n records of p variables if at least least are needed.
type tooFewError struct{ n, p, least int }

// Error implements error.
func (e tooFewError) Error() string {
	return fmt.Sprintf("%d records are too few for a robust covariance of %d variables, at least %d are needed", e.n, e.p,
		e.least)
}

// Unwrap returns ErrSingular.
func (e tooFewError) Unwrap() error { return ErrSingular }

func (m *MCD) scale(factors [2]float64) {
	for i := range m.Covariance {
		for j := range m.Covariance {
			m.Covariance[i][j] *= factors[0] * factors[1]
		}
	}
}

// measure sets the distances from centre and covariance.
func (m *MCD) measure(variables [][]float64) (err error) {
	if m.root, err = m.Covariance.Cholesky(); err != nil {
		return err
	}
	m.Distances = mahalanobis(variables, m.Center, m.root)
	for i := range m.Distances {
		m.Distances[i] = math.Sqrt(m.Distances[i])
	}
	return nil
}

// NormalDistance returns the quantile share of the Mahalanobis distance, not squared, of normal data with p
// variables.
func NormalDistance(p int, share float64) float64 {
	return math.Sqrt(distuv.ChiSquared{K: float64(p)}.Quantile(share))
}

// mahalanobis returns the squared distances of all records.
func mahalanobis(variables [][]float64, center []float64, root Matrix) []float64 {
	d := make([]float64, len(variables[0]))
	z := make([]float64, len(variables))
	for i := range d {
		for j := range variables {
			z[j] = variables[j][i] - center[j]
		}
		root.Solved(z)
		for _, x := range z {
			d[i] += float64(x * x)
		}
	}
	return d
}

func meansOf(variables [][]float64, records []uint32) []float64 {
	means := make([]float64, len(variables))
	for j, values := range variables {
		sum := 0.0
		for _, r := range records {
			sum += values[r]
		}
		means[j] = sum / float64(len(records))
	}
	return means
}

// mcdSearch searches for the records whose covariance has the least determinant.
type mcdSearch struct {
	ctx       context.Context
	variables [][]float64
	stream    *rand.Rand
}

// candidate is a centre and covariance.
type candidate struct {
	center         []float64
	covariance     Matrix
	root           Matrix
	logDeterminant float64
}

// of returns the candidate of the given records; false if they lie on a hyperplane.
func (s *mcdSearch) of(variables [][]float64, records []uint32) (candidate, bool) {
	c := candidate{center: meansOf(variables, records)}
	c.covariance = covarianceAbout(variables, c.center, records)
	var err error
	if c.root, err = c.covariance.Cholesky(); err != nil {
		return c, false
	}
	for j := range c.root {
		c.logDeterminant += 2 * math.Log(c.root[j][j])
	}
	return c, true
}

// concentrated makes concentration steps until the determinant stays the same: each uses the h records nearest to
// the candidate, and never increases the determinant.
func (s *mcdSearch) concentrated(variables [][]float64, c candidate, h, steps int) (candidate, error) {
	for range steps {
		if err := s.ctx.Err(); err != nil {
			return c, err
		}
		nearest := leastPlaces(mahalanobis(variables, c.center, c.root), h)
		next, ok := s.of(variables, nearest)
		if !ok {
			return c, fmt.Errorf("half of the records lie on a line or plane: %w", ErrSingular)
		}
		if next.logDeterminant >= c.logDeterminant && steps > 2 {
			return c, nil
		}
		c = next
	}
	return c, nil
}

// best returns the best candidate of n records.
func (s *mcdSearch) best(n, h int) (candidate, error) {
	if n <= 2*mcdGroup {
		candidates, err := s.starts(s.variables, h, mcdStarts)
		if err != nil {
			return candidate{}, err
		}
		return s.follow(s.variables, candidates, h)
	}
	parts := min(mcdParts, n/mcdGroup)
	sample := s.sample(n, parts*mcdGroup)
	var candidates []candidate
	for part := range parts {
		some := Picked(s.variables, sample[part*mcdGroup:(part+1)*mcdGroup])
		found, err := s.starts(some, mcdGroup*h/n, mcdStarts/parts)
		if err != nil {
			return candidate{}, err
		}
		candidates = append(candidates, found...)
	}
	merged := Picked(s.variables, sample)
	if len(sample) < n {
		for i := range candidates {
			var err error
			if candidates[i], err = s.concentrated(merged, candidates[i], len(sample)*h/n, 2); err != nil {
				return candidate{}, err
			}
		}
		candidates = fewest(candidates)
	}
	return s.follow(s.variables, candidates, h)
}

// starts returns the best candidates of the given number of random starts.
func (s *mcdSearch) starts(variables [][]float64, h, starts int) ([]candidate, error) {
	n, p := len(variables[0]), len(variables)
	var candidates []candidate
	for range starts {
		records := s.sample(n, p+1)
		c, ok := s.of(variables, records)
		for !ok && len(records) < n { // extend a degenerate subset
			records = s.sample(n, len(records)+1)
			c, ok = s.of(variables, records)
		}
		if !ok {
			return nil, fmt.Errorf("the records lie on a line or plane: %w", ErrSingular)
		}
		c.logDeterminant = math.Inf(1)
		c, err := s.concentrated(variables, c, h, 2)
		if err != nil {
			return nil, err
		}
		candidates = append(candidates, c)
	}
	return fewest(candidates), nil
}

// fewest returns the candidates with the smallest determinants.
func fewest(candidates []candidate) []candidate {
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.logDeterminant, b.logDeterminant) })
	return candidates[:min(len(candidates), mcdBest)]
}

// follow follows candidates to convergence and returns the best; with many records, only the two that are best
// after two steps.
func (s *mcdSearch) follow(variables [][]float64, candidates []candidate, h int) (candidate, error) {
	if len(variables[0]) > mcdParts*mcdGroup {
		for i := range candidates {
			var err error
			if candidates[i], err = s.concentrated(variables, candidates[i], h, 2); err != nil {
				return candidate{}, err
			}
		}
		candidates = fewest(candidates)[:min(2, len(candidates))]
	}
	best := candidate{logDeterminant: math.Inf(1)}
	for _, c := range candidates {
		c.logDeterminant = math.Inf(1) // the determinant of fewer records is not comparable
		c, err := s.concentrated(variables, c, h, mcdSteps)
		if err != nil {
			return best, err
		}
		if c.logDeterminant < best.logDeterminant {
			best = c
		}
	}
	return best, nil
}

// sample returns count distinct random numbers below n.
func (s *mcdSearch) sample(n, count int) []uint32 {
	taken, places := make(map[int]bool, count), make([]uint32, 0, count)
	for k := n - count; k < n; k++ { // Floyd's algorithm
		place := s.stream.IntN(k + 1)
		if taken[place] {
			place = k
		}
		taken[place] = true
		places = append(places, uint32(place))
	}
	random.Shuffle(s.stream, places)
	return places
}

// consistency returns the consistency factor of the covariance of the share alpha of normal data nearest to its
// centre. [Croux and Haesbroeck 1999]
func consistency(p int, alpha float64) float64 {
	if alpha >= 1 {
		return 1
	}
	q := distuv.ChiSquared{K: float64(p)}.Quantile(alpha)
	return alpha / mathext.GammaIncReg(float64(p)/2+1, q/2)
}

// Mahalanobis returns the squared Mahalanobis distances of all records from a centre, or ErrSingular if the
// covariance has no inverse.
func Mahalanobis(variables [][]float64, center []float64, covariance Matrix) ([]float64, error) {
	root, err := covariance.Cholesky()
	if err != nil {
		return nil, err
	}
	return mahalanobis(variables, center, root), nil
}
