package check

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/noise"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// kept returns the number of cells with their source value, in the given rows or, if rows is nil, in all.
func (v *variable) kept(rows *microdata.Bits) (cells int) {
	if v.Numeric() && v.was.Numeric() {
		return v.near(0, rows, nil)
	}
	was := v.was.Categories()
	same := microdata.SameLabels(v.Categories().Levels, was.Levels)
	for first, pairs := range microdata.Pairs(v.levels.Codes, was.Codes) {
		for i, codes := range pairs {
			if codes[0] != 0 && same[codes[0]] == codes[1] && (rows == nil || rows.Has(first+i)) {
				cells += v.RecordsAt(first + i)
			}
		}
	}
	return cells
}

// near returns the number of cells of a numeric variable that differ from their source value, but relatively by at
// most share, in the given rows (nil: all) and with one of the given levels (nil: any). It does not build a
// dictionary of the source, which would sort all its values.
func (v *variable) near(share float64, rows *microdata.Bits, counts []bool) (cells int) {
	was := v.was.Floats()
	for first, codes := range v.levels.Codes.Blocks() {
		for i, code := range codes {
			if code != 0 && (rows == nil || rows.Has(first+i)) && (counts == nil || counts[code-1]) &&
				math.Abs(v.levels.Levels[code-1].Value-was[first+i]) <= share*math.Abs(was[first+i]) {
				cells += v.RecordsAt(first + i)
			}
		}
	}
	return cells
}

// keptValues finds cells that a masking step left unchanged.
func (r *release) keptValues() (found []Finding) {
	for _, v := range r.variables {
		name, step := v.Name(), v.masking
		if !v.masked || step == nil {
			continue
		}
		f, why := v.finding(0, "", leaving(name)), "were excluded by a condition, or their stratum has only one category"
		if masked, ok := method.Masked(step.Method); ok {
			if rows := r.incomplete(masked, name); rows != nil {
				f.Count = v.kept(rows)
			}
			why, f.Warned = "belong to records with a missing value in another variable of the step", len(step.Report.Warnings) > 0
			f.Fixes = append([]Fix{microaggregating(name)}, f.Fixes...)
		} else {
			f.Count = keptByPRAM(&step.Report, name)
		}
		if f.Count > 0 {
			f.Text = fmt.Sprintf("%s of %s %s their original values: they %s.", wording.Counted(f.Count, "cell"),
				name, wording.Verb(f.Count, "have"), why)
			found = append(found, f)
		}
	}
	return found
}

// lastMasking returns the last step that masked or randomised a variable, or nil.
func (r *release) lastMasking(name string) *Step {
	for i := range slices.Backward(r.Steps) {
		names, _ := method.Masked(r.Steps[i].Method)
		if m, ok := r.Steps[i].Method.(*pram.PRAM); ok {
			names = m.Variables
		}
		if slices.Contains(names, name) {
			return &r.Steps[i]
		}
	}
	return nil
}

// incomplete returns the rows with a missing value in one of the variables other than but, or nil if there are
// none.
func (r *release) incomplete(names []string, but string) *microdata.Bits {
	var rows *microdata.Bits
	for _, name := range names {
		column, ok := r.Original.Data().Column(name)
		if !ok || name == but || column.MissingCount() == 0 {
			continue
		}
		if rows == nil {
			rows = microdata.NewBits(column.Len())
		}
		for row := range column.Len() { // avoids building a dictionary of the source
			if column.Missing(row) {
				rows.Set(row)
			}
		}
	}
	return rows
}

// keptByPRAM returns the number of values left unchanged by a condition or by a stratum with one category.
func keptByPRAM(report *method.Report, name string) (count int) {
	for _, v := range report.PRAM {
		if v.Variable == name {
			count += v.Kept
		}
	}
	return count
}

// unchanged finds masked variables whose values equal those of the source or are close to them.
func (r *release) unchanged() (found []Finding) {
	for _, v := range r.variables {
		if !v.masked {
			continue
		}
		name := v.Name()
		f := v.finding(v.kept(nil), name+" was masked, but all its values are original.", leaving(name))
		if f.Count < f.Of {
			f.Count, f.Of = v.hardly()
			f.Text = fmt.Sprintf("%s of the %s of %s that fewer than %d records share are within 1 %% of the original.",
				wording.Number(f.Count), wording.Counted(f.Of, "masked value"), name, fewShare)
		}
		if 2*f.Count <= f.Of {
			continue
		}
		if v.Numeric() && v.distinct > 1 {
			m := noise.New()
			m.Variables = []string{name}
			f.Fixes = append([]Fix{{Title: "add noise to " + name, Step: noise.StepName, Method: m}}, f.Fixes...)
		}
		found = append(found, f)
	}
	return found
}

