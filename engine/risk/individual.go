package risk

import "math"

// Formula identifies the formula of an individual risk.
type Formula uint8

// Formulas of the individual risk, with p = f/F and q = 1-p.
const (
	FormulaWhole  Formula = iota // f = F, or no weights: 1/f
	FormulaOne                   // f = 1: p/q ln(1/p)
	FormulaTwo                   // f = 2: p/q - (p/q)^2 ln(1/p)
	FormulaApprox                // f > 2: p / (f - q)
	FormulaExact                 // the hypergeometric function: (p^f / f) 2F1(f, f; f+1; q)
)

// String returns the formula as it is written, with p = f/F and q = 1-p.
func (f Formula) String() string {
	switch f {
	case FormulaWhole:
		return "1/f"
	case FormulaOne:
		return "p/q ln(1/p)"
	case FormulaTwo:
		return "p/q - (p/q)^2 ln(1/p)"
	case FormulaApprox:
		return "p/(f-q)"
	default:
		return "(p^f/f) 2F1(f,f;f+1;q)"
	}
}

// whole is the rounding error within which a frequency counts as an integer.
const whole = 1e-9

// FormulaOf returns the formula for a sample frequency f and a population
// frequency F.
func FormulaOf(f, F float64, exact bool) Formula {
	switch {
	case !(F > f):
		return FormulaWhole
	case math.Abs(f-1) <= whole:
		return FormulaOne
	case math.Abs(f-2) <= whole:
		return FormulaTwo
	case exact || math.Abs(f-math.RoundToEven(f)) > whole:
		return FormulaExact
	default:
		return FormulaApprox
	}
}

// Individual returns the individual risk of a record: the probability of a correct link, given the sample
// frequency f >= 1 of its key pattern and the estimated population frequency F. F below f is raised to f. exact
// selects the hypergeometric function for integers f above 2; it is always used if f is not an integer. Franconi
// and Polettini 2004; Hundepool et al., Statistical Disclosure Control, 2012, 3.3.
func Individual(f, F float64, exact bool) float64 {
	return FormulaOf(f, F, exact).evaluate(f, F)
}

// evaluate computes the risk by the formula.
func (formula Formula) evaluate(f, F float64) float64 {
	p := f / F
	q := 1 - p
	switch {
	case formula == FormulaWhole:
		return 1 / f
	case formula == FormulaApprox:
		return p / (f - q)
	case formula == FormulaExact || q < nearCertain:
		return exactRisk(f, p)
	case formula == FormulaOne:
		return p / q * math.Log(1/p)
	default:
		odds := p / q
		return odds - float64(float64(odds*odds)*math.Log(1/p))
	}
}

// nearCertain is the q below which the formulas with ln(1/p) lose digits. There the series is as accurate and as
// fast.
const nearCertain = 0.01
