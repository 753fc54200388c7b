package check

import (
	"context"
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

// pair is a variable whose values were masked, and as it was.
type pair struct{ now, was *microdata.Column }

// masked returns a variable as it is and as it was; ok is false where its values were not
// masked, or are not known as they were.
func (r *release) masked(name string) (p pair, ok bool) {
	if r.Original == nil {
		return p, false
	}
	now, released := r.data.Column(name)
	was, known := r.Original.Data().Column(name)
	made := slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Report.Made == name })
	return pair{now, was}, released && known && !made && now.Len() == was.Len() && (now.Origin() != 0 || r.lastMasking(name) != nil)
}

// kept counts the cells that have their value of the source, of some rows, nil for all.
func (p pair) kept(rows *microdata.Bits) (cells int) {
	if p.now.Numeric() && p.was.Numeric() {
		return p.near(0, rows, nil)
	}
	same := microdata.SameLabels(p.now.Categories().Levels, p.was.Categories().Levels)
	for first, pairs := range microdata.Pairs(p.now.Categories().Codes, p.was.Categories().Codes) {
		for i, codes := range pairs {
			if codes[0] != 0 && same[codes[0]] == codes[1] && (rows == nil || rows.Has(first+i)) {
				cells += p.now.RecordsAt(first + i)
			}
		}
	}
	return cells
}

// keptValues finds cells that a masking step passed over.
func (r *release) keptValues(context.Context) ([]Finding, error) {
	var found []Finding
	for _, column := range r.data.Columns() {
		name := column.Name()
		p, ok := r.masked(name)
		step := r.lastMasking(name)
		if !ok || step == nil {
			continue
		}
		f := Finding{Variables: []string{name}, Of: p.now.Records() - p.now.MissingCount(),
			Warned: len(step.Report.Warnings) > 0, Fixes: []Fix{leaving(name)}}
		if masked, ok := method.Masked(step.Method); ok {
			if rows := r.incomplete(masked, name); rows != nil {
				f.Count = p.kept(rows)
			}
			f.Text = "whose record has a missing value in another variable of the step"
			f.Fixes = append([]Fix{microaggregating(name)}, f.Fixes...)
		} else {
			f.Count, f.Warned = keptByPRAM(&step.Report, name), false
			f.Text = "that a condition or a stratum of one category kept"
		}
		if f.Count > 0 {
			f.Text = fmt.Sprintf("%s of %s their values of the source: those %s.", wording.Counted(f.Count, "cell"),
				name+" "+wording.Verb(f.Count, "have"), f.Text)
			found = append(found, f)
		}
	}
	return found, nil
}

// lastMasking returns the last step that masked a variable or drew its categories; nil
// where there is none.
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

// incomplete returns the rows that lack one of the variables other than a named one; nil
// where there are none.
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
		codes := column.Categories().Codes
		for first, pairs := range microdata.Pairs(codes, codes) {
			for i, pair := range pairs {
				if pair[0] == 0 {
					rows.Set(first + i)
				}
			}
		}
	}
	return rows
}

// keptByPRAM returns how many values a condition, or a stratum of one category, kept.
func keptByPRAM(report *method.Report, name string) (count int) {
	for _, v := range report.PRAM {
		if v.Variable == name {
			count += v.Kept
		}
	}
	return count
}

// unchanged finds masked variables with the values of the source, or with values near them.
func (r *release) unchanged(context.Context) ([]Finding, error) {
	var found []Finding
	for _, column := range r.data.Columns() {
		name := column.Name()
		p, ok := r.masked(name)
		if !ok {
			continue
		}
		f := Finding{Variables: []string{name}, Of: column.Records() - column.MissingCount(), Fixes: []Fix{leaving(name)},
			Text: name + " was masked, and all its values are those of the source."}
		if f.Count = p.kept(nil); f.Count < f.Of {
			f.Count, f.Of = p.hardly()
			f.Text = fmt.Sprintf("%s of %s of %s that fewer than %d records share lie within 1 %% of their original values.",
				wording.Number(f.Count), wording.Counted(f.Of, "masked value"), name, fewShare)
		}
		if 2*f.Count <= f.Of {
			continue
		}
		if column.Numeric() && column.Categories().Occurring() > 1 {
			m := noise.New()
			m.Variables = []string{name}
			f.Fixes = append([]Fix{{Title: "noise on " + name, Step: noise.StepName, Method: m}}, f.Fixes...)
		}
		found = append(found, f)
	}
	return found, nil
}

