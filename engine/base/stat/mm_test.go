package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The regression of the stack loss data (Brownlee 1965) equals that of lmrob in the R package robustbase 0.95-0
// with the biweight, tuning.chi 1.54764, tuning.psi 4.685061 and 5000 subsamples.
func TestMMRegressionOfStackLoss(t *testing.T) {
	x := [][]float64{{80, 80, 75, 62, 62, 62, 62, 62, 58, 58, 58, 58, 58, 58, 50, 50, 50, 50, 50, 56, 70},
		{27, 27, 25, 24, 22, 23, 24, 24, 23, 18, 18, 17, 18, 19, 18, 18, 19, 19, 20, 20, 20},
		{89, 88, 90, 87, 87, 87, 93, 93, 87, 80, 89, 88, 82, 93, 89, 86, 72, 79, 80, 82, 91}}
	y := []float64{42, 37, 37, 28, 18, 18, 19, 20, 15, 14, 14, 13, 11, 12, 8, 7, 8, 8, 9, 15, 15}
	fit, scale, err := MMRegression(t.Context(), y, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-41.524611670, 0.938845476897, 0.579552744156, -0.112921861954} {
		if got := append([]float64{fit.Intercept}, fit.Slopes...)[i]; math.Abs(got-want) > 1e-8 {
			t.Errorf("coefficient %d is %v, want %v", i, got, want)
		}
	}
	if math.Abs(scale-1.91235190664) > 1e-8 {
		t.Errorf("the scale is %v", scale)
	}
}

// A record with weight 2 counts like two records, and 40 % outliers do not affect a relation with small errors.
func TestMMRegressionWeighs(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	const n = 200
	y, x, weights := make([]float64, n), [][]float64{make([]float64, n)}, make([]float64, n)
	twice, more := append([]float64(nil), y...), [][]float64{nil}
	twice = twice[:0]
	for i := range n {
		x[0][i] = draw.NormFloat64()
		y[i], weights[i] = 1+2*x[0][i]+0.1*draw.NormFloat64(), float64(1+i%2)
		if i%5 < 2 {
			y[i], weights[i] = 50+draw.NormFloat64(), 1
		}
		for range int(weights[i]) {
			twice, more[0] = append(twice, y[i]), append(more[0], x[0][i])
		}
	}
	fit, scale, err := MMRegression(t.Context(), y, x, weights)
	if err != nil || math.Abs(fit.Slopes[0]-2) > 0.05 || math.Abs(fit.Intercept-1) > 0.05 {
		t.Errorf("%+v, %v", fit, err)
	}
	// The scales differ by their denominators only.
	same, sameScale, err := MMRegression(t.Context(), twice, more, nil)
	if err != nil || math.Abs(fit.Slopes[0]-same.Slopes[0]) > 1e-3 || math.Abs(fit.Intercept-same.Intercept) > 1e-3 ||
		math.Abs(scale/sameScale-1) > 0.02 {
		t.Errorf("weighted %+v and %v, records repeated %+v and %v, %v", fit, scale, same, sameScale, err)
	}
	for i, v := range map[int]float64{0: WeightedCovariance(x, weights)[0][0], 1: WeightedCovariance([][]float64{more[0]}, nil)[0][0]} {
		if want := Variance(more[0]) * []float64{float64(len(twice)-1) / float64(len(twice)), 1}[i]; math.Abs(v-want) > 1e-12 {
			t.Errorf("variance %v, want %v", v, want)
		}
	}
}
