package recode

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Round rounds the current numbers of a variable to multiples of a base, with ties away from zero: 2.5 to 3 and
// -2.5 to -3 for base 1. All results have as many decimals as the base. Missing values stay missing.
type Round struct {
	Variable string
	Base     float64 // positive, such as 5, 0.5 or 1000
}

// RoundSpec describes recode-round for the catalog.
func RoundSpec() method.Spec {
	return method.Spec{
		Name:  "recode-round",
		Title: "Rounding",
		Help: "Rounds numbers to multiples of a base: incomes to hundreds with base 100, body weights to halves with base " +
			"0.5. Ties are rounded away from zero: 250 becomes 300, and -250 becomes -300. Rounded values have as many " +
			"decimals as the base.",
		Cite:    "Hundepool et al. (2012), Statistical Disclosure Control, section 3.5",
		Key:     "r",
		Sample:  `{"variable":"income","base":500}`,
		New:     method.From(Round{}),
		Propose: method.With((*Round).propose),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Round) Params() []method.Param {
	return []method.Param{
		variableParam(&m.Variable, microdata.RoleWeight).Among(method.NumericVariables),
		method.Number(&m.Base, "base", "round to multiples of this number, such as 5 or 0.5").Needed(),
	}
}

// Regroup returns the mapping of the numbers to multiples of the base.
func (m *Round) Regroup(in method.Input, target *microdata.Column) (r method.Regrouping, err error) {
	if !(m.Base > 0) || math.IsInf(m.Base, 0) {
		return r, method.ParamError("\"base\" is %v; it must be a number above 0", m.Base)
	}
	if !target.Numeric() {
		return r, fmt.Errorf("recode-round %w: %q is not a numeric variable; group its categories instead",
			method.ErrInput, m.Variable)
	}
	rounding := newRounding(m.Base)
	before := target.Categories().Levels
	after := make([]microdata.Level, len(before))
	for i, level := range before {
		after[i] = rounding.of(level)
	}
	r = numbered(target, after)
	r.Title = fmt.Sprintf("round %s: to multiples of %s", m.Variable, numberLabel(m.Base))
	return r, nil
}

// rounder rounds numbers to multiples of a base.
type rounder struct {
	last     microdata.Level // last result, because neighbours often have the same
	base     float64
	decimals int     // of the base
	units    int64   // base in units of 10^-decimals; 0: too large, use floating point
	scale    float64 // 10^decimals
}

func newRounding(base float64) rounder {
	_, fraction, _ := strings.Cut(strconv.FormatFloat(base, 'f', -1, 64), ".")
	r := rounder{base: base, decimals: len(fraction), scale: math.Pow10(len(fraction))}
	if units := math.Round(base * r.scale); units <= method.MostWhole && units/r.scale == base {
		r.units = int64(units)
	}
	return r
}

// of returns the level of the nearest multiple.
func (r *rounder) of(level microdata.Level) microdata.Level {
	value, ok := r.exact(level.Value)
	if !ok {
		value = math.Round(level.Value/r.base) * r.base
	}
	if math.IsInf(value, 0) || math.IsNaN(value) {
		return level // exceeds floating-point precision
	}
	if value == 0 {
		value = 0 // never "-0"
	}
	if value != r.last.Value || r.last.Label == "" {
		r.last = microdata.Level{Label: string(microdata.AppendDecimal(nil, value, r.decimals)), Value: value}
	}
	return r.last
}

// exact rounds in integers, so that 0.15 is halfway between 0.1 and 0.2 although no float64 is. ok is false if the
// numbers are too large or have too many decimals.
func (r *rounder) exact(x float64) (value float64, ok bool) {
	for decimals, scale := r.decimals, r.scale; r.units > 0 && decimals <= 15; decimals, scale = decimals+1, scale*10 {
		scaled := math.Round(math.Abs(x) * scale)
		unit := float64(r.units) * (scale / r.scale)
		if !(scaled < 1e15) || unit > 1e15 {
			return 0, false
		}
		if scaled/scale != math.Abs(x) {
			continue
		}
		number, base := int64(scaled), int64(unit)
		multiple := number / base
		if rest := number - multiple*base; rest >= base-rest {
			multiple++
		}
		return math.Copysign(float64(multiple*r.units)/r.scale, x), true
	}
	return 0, false
}

// Narrate states that the numbers were rounded.
func (m *Round) Narrate(*method.Report) string {
	return fmt.Sprintf("The values of %s were rounded.", m.Variable)
}