// hardly counts the cells whose value fewer than three records share, and those of them within
// 1 % of the original: values that more records share are those of groups, and hide which
// record had which. There are none where these are fewer than one cell in twenty.
func (p pair) hardly() (near, of int) {
	if !p.now.Numeric() || !p.was.Numeric() {
		return 0, 0
	}
	categories := p.now.Categories()
	few := make([]bool, len(categories.Levels)+1)
	for i, count := range categories.Counts()[1:] {
		if few[i+1] = count > 0 && count < fewShare; few[i+1] {
			of += count
		}
	}
	if 20*of < p.now.Records()-p.now.MissingCount() {
		return 0, 0
	}
	return p.near(0.01, nil, few), of
}

// decimals finds masked variables whose spelling tells which cells were masked.
func (r *release) decimals(context.Context) ([]Finding, error) {
	var found []Finding
	for _, column := range r.data.Columns() {
		p, ok := r.masked(column.Name())
		if !ok || !column.Numeric() || !p.was.Numeric() || column.Name() == r.scenario.Weight {
			continue
		}
		usual := mostDecimals(p.was)
		categories, more := column.Categories(), 0
		plain := make([]bool, len(categories.Levels)+1)
		for i, level := range categories.Levels {
			if plain[i+1] = decimalsOf(level.Label) <= usual; !plain[i+1] {
				more += categories.Counts()[i+1]
			}
		}
		if more == 0 {
			continue
		}
		if count := p.near(0, nil, plain); count > 0 {
			m := &recode.Round{Variable: column.Name(), Base: math.Pow10(-usual)}
			found = append(found, Finding{Variables: []string{column.Name()}, Count: count, Of: column.Records() -
				column.MissingCount(), Text: fmt.Sprintf("Decimals tell %s of %s that masking left from %s that it changed.",
				wording.Counted(count, "cell"), column.Name(), wording.Number(more)),
				Fixes: []Fix{{Title: "rounding of " + column.Name() + " to the decimals of the source",
					Step: recode.RoundSpec().Name, Method: m}}})
		}
	}
	return found, nil
}

// mostDecimals returns the decimals of the number that has most of them.
func mostDecimals(c *microdata.Column) (most int) {
	if numbers := c.StoredAsNumbers(); numbers != nil && !slices.Contains(numbers.Decimals, microdata.OddSpelling) &&
		numbers.Uniform < microdata.Shortest {
		decimals := numbers.Decimals
		if decimals == nil {
			decimals = []uint8{numbers.Uniform}
		}
		for _, of := range decimals {
			most = max(most, int(of&^microdata.BarePoint))
		}
		return most
	}
	for _, level := range c.Categories().Levels {
		most = max(most, decimalsOf(level.Label))
	}
	return most
}

// near counts the cells of a numeric variable that differ from their value of the source by no
// more than a share of it: of some rows, nil for all, and with a level that counts, nil for any.
// It makes no dictionary of the source, which would sort all its values.
func (p pair) near(share float64, rows *microdata.Bits, counts []bool) (cells int) {
	levels, codes, was := p.now.Categories().Levels, p.now.Categories().Codes, p.was.Floats()
	for first, pairs := range microdata.Pairs(codes, codes) {
		for i, pair := range pairs {
			if code := pair[0]; code != 0 && (rows == nil || rows.Has(first+i)) && (counts == nil || counts[code]) &&
				math.Abs(levels[code-1].Value-was[first+i]) <= share*math.Abs(was[first+i]) {
				cells += p.now.RecordsAt(first + i)
			}
		}
	}
	return cells
}

func decimalsOf(label string) int {
	_, fraction, _ := strings.Cut(label, ".")
	return len(fraction)
}

// former finds variables that a step made of others whose categories later steps hid:
// they tell what these were.
func (r *release) former(context.Context) ([]Finding, error) {
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
				Text: name + " tells what " + list(changed) + " had before later steps."})
		}
	}
	return found, nil
}

// hides reports whether the step took detail or cells from a variable.
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

// replay finds variables that the steps give otherwise.
func (r *release) replay(context.Context) ([]Finding, error) {
	if len(r.Differing) == 0 {
		return nil, nil
	}
	return []Finding{{Variables: r.Differing, Text: "The steps of the script do not give " + list(r.Differing) +
		" as the file has " + map[bool]string{true: "it", false: "them"}[len(r.Differing) == 1] + "."}}, nil
}
