package check

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

const (
	multipleShare = 95   // percent of the records in which a relation holds
	multipleError = 1e-3 // by which a relation may differ from the value, as a share of it
	multipleLeast = 20   // records without which nothing is found
	multipleRows  = 1000 // that a relation is tried on first
	mostFactors   = 60   // variables that are looked at, the first of the file
)

// factor is a released variable with its numbers, NaN for none.
type factor struct {
	name   string
	text   bool
	values []float64
}

// reconstructed finds what other variables reveal of protected values.
func (r *release) reconstructed(ctx context.Context) ([]Finding, error) {
	found, err := r.inferred(ctx)
	if err != nil {
		return nil, err
	}
	more, err := r.multiples(ctx)
	found = slices.DeleteFunc(found, func(f Finding) bool { // what gives the values gives their order too
		return slices.ContainsFunc(more, func(of Finding) bool { return slices.Equal(f.Variables, of.Variables) })
	})
	return append(found, more...), err
}

// multiples finds masked numbers that a multiple or a copy in texts, the product or the ratio
// of two released variables gives within a thousandth.
func (r *release) multiples(ctx context.Context) (found []Finding, err error) {
	var factors []factor
	for _, column := range r.data.Columns() {
		p, ok := r.masked(column.Name())
		if !ok || !column.Numeric() || !p.was.Numeric() || column.Categories().Occurring() <= rareLevels {
			continue
		}
		if factors == nil {
			factors = r.factors()
		}
		if f, ok := multipleOf(ctx, column.Name(), column.Floats(), p.was.Floats(), factors); ok {
			found = append(found, f)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return found, nil
}

// factors returns the released variables of numbers, and of texts that spell amounts.
func (r *release) factors() (all []factor) {
	for _, column := range r.data.Columns() {
		if len(all) == mostFactors {
			break
		}
		l := column.Categories()
		switch {
		case column.Numeric() && l.Occurring() > 2:
			all = append(all, factor{column.Name(), false, column.Floats()})
		case !column.Numeric() && levelsOf(column).most(80, spellsAmount):
			all = append(all, factor{column.Name(), true, amountsOf(column)})
		}
	}
	return all
}

// amountsOf returns the amounts that texts spell.
func amountsOf(column *microdata.Column) []float64 {
	l := column.Categories()
	of := make([]float64, len(l.Levels)+1)
	of[0] = math.NaN()
	for i, level := range l.Levels {
		of[i+1] = amountIn(level.Label)
	}
	values := make([]float64, column.Len())
	for row, code := range l.Codes.Between(0, column.Len()) {
		values[row] = of[code]
	}
	return values
}

func spellsAmount(level microdata.Level) bool { return !math.IsNaN(amountIn(level.Label)) }

// amountIn returns the number that a text such as "EUR 1 234,50" or "$1,234.50" spells; NaN for none.
func amountIn(text string) float64 {
	letters := 0
	digits := strings.Map(func(c rune) rune {
		switch {
		case c >= '0' && c <= '9' || c == '.' || c == ',' || c == '-':
			return c
		case unicode.IsLetter(c):
			letters++
		}
		return -1
	}, text)
	mark := strings.LastIndexAny(digits, ".,")
	if mark >= 0 && strings.Count(digits, digits[mark:mark+1]) == 1 && len(digits)-mark-1 != 3 {
		digits = strings.NewReplacer(".", "", ",", "").Replace(digits[:mark]) + "." + digits[mark+1:]
	} else {
		digits = strings.NewReplacer(".", "", ",", "").Replace(digits)
	}
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil || letters > 4 {
		return math.NaN()
	}
	return x
}

// multipleOf returns the first relation that gives a masked variable.
func multipleOf(ctx context.Context, name string, now, was []float64, factors []factor) (Finding, bool) {
	for i := range factors {
		a := &factors[i]
		if a.name == name {
			continue
		}
		if scale := scaleOf(was, a.values); scale != 0 {
			relation := func(row int) float64 { return scale * a.values[row] }
			if f, ok := relate(name, now, was, relation); ok {
				f.Variables, f.Fixes = append(f.Variables, a.name), []Fix{leaving(a.name)}
				f.Text += a.copied(scale)
				return f, true
			}
		}
		for j := range factors {
			b := &factors[j]
			if ctx.Err() != nil || b.name == name || i == j {
				continue
			}
			for _, by := range []string{"times", "divided by"} {
				if by == "times" && j < i {
					continue
				}
				relation := func(row int) float64 { return a.values[row] * b.values[row] }
				if by != "times" {
					relation = func(row int) float64 { return a.values[row] / b.values[row] }
				}
				if f, ok := relate(name, now, was, relation); ok {
					f.Variables, f.Fixes = append(f.Variables, a.name, b.name), []Fix{leaving(a.name), leaving(b.name)}
					f.Text += fmt.Sprintf("%s %s %s.", a.name, by, b.name)
					return f, true
				}
			}
		}
	}
	return Finding{}, false
}

// copied says how a variable gives another one.
func (f *factor) copied(scale float64) string {
	switch {
	case math.Abs(scale-1) > multipleError:
		return f.name + " is a multiple of them."
	case f.text:
		return f.name + " has them as text."
	}
	return f.name + " is a copy of them."
}

// scaleOf returns the ratio of two variables in the middle one of the records that have both; 0: there is none.
func scaleOf(was, of []float64) float64 {
	var ratios []float64
	for row, step := 0, max(1, len(was)/multipleRows); row < len(was); row += step {
		if ratio := was[row] / of[row]; ratio != 0 && !math.IsNaN(ratio) && !math.IsInf(ratio, 0) {
			ratios = append(ratios, ratio)
		}
	}
	if len(ratios) == 0 {
		return 0
	}
	return stat.Median(ratios)
}

// relate counts the masked values that a relation gives. It is tried on a few records first.
func relate(name string, now, was []float64, relation func(row int) float64) (Finding, bool) {
	f := Finding{Variables: []string{name}}
	near := func(x, was float64) bool { return math.Abs(x-was) <= multipleError*math.Abs(was) }
	holds := func(step int) bool {
		known, holds := 0, 0
		f.Count, f.Of = 0, 0
		for row := 0; row < len(was); row += step {
			x, truth := relation(row), was[row]
			if truth == 0 || math.IsNaN(truth) || math.IsNaN(x) {
				continue
			}
			right := near(x, truth)
			if known++; right {
				holds++
			}
			if !near(now[row], truth) {
				if f.Of++; right {
					f.Count++
				}
			}
		}
		return known >= multipleLeast && 100*holds >= multipleShare*known
	}
	if !holds(max(1, len(was)/multipleRows)) || !holds(1) || f.Count == 0 || 100*f.Count < multipleShare*f.Of {
		return f, false
	}
	f.Text = fmt.Sprintf("%s of %s that masking changed can be computed: ", wording.Number(f.Count),
		wording.Counted(f.Of, "value")+" of "+name)
	return f, true
}
