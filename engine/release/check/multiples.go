package check

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

const (
	multipleShare = 95   // percentage of records for which a relation must hold
	multipleError = 1e-3 // maximum relative error of a relation
	multipleLeast = 20   // minimum number of records
	multipleRows  = 1000 // rows on which a relation is tried first
	mostFactors   = 60   // variables examined, the first of the file
)

// factor is a released variable with its numbers, NaN for missing.
type factor struct {
	*variable
	values []float64
}

// relation computes the values of a variable from others.
type relation struct {
	by   []*variable
	of   func(row int) float64
	text string
}

// reconstructed finds protected values that other variables reveal.
func (r *release) reconstructed(ctx context.Context) ([]Finding, error) {
	found, err := r.inferred(ctx)
	if err != nil {
		return nil, err
	}
	more, err := r.multiples(ctx)
	found = slices.DeleteFunc(found, func(f Finding) bool { // a relation that reveals values also reveals their order
		return slices.ContainsFunc(more, func(of Finding) bool { return slices.Equal(f.Variables, of.Variables) })
	})
	return append(found, more...), err
}

// multiples finds masked numbers that can be computed from released variables within 0.1 %: as a multiple, a copy
// as text, a product or a ratio.
func (r *release) multiples(ctx context.Context) (found []Finding, err error) {
	factors := sync.OnceValue(r.factors)
	for _, v := range r.variables {
		if !v.masked || !v.Numeric() || !v.was.Numeric() || v.distinct <= rareLevels {
			continue
		}
		now, was := v.Floats(), v.was.Floats()
		for is := range relations(v, was, factors()) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if f := v.relate(now, was, is); f.Count > 0 {
				found = append(found, f)
				break
			}
		}
	}
	return found, nil
}

// factors returns the released variables that are numeric or have texts with amounts.
func (r *release) factors() (all []factor) {
	for _, v := range r.variables {
		switch {
		case len(all) == mostFactors:
		case v.Numeric() && v.distinct > 2:
			all = append(all, factor{v, v.Floats()})
		case !v.Numeric() && v.most(80, spellsAmount):
			all = append(all, factor{v, v.amounts()})
		}
	}
	return all
}

// amounts returns the amounts in the texts.
func (v *variable) amounts() []float64 {
	of := []float64{math.NaN()}
	for _, level := range v.Categories().Levels {
		of = append(of, amountIn(level.Label))
	}
	values := make([]float64, v.Len())
	for row, code := range v.levels.Codes.Between(0, v.Len()) {
		values[row] = of[code]
	}
	return values
}

func spellsAmount(level microdata.Level) bool { return !math.IsNaN(amountIn(level.Label)) }

// amountIn parses a text such as "EUR 1 234,50" or "$1,234.50". It returns NaN if that is not an amount.
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

// relations returns the relations of a variable with values was to one or two factors.
func relations(v *variable, was []float64, factors []factor) iter.Seq[relation] {
	return func(yield func(relation) bool) {
		for i, a := range factors {
			if a.variable == v {
				continue
			}
			scale := scaleOf(was, a.values)
			if scale != 0 && !yield(relation{[]*variable{a.variable}, func(row int) float64 { return scale * a.values[row] }, a.copied(scale)}) {
				return
			}
			for j, b := range factors {
				if b.variable == v || i == j {
					continue
				}
				two := []*variable{a.variable, b.variable}
				times := relation{two, func(row int) float64 { return a.values[row] * b.values[row] }, a.Name() + " times " + b.Name() + "."}
				by := relation{two, func(row int) float64 { return a.values[row] / b.values[row] }, a.Name() + " divided by " + b.Name() + "."}
				if j > i && !yield(times) || !yield(by) {
					return
				}
			}
		}
	}
}

// copied describes how a variable determines another.
func (f *factor) copied(scale float64) string {
	switch {
	case math.Abs(scale-1) > multipleError:
		return f.Name() + " is a multiple of them."
	case !f.Numeric():
		return f.Name() + " has them as text."
	}
	return f.Name() + " is a copy of them."
}

// scaleOf returns the ratio of two variables in the middle one of the records that have both, or 0 if there is
// none.
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

// relate returns the finding of masked values that a relation reveals, with count 0 if there are few. It first
// tries the relation on a few records.
func (v *variable) relate(now, was []float64, is relation) Finding {
	near := func(x, was float64) bool { return math.Abs(x-was) <= multipleError*math.Abs(was) }
	count, of := 0, 0
	holds := func(step int) bool {
		known, holds := 0, 0
		count, of = 0, 0
		for row := 0; row < len(was); row += step {
			x, truth := is.of(row), was[row]
			if truth == 0 || math.IsNaN(truth) || math.IsNaN(x) {
				continue
			}
			right := near(x, truth)
			if known++; right {
				holds++
			}
			if !near(now[row], truth) {
				if of++; right {
					count++
				}
			}
		}
		return known >= multipleLeast && 100*holds >= multipleShare*known
	}
	if !holds(max(1, len(was)/multipleRows)) || !holds(1) || 100*count < multipleShare*of {
		return Finding{}
	}
	f := Finding{Variables: []string{v.Name()}, Count: count, Of: of, unit: "masked value", Text: fmt.Sprintf("%s of the %s of %s can be calculated: %s",
		wording.Number(count), wording.Counted(of, "masked value"), v.Name(), is.text)}
	for _, by := range namesOf(is.by) {
		f.Variables, f.Fixes = append(f.Variables, by), append(f.Fixes, leaving(by))
	}
	return f
}
