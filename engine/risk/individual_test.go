package risk

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// bigSeries sums (p/f) 2F1(1, 1; f+1; 1-p) with 200 bits.
func bigSeries(f, p float64) float64 {
	real := func(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
	q := new(big.Float).Sub(real(1), real(p))
	sum, term := real(1), real(1)
	for n := 0; n < 2_000_000; n++ {
		term.Mul(term, q)
		term.Mul(term, real(float64(n+1)))
		term.Quo(term, new(big.Float).Add(real(f), real(float64(n+1))))
		sum.Add(sum, term)
		if term.Cmp(new(big.Float).Mul(sum, real(1e-18))) < 0 {
			break
		}
	}
	sum.Mul(sum, real(p))
	result, _ := sum.Quo(sum, real(f)).Float64()
	return result
}

func TestExactRiskAgainstSeries(t *testing.T) {
	for _, f := range []float64{1, 1.0001, 1.5, 2, 2.25, 2.999, 3, 4.5, 7.3, 10, 19.5, 19, 20, 33.25, 1000, 123456} {
		for _, p := range []float64{0.001, 0.01, 0.1, 0.29, 0.31, 0.5, 0.9, 0.999999} {
			got, want := exactRisk(f, p), bigSeries(f, p)
			if math.Abs(got-want) > 1e-11*want {
				t.Errorf("f %v, p %v: %.15g, want %.15g (%.1e)", f, p, got, want, got/want-1)
			}
		}
	}
}

// TestExactRiskOfRareKeys checks small p against the transformation to 1-z, which holds if f is not an integer
// (Abramowitz and Stegun 15.3.6).
func TestExactRiskOfRareKeys(t *testing.T) {
	for _, f := range []float64{1.25, 1.5, 2.5, 3.75, 6.5, 12.5} {
		for _, p := range []float64{0.2, 1e-3, 1e-6, 1e-9} {
			want := p/(f-1)*seriesOne2(2-f, p) + math.Pi/math.Sin(math.Pi*f)*math.Pow(p/(1-p), f)
			if got := exactRisk(f, p); math.Abs(got-want) > 1e-10*want {
				t.Errorf("f %v, p %v: %.15g, want %.15g (%.1e)", f, p, got, want, got/want-1)
			}
		}
	}
}

// seriesOne2 sums 2F1(1, 1; c; z) where c may be negative.
func seriesOne2(c, z float64) float64 {
	sum, term := 1.0, 1.0
	for n := 0.0; n < 400; n++ {
		term *= (n + 1) / (c + n) * z
		sum += term
	}
	return sum
}

func TestClosedFormOfThree(t *testing.T) {
	p := 3.0 / 100
	q := 1 - p
	want := p * (q*(3*q-2) - 2*p*p*math.Log(p)) / (2 * q * q * q)
	if got := Individual(3, 100, true); math.Abs(got-want) > 1e-15 || math.Abs(got-0.0146111226) > 5e-11 {
		t.Errorf("risk of (3, 100) is %.12g, want %.12g", got, want)
	}
}

func TestFormulas(t *testing.T) {
	for _, c := range []struct {
		f, F  float64
		exact bool
		want  Formula
	}{
		{1, 100, false, FormulaOne}, {2, 100, true, FormulaTwo}, {3, 100, false, FormulaApprox},
		{3, 100, true, FormulaExact}, {1.5, 100, false, FormulaExact}, {3, 3, true, FormulaWhole},
		{3, 1, false, FormulaWhole}, {3, math.NaN(), false, FormulaWhole},
	} {
		if got := FormulaOf(c.f, c.F, c.exact); got != c.want {
			t.Errorf("f %v, F %v, exact %v: %v, want %v", c.f, c.F, c.exact, got, c.want)
		}
	}
}

func TestIndividualRiskIsSmoothAndBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64Range(1, 60).Draw(t, "f")
		F := f * math.Exp(rapid.Float64Range(0, 20).Draw(t, "ln F/f"))
		r := Individual(f, F, true)
		if !(r >= 1/F*(1-1e-12)) || r > 1/f+1e-12 {
			t.Fatalf("risk of (%v, %v) is %v: not between 1/F and 1/f", f, F, r)
		}
		if next := Individual(f+1e-6, F*(f+1e-6)/f, true); math.Abs(next-r) > 1e-4*r {
			t.Fatalf("risk jumps at f = %v, F = %v: %v, %v", f, F, r, next)
		}
	})
}

func BenchmarkExactRisk(b *testing.B) {
	for range b.N {
		exactRisk(1.5, 0.003)
	}
}
