package numeric

import (
	"fmt"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Treatment of records with a missing value in one of the variables.
const (
	Leave    = "leave"    // leave them unmasked
	Refuse   = "refuse"   // refuse the step
	Patterns = "patterns" // mask those with the same missing variables separately
)

// Decimals of masked numbers.
const (
	Computed = "computed" // as many as needed for the exact value
	AsSource = "source"   // as in the original variable
)

// LeastOfPattern is the minimum number of records with the same missing variables for which they are masked
// separately, unless the method has groups of a given size.
const LeastOfPattern = 10

// Treatment has the common parameters of all methods that mask numbers. It is embedded in each, and its parameters
// follow the method's own.
type Treatment struct {
	Missing  string
	Decimals string
}

// DefaultTreatment leaves records with a missing value unmasked and rounds masked numbers to the decimals of the
// source.
func DefaultTreatment() Treatment { return Treatment{Leave, AsSource} }

// FormerDefaults returns the former default of decimals: before the given version of a method it was Computed.
func FormerDefaults(before int) []method.Former {
	return []method.Former{{Before: before, Param: "decimals", Value: Computed}}
}

// Params returns the parameters, bound to the fields of t. least describes the minimum number of records with the
// same missing variables.
func (t *Treatment) Params(least string) []method.Param {
	return []method.Param{
		method.Choice(&t.Missing, "missing", "records with a missing value: leave them unchanged, refuse the step, or mask records with the same missing "+
			"variables separately; sets smaller than "+least+" stay unchanged", Leave, Refuse,
			Patterns).Called("unchanged", "refused", "masked by missing-value pattern"),
		method.Choice(&t.Decimals, "decimals", "decimals of masked values: those of the original variable, which hides which values are masked; or as computed, "+
			"if figures must be kept exactly", AsSource, Computed).Called("as in the original",
			"as computed"),
	}
}

// LeastOr returns the minimum number of records of a pattern, given the number that a method needs.
func LeastOr(needed int) int { return max(needed, LeastOfPattern) }

// places describes the decimals of a variable in the source.
type places struct {
	most  int  // maximum number of decimals
	fixed bool // all numbers have this many, including trailing zeros
}

// Exactly limits the numbers that are rounded: larger ones have no significant decimals.
const Exactly = 1 << 51

// placesOf finds the decimals of a variable in the source.
func placesOf(column *microdata.Column) places {
	p := places{most: -1, fixed: true}
	p.look(column)
	return p.result()
}

// result returns the result, with 0 decimals if there were no cells.
func (p places) result() places {
	p.most = max(0, p.most)
	return p
}

// look adds the cells of a column; most is negative if there were none so far.
func (p *places) look(column *microdata.Column) {
	if source := column.Source(); source.Numeric() {
		column = source
	}
	add := func(decimals int) {
		p.fixed = p.fixed && (decimals == p.most || p.most < 0)
		p.most = max(p.most, decimals)
	}
	numbers := column.StoredAsNumbers()
	switch {
	case numbers == nil:
		for _, level := range column.Categories().Levels {
			decimals := decimalsThatTell(level.Value, 0)
			if _, fraction, _ := strings.Cut(level.Label, "."); !strings.ContainsAny(fraction, "eE") {
				decimals = max(decimals, len(fraction))
			}
			add(decimals)
		}
	case numbers.Decimals < microdata.Shortest:
		add(int(numbers.Decimals))
	default:
		p.fixed = false
		for _, x := range numbers.Values {
			if x == x {
				add(decimalsThatTell(x, max(0, p.most)))
			}
		}
	}
}

// mostDecimals is the maximum number of decimals for which a power of ten is exact.
const mostDecimals = 22

// decimalsThatTell returns the number of decimals, at least from, that represent a number exactly.
func decimalsThatTell(x float64, from int) int {
	for decimals := from; decimals < mostDecimals; decimals++ {
		if rounded(x, decimals) == x {
			return decimals
		}
	}
	return mostDecimals
}

// rounded rounds a number to a number of decimals. A number that has no more decimals is returned exactly.
func rounded(x float64, decimals int) float64 {
	scale := math.Pow10(min(decimals, mostDecimals))
	if scaled := x * scale; math.Abs(scaled) < Exactly {
		return math.Round(scaled)/scale + 0 // never "-0"
	}
	return x
}

// spelling returns the number of decimals with which masked values of a variable are formatted.
func (t *Table) spelling(j int) uint8 {
	if t.places != nil && t.places[j].fixed {
		return uint8(min(t.places[j].most, microdata.Shortest))
	}
	return microdata.Shortest
}

// Round rounds masked values to the decimals of the source, if the treatment requires it. Masked calls it; methods
// call it if they need rounded values earlier.
func (t *Table) Round(masked [][]float64) {
	for j := range masked {
		t.round(j, masked[j])
	}
}

// Decimals returns the number of decimals to which masked values of a variable are rounded, or false if they are
// not.
func (t *Table) Decimals(j int) (int, bool) {
	if t.places == nil {
		return 0, false
	}
	return t.places[j].most, true
}

func (t *Table) round(j int, masked []float64) {
	if t.places == nil {
		return
	}
	for i, x := range masked {
		if x != t.Values[j][i] && x == x {
			masked[i] = rounded(x, t.places[j].most)
		}
	}
}

// refused returns the error for incomplete records under the treatment Refuse.
func (t *Table) refused(n int) error {
	names := t.names()
	return fmt.Errorf("%w: %s a missing value where %s masked; remove these records or variables, or choose how to treat them "+
		"(missing)",
		method.ErrInput, wording.Does(n, "record", "have"), wording.Listed(names)+" "+wording.Verb(len(names), "are"))
}
