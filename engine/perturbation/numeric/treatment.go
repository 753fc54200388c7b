package numeric

import (
	"fmt"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// What is done with records that lack a value of one of the variables.
const (
	Leave    = "leave"    // they stay as they are
	Refuse   = "refuse"   // the step is not made
	Patterns = "patterns" // those that lack the same are masked by themselves, by what they have
)

// How many decimals masked numbers have.
const (
	Computed = "computed" // as many as tell them
	AsSource = "source"   // those of their variable as it was read
)

// LeastOfPattern is the number of records without which those that lack the same values
// are not masked by themselves, where the method makes no groups of a size.
const LeastOfPattern = 10

// Treatment is what all methods that mask numbers are asked besides: it is a part of
// each, and its parameters stand behind the method's own.
type Treatment struct {
	Missing  string
	Decimals string
}

// DefaultTreatment leaves records that lack a value as they are, and gives masked numbers the
// decimals of their source.
func DefaultTreatment() Treatment { return Treatment{Leave, AsSource} }

// FormerDefaults says that before a version of a method masked numbers had as many decimals
// as were computed, unless a step asked for those of the source.
func FormerDefaults(before int) []method.Former {
	return []method.Former{{Before: before, Param: "decimals", Value: Computed}}
}

// Params returns the parameters, bound to the fields of t, for variables that a parameter
// are named by; least says how many records must lack the same to be masked by themselves.
func (t *Treatment) Params(least string) []method.Param {
	return []method.Param{
		method.Choice(&t.Missing, "missing", "records with a missing value: leave them unchanged, refuse the step, or mask records with the same missing "+
			"variables separately; fewer than "+least+" are left unchanged", Leave, Refuse,
			Patterns).Called("unchanged", "refused", "masked by the values they have"),
		method.Choice(&t.Decimals, "decimals", "decimals of masked values: those of the original variable, which hides the masked values; or as computed, "+
			"if figures must be kept exactly", AsSource, Computed).Called("as in the original",
			"as computed"),
	}
}

// LeastOr returns the least number of records of a pattern that a method needs, which is
// no less than LeastOfPattern.
func LeastOr(needed int) int { return max(needed, LeastOfPattern) }

// places is how numbers of a variable are spelled in the source.
type places struct {
	most  int  // decimals that a number has
	fixed bool // all numbers have as many, zeros at the end too
}

// Exactly bounds the numbers that can be rounded: larger ones have no decimals that count.
const Exactly = 1 << 51

// placesOf looks how a variable is spelled as it was read.
func placesOf(column *microdata.Column) places {
	p := places{most: -1, fixed: true}
	p.look(column)
	return p.told()
}

// told returns what was found, which may be nothing.
func (p places) told() places {
	p.most = max(0, p.most)
	return p
}

// look looks at more cells; most is below 0 where there were none.
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

// mostDecimals is the number of decimals up to which a power of ten is exact.
const mostDecimals = 22

// decimalsThatTell returns how many decimals tell a number, from so many on.
func decimalsThatTell(x float64, from int) int {
	for decimals := from; decimals < mostDecimals; decimals++ {
		if rounded(x, decimals) == x {
			return decimals
		}
	}
	return mostDecimals
}

// rounded rounds a number to so many decimals; one that has these comes out as it is.
func rounded(x float64, decimals int) float64 {
	scale := math.Pow10(min(decimals, mostDecimals))
	if scaled := x * scale; math.Abs(scaled) < Exactly {
		return math.Round(scaled)/scale + 0 // never "-0"
	}
	return x
}

// spelling returns the decimals that masked values of a variable are spelled with.
func (t *Table) spelling(j int) uint8 {
	if t.places != nil && t.places[j].fixed {
		return uint8(min(t.places[j].most, microdata.Shortest))
	}
	return microdata.Shortest
}

// Round gives masked values the decimals of their source, where that is asked for: Masked
// does, and who needs them before.
func (t *Table) Round(masked [][]float64) {
	for j := range masked {
		t.round(j, masked[j])
	}
}

// Decimals returns the decimals that masked values of a variable are rounded to; false: they are not.
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

// refused reports records that lack a value where they are not to be left.
func (t *Table) refused(n int) error {
	names := t.names()
	return fmt.Errorf("%w: %s a missing value where %s masked; remove these records or variables, or choose how to treat them "+
		"(missing)",
		method.ErrInput, wording.Does(n, "record", "have"), wording.Listed(names)+" "+wording.Verb(len(names), "are"))
}
