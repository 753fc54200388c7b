package stat

import "math"

// smallSampleFit holds constants of Pison, Van Aelst and Willems (2002), Small sample corrections for LTS and MCD,
// Metrika 55: separate fits for one and two variables, and for more variables the fits at two ratios of records to
// squared variables.
type smallSampleFit struct {
	one, two [2]float64    // log of the coefficient and power of n
	more     [2][3]float64 // coefficient, power of p, and n/p²
}

var smallSampleFits = map[bool][2]smallSampleFit{ // by reweighted; at h/n = 0.5 and 0.875
	false: {
		{[2]float64{0.262024211897096, 0.604756680630497}, [2]float64{0.673292623522027, 0.691365864961895},
			[2][3]float64{{-1.42764571687802, 1.26263336932151, 2}, {-1.06141115981725, 1.28907991440387, 3}}},
		{[2]float64{-0.351584646688712, 1.01646567502486}, [2]float64{0.446537815635445, 1.06690782995919},
			[2][3]float64{{-0.455179464070565, 1.11192541278794, 2}, {-0.294241208320834, 1.09649329149811, 3}}},
	},
	true: {
		{[2]float64{1.11098143415027, 1.5182890270453}, [2]float64{3.11101712909049, 1.91401056721863},
			[2][3]float64{{-1.02842572724793, 1.67659883081926, 2}, {-0.26800273450853, 1.35968562893582, 3}}},
		{[2]float64{-0.66046776772861, 0.88939595831888}, [2]float64{0.79473550581058, 1.10081930350091},
			[2][3]float64{{-0.544482443573914, 1.25994483222292, 2}, {-0.343791072183285, 1.25159004257133, 3}}},
	},
}

// at returns the inverse of the factor for n records of p variables.
func (f *smallSampleFit) at(p, n int) float64 {
	size := float64(n)
	switch p {
	case 1:
		return 1 - math.Exp(f.one[0])/math.Pow(size, f.one[1])
	case 2:
		return 1 - math.Exp(f.two[0])/math.Pow(size, f.two[1])
	}
	// log(-a/p^b) = c0 - c1 log(q p^2), solved from both fits
	var y, x [2]float64
	for i, fit := range f.more {
		y[i] = math.Log(-fit[0] / math.Pow(float64(p), fit[1]))
		x[i] = math.Log(fit[2] * float64(p*p))
	}
	slope := (y[0] - y[1]) / (x[1] - x[0])
	return 1 - math.Exp(y[0]+float64(slope*x[0]))/math.Pow(size, slope)
}

// smallSample returns the small-sample factor for the share alpha of n records of p variables.
func smallSample(p, n int, alpha float64, reweighted bool) float64 {
	fits := smallSampleFits[reweighted]
	half, most := fits[0].at(p, n), fits[1].at(p, n)
	if alpha <= 0.875 {
		return 1 / (half + (most-half)/0.375*(alpha-0.5))
	}
	return 1 / (most + (1-most)/0.125*(alpha-0.875))
}

// mostReweighted is the largest valid factor of a reweighted covariance. The factors were fitted to larger samples
// and have a pole below them: just above it they grow without bound, and distances become a third of their true
// size.
const mostReweighted = 2

// leastOfMCD returns the minimum number of records for an estimate of p variables.
func leastOfMCD(p int) int {
	bad := func(factor float64) bool { return factor <= 0 || factor > mostReweighted }
	n := max(2*p, p+2)
	for smallSample(p, n, mcdShare, false) <= 0 || bad(smallSample(p, n, mcdShare, true)) {
		n++
	}
	return n
}
