package stat_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// stars returns the Hertzsprung-Russell diagram of the cluster CYG OB1 (Rousseeuw and Leroy 1987): logarithms of
// temperature and light intensity.
func stars() [][]float64 {
	return [][]float64{{
		4.37, 4.56, 4.26, 4.56, 4.30, 4.46, 3.84, 4.57, 4.26, 4.37, 3.49, 4.43, 4.48, 4.01, 4.29, 4.42, 4.23, 4.42, 4.23,
		3.49, 4.29, 4.29, 4.42, 4.49,
		4.38, 4.42, 4.29, 4.38, 4.22, 3.48, 4.38, 4.56, 4.45, 3.49, 4.23, 4.62, 4.53, 4.45, 4.53, 4.43, 4.38, 4.45, 4.50,
		4.45, 4.55, 4.45, 4.42,
	}, {
		5.23, 5.74, 4.93, 5.74, 5.19, 5.46, 4.65, 5.27, 5.57, 5.12, 5.73, 5.45, 5.42, 4.05, 4.26, 4.58, 3.94, 4.18, 4.18,
		5.89, 4.38, 4.22, 4.42, 4.85,
		5.02, 4.66, 4.66, 4.90, 4.39, 6.05, 4.42, 5.10, 5.22, 6.29, 4.34, 5.62, 5.10, 5.22, 5.18, 5.57, 4.62, 5.06, 5.34,
		5.34, 5.54, 4.98, 4.50,
	}}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// Figures of covMcd in the R package robustbase.
func TestMCDOfStars(t *testing.T) {
	for turned := range 5 { // a different order of records gives different starts
		x := stars()
		for j := range x {
			x[j] = append(x[j][turned:], x[j][:turned]...)
		}
		m, err := stat.NewMCD(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		for _, in := range m.Kept {
			if in {
				kept++
			}
		}
		if m.H != 25 || kept != 41 {
			t.Errorf("h %d, %d kept", m.H, kept)
		}
		near(t, "raw log determinant", m.RawLogDeterminant, -8.0312152, 5e-8)
		near(t, "centre of temperature", m.Center[0], 4.40902439, 5e-9)
		near(t, "centre of light", m.Center[1], 4.94902439, 5e-9)
	}
}

func TestMCDTellsSingularData(t *testing.T) {
	constant, line := make([]float64, 50), make([]float64, 50)
	for i := range line {
		line[i] = float64(i * i % 37)
	}
	for name, variables := range map[string][][]float64{"constant": {line, constant}, "line": {line, line},
		"few": {line[:3], constant[:3]},
		"mostly a value that is not its own mean": {append(slices.Repeat([]float64{0.1}, 30), line[30:]...)}} {
		if _, err := stat.NewMCD(context.Background(), variables); !errors.Is(err, stat.ErrSingular) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// The small-sample factors, extrapolated to few records, have a pole and become negative: samples near it are
// rejected, and one record more is sufficient for an estimate. The median distance of normal data is then at least
// 0.6 of that of the normal distribution; with 9 records of 3 variables, just above the pole, it was 0.3.
func TestMCDTellsTooFewRecords(t *testing.T) {
	stream := rand.New(rand.NewPCG(3, 4))
	for p, least := range map[int]int{1: 4, 2: 8, 3: 12, 4: 16, 6: 22, 8: 25} {
		x := make([][]float64, p)
		for j := range x {
			for range least {
				x[j] = append(x[j], stream.NormFloat64())
			}
		}
		m, err := stat.NewMCD(context.Background(), x)
		if err != nil {
			t.Errorf("%d records of %d variables: %v", least, p, err)
		} else if m.Factors[1] <= 0 || m.Factors[1] > 2 || m.RawFactors[1] <= 0 {
			t.Errorf("%d records of %d variables: factors %v, %v", least, p, m.RawFactors, m.Factors)
		}
		if median := medianDistance(t, stream, p, least) / stat.NormalDistance(p, 0.5); median < 0.6 || median > 1.1 {
			t.Errorf("%d records of %d variables: the median distance is %.2f of that of the normal distribution", least, p, median)
		}
		for j := range x {
			x[j] = x[j][1:]
		}
		want := fmt.Sprintf("%d records are too few for a robust covariance of %d variables, at least %d are needed", least-1,
			p, least)
		if _, err := stat.NewMCD(context.Background(), x); !errors.Is(err, stat.ErrSingular) || err.Error() != want {
			t.Errorf("%d records of %d variables: %v", least-1, p, err)
		}
	}
}

// medianDistance returns the median distance in 40 samples of normal data.
func medianDistance(t *testing.T, stream *rand.Rand, p, n int) float64 {
	var all []float64
	for range 40 {
		x := make([][]float64, p)
		for j := range x {
			for range n {
				x[j] = append(x[j], stream.NormFloat64())
			}
		}
		m, err := stat.NewMCD(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m.Distances...)
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// Least squares follows the giant stars, robust regression the main sequence. The figures are those of Rousseeuw
// and Leroy (1987), pages 27 to 28: -0.413 x + 6.793 and, reweighted, 3.046 x - 8.500.
func TestRegressionOfStars(t *testing.T) {
	x := stars()
	fit, err := stat.LeastSquares(x[1], x[:1])
	if err != nil || math.Abs(fit.Slopes[0]+0.413) > 5e-4 || math.Abs(fit.Intercept-6.793) > 1e-3 {
		t.Errorf("least squares: %+v, %v", fit, err)
	}
	fit, err = stat.LeastTrimmedSquares(t.Context(), x[1], x[:1])
	if err != nil || math.Abs(fit.Slopes[0]-3.046) > 5e-4 || math.Abs(fit.Intercept+8.500) > 1e-3 {
		t.Errorf("least trimmed squares: %+v, %v", fit, err)
	}
}