// hardly returns the number of cells with a value that fewer than three records share, and how many of these are
// within 1 % of the original. Values shared by more records come from groups and hide which record had which
// value. It returns 0 if there are fewer such cells than one in twenty.
func (v *variable) hardly() (near, of int) {
	few := make([]bool, len(v.counts))
	for i, count := range v.counts {
		if few[i] = count > 0 && count < fewShare; few[i] {
			of += count
		}
	}
	if !v.Numeric() || !v.was.Numeric() || 20*of < v.present {
		return 0, 0
	}
	return v.near(0.01, nil, few), of
}

// decimals finds masked variables whose number of decimals reveals which cells were masked.
func (r *release) decimals() (found []Finding) {
	for _, v := range r.variables {
		name := v.Name()
		if !v.masked || !v.Numeric() || !v.was.Numeric() || name == r.scenario.Weight {
			continue
		}
		usual, more := mostDecimals(v.was), 0
		plain := make([]bool, len(v.counts))
		for i, level := range v.Categories().Levels {
			if plain[i] = decimalsOf(level.Label) <= usual; !plain[i] {
				more += v.counts[i]
			}
		}
		if more == 0 {
			continue
		}
		if count := v.near(0, nil, plain); count > 0 {
			found = append(found, v.finding(count, fmt.Sprintf("The number of decimals distinguishes %s of %s that masking left unchanged from %s that it changed.",
				wording.Counted(count, "cell"), name, wording.Number(more)),
				Fix{Title: "round " + name + " to the decimals of the original", Step: recode.RoundSpec().Name,
					Method: &recode.Round{Variable: name, Base: math.Pow10(-usual)}}))
		}
	}
	return found
}

// mostDecimals returns the maximum number of decimals of a column.
func mostDecimals(c *microdata.Column) (most int) {
	if numbers := c.StoredAsNumbers(); numbers != nil && numbers.Decimals < microdata.Shortest {
		return int(numbers.Decimals)
	}
	if numbers := c.StoredAsNumbers(); numbers != nil {
		return microdata.MostDecimals(numbers.Values)
	}
	for _, level := range c.Categories().Levels {
		most = max(most, decimalsOf(level.Label))
	}
	return most
}

// former finds variables derived by a step from variables whose categories were hidden later: they reveal these
// categories.
func (r *release) former() []Finding {
	var found []Finding
	for i := range r.Steps {
		made, ok := r.Steps[i].Method.(*prepare.MakeStratum)
		if !ok || r.lacks(r.Steps[i].Report.Made) {
			continue
		}
		var changed []string
		for _, name := range made.Variables {
			if slices.ContainsFunc(r.Steps[i+1:], func(later Step) bool { return later.hides(name) }) {
				changed = append(changed, name)
			}
		}
		if name := r.Steps[i].Report.Made; len(changed) > 0 {
			found = append(found, Finding{Variables: []string{name}, Fixes: []Fix{leaving(name)},
				Text: name + " reveals what " + list(changed) + " contained before later steps."})
		}
	}
	return found
}

// hides reports whether the step removed detail or cells from a variable.
func (s *Step) hides(variable string) bool {
	if suppression := s.Report.Suppression; suppression != nil {
		return slices.ContainsFunc(slices.Concat(suppression.Cells, suppression.Linked), func(c method.Count) bool {
			return c.Name == variable && c.Count > 0
		})
	}
	switch s.Method.(type) {
	case *prepare.Convert, *prepare.SetMissing, *prepare.MakeStratum, *prepare.Reset:
		return false
	}
	for _, p := range s.Method.Params() {
		if names, _ := p.Named(); strings.HasPrefix(p.Name, "variable") && slices.Contains(names, variable) {
			return true
		}
	}
	return false
}

// replay finds variables that differ from the result of the steps.
func (r *release) replay() []Finding {
	if len(r.Differing) == 0 {
		return nil
	}
	return []Finding{{Variables: r.Differing, Text: "The steps of the script do not produce " + list(r.Differing) +
		" as the file has " + map[bool]string{true: "it", false: "them"}[len(r.Differing) == 1] + "."}}
}
