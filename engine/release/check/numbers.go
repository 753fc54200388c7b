package check

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// fewShare is the number of records below which a value is that of few.
const fewShare = 3

// unmasked returns the variables of amounts whose values are, as far as is known, those
// of the source.
func (r *release) unmasked() (columns []*microdata.Column) {
	replicated := r.replicated() // which have their own finding
	for _, name := range r.having(amount) {
		if column, _ := r.data.Column(name); column.Origin() == 0 && column.Categories().Ordered &&
			!slices.Contains(replicated, name) {
			columns = append(columns, column)
		}
	}
	return columns
}

// sourceValues reports whether a number occurs in the source; where that is not known all
// do.
func (r *release) sourceValues(c *microdata.Column) func(x float64) bool {
	always := func(float64) bool { return true }
	if r.Source == nil {
		return always
	}
	was, ok := r.Source.Data().Column(c.Name())
	if !ok || was == c || !was.Numeric() {
		return always
	}
	known := map[float64]bool{}
	for i, count := range was.Categories().Counts()[1:] {
		if count > 0 {
			known[was.Categories().Levels[i].Value] = true
		}
	}
	return func(x float64) bool { return known[x] }
}

// uniqueNumbers finds variables in which many records have a value of their own.
func (r *release) uniqueNumbers(context.Context) ([]Finding, error) {
	var found []Finding
	for _, column := range r.unmasked() {
		present := column.Records() - column.MissingCount()
		unique, from := 0, r.sourceValues(column)
		for i, count := range column.Categories().Counts()[1:] {
			if count == 1 && from(column.Categories().Levels[i].Value) {
				unique++
			}
		}
		if 20*unique >= max(present, 1) || unique > 0 && r.scenario.Has(column.Name(), microdata.RoleNumericKey) {
			found = append(found, Finding{Variables: []string{column.Name()}, Count: unique, Of: present})
		}
	}
	found = r.together(found)
	for i := range found {
		f := &found[i]
		f.Text = fmt.Sprintf("In %s %s a value that no other record has.", list(f.Variables), upTo(f))
		f.Fixes = []Fix{microaggregating(f.Variables...)}
	}
	return found, nil
}

// together makes one of the findings of variables without missing cells: the others stand
// for themselves, since what masks several together leaves records with missing cells.
func (r *release) together(found []Finding) (out []Finding) {
	var all Finding
	for _, f := range found {
		if column, _ := r.data.Column(f.Variables[0]); column.MissingCount() > 0 {
			out = append(out, f)
			continue
		}
		all.Count, all.Of = max(all.Count, f.Count), f.Of
		all.Variables = append(all.Variables, f.Variables...)
	}
	if all.Count > 0 {
		out = append([]Finding{all}, out...)
	}
	return out
}

// upTo says how many records a finding is about, of several variables in the one with most.
func upTo(f *Finding) string {
	text := wording.Number(f.Count) + " of " + wording.Counted(f.Of, "record") + " have"
	if len(f.Variables) > 1 {
		return "up to " + text
	}
	return text
}

// microaggregating is the fix that gives groups of three records the same values.
func microaggregating(names ...string) Fix {
	m := microaggregation.New()
	m.Variables = names
	if len(names) == 1 {
		m.Method = microaggregation.Optimal
	}
	return Fix{Title: "microaggregation of " + list(names), Step: microaggregation.StepName, Method: m}
}

// extremes finds values above the 99th percentile that few records share.
func (r *release) extremes(context.Context) ([]Finding, error) {
	const apart = 3 // variables that are told one by one
	var found, low []Finding
	limits := map[string]float64{}
	for _, column := range r.unmasked() {
		from := r.sourceValues(column)
		low = append(low, r.lowest(column, from)...)
		limit, few := above(column.Categories(), from)
		if few > 0 {
			limits[column.Name()] = limit
			found = append(found, Finding{Variables: []string{column.Name()}, Count: few,
				Of: column.Records() - column.MissingCount()})
		}
	}
	if len(found) > apart {
		found = r.together(found)
	}
	for i := range found {
		f := &found[i]
		f.Text = fmt.Sprintf("In %s %s a value above the 99th percentile that fewer than %d share.", list(f.Variables),
			upTo(f), fewShare)
		f.Fixes = []Fix{microaggregating(f.Variables...)}
		if len(f.Variables) == 1 {
			top, limit := recode.TopBottomSpec().New().(*recode.TopBottom), blunt(limits[f.Variables[0]])
			top.Variable, top.Top = f.Variables[0], &limit
			f.Fixes = append([]Fix{{Title: "top coding of " + top.Variable + " at the 99th percentile",
				Step: recode.TopBottomSpec().Name, Method: top}}, f.Fixes...)
		}
	}
	return append(append(found, low...), r.countsApart()...), nil
}

// lowest finds negative values below the 1st percentile that few records share.
func (r *release) lowest(column *microdata.Column, from func(x float64) bool) []Finding {
	limit, few := below(column.Categories(), from)
	if few == 0 {
		return nil
	}
	bottom := recode.TopBottomSpec().New().(*recode.TopBottom)
	limit = -blunt(-limit)
	bottom.Variable, bottom.Bottom = column.Name(), &limit
	f := Finding{Variables: []string{column.Name()}, Count: few, Of: column.Records() - column.MissingCount(),
		Fixes: []Fix{{Title: "bottom coding of " + column.Name() + " at the 1st percentile", Step: recode.TopBottomSpec().Name,
			Method: bottom}, microaggregating(column.Name())}}
	f.Text = fmt.Sprintf("In %s %s a negative value below the 1st percentile that fewer than %d share.", column.Name(), upTo(&f), fewShare)
	return []Finding{f}
}

// below returns the 1st percentile, and how many records have a negative value below it that
// few share.
func below(c *microdata.Categories, from func(x float64) bool) (limit float64, few int) {
	counts := c.Counts()
	present, above := c.Records()-counts[0], 0
	for i, level := range slices.Backward(c.Levels) {
		count := counts[i+1]
		if 100*above >= 99*present && level.Value < 0 && count > 0 && count < fewShare && from(level.Value) {
			few += count
		}
		if 100*above < 99*present && count > 0 {
			limit = level.Value
		}
		above += count
	}
	return limit, few
}

// countsApart finds counts such as rooms or children with few different values whose largest
// is that of few records, and at least twice the next one.
func (r *release) countsApart() (found []Finding) {
	for _, column := range r.data.Columns() {
		name, l := column.Name(), column.Categories()
		if column.Kind() != microdata.Whole || column.Origin() != 0 || r.contents[name] != other || name == r.scenario.Weight ||
			name == r.scenario.Household || r.scenario.Has(name, microdata.RoleKey) || len(column.Described().Labels) > 0 {
			continue
		}
		if next, few := apart(l); few > 0 && r.sourceValues(column)(l.Levels[len(l.Levels)-1].Value) {
			top := recode.TopBottomSpec().New().(*recode.TopBottom)
			top.Variable, top.Top = name, &next
			found = append(found, Finding{Variables: []string{name}, Count: few, Of: column.Records() - column.MissingCount(),
				Text:  fmt.Sprintf("In %s %s a count at least twice as large as any other.", name, wording.Does(few, "record", "have")),
				Fixes: []Fix{{Title: "top coding of " + name + " at the largest count of others", Step: recode.TopBottomSpec().Name, Method: top}}})
		}
	}
	return found
}

// apart returns the largest count but one, and how many records have the largest: none
// unless these are few, it is at least twice the other and no code such as 99.
func apart(c *microdata.Categories) (next float64, few int) {
	const least = 100 // records without which every count is that of few
	var largest float64
	occurring := 0
	for i, count := range c.Counts()[1:] {
		if count == 0 {
			continue
		}
		if c.Levels[i].Value < 0 {
			return 0, 0
		}
		next, largest, few = largest, c.Levels[i].Value, count
		occurring++
	}
	power := math.Pow10(int(math.Ceil(math.Log10(largest + 1)))) // 8, 9, 98, 99, ... are mostly codes of missing values
	if c.Records()-c.Counts()[0] < least || occurring < 4 || few >= fewShare || largest < 2*next || next < 3 || power-largest <= 2 {
		return 0, 0
	}
	return next, few
}

// above returns the 99th percentile, the least value up to which 99 % of the records
// lie, and how many records have a value above it that few share.
func above(c *microdata.Categories, from func(x float64) bool) (limit float64, few int) {
	counts := c.Counts()
	present, below := c.Records()-counts[0], 0
	for i, level := range c.Levels { // in ascending order
		count := counts[i+1]
		if 100*below >= 99*present && count > 0 && count < fewShare && from(level.Value) {
			few += count
		}
		if 100*below < 99*present && count > 0 {
			limit = level.Value
		}
		below += count
	}
	return limit, few
}

// blunt returns a number with two digits, not above x: a limit that is no value of a
// record.
func blunt(x float64) float64 {
	if x == 0 {
		return 0
	}
	if places := 1 - int(math.Floor(math.Log10(math.Abs(x)))); places > 0 {
		return math.Floor(x*math.Pow10(places)) / math.Pow10(places)
	} else {
		return math.Floor(x/math.Pow10(-places)) * math.Pow10(-places)
	}
}

// weights finds weights that few records share, and such that tell what was hidden.
func (r *release) weights(context.Context) ([]Finding, error) {
	column, ok := r.data.Column(r.scenario.Weight)
	if !ok || column.Origin() != 0 {
		return nil, nil
	}
	var found []Finding
	few := 0
	for _, count := range column.Categories().Counts()[1:] {
		if count < fewShare {
			few += count
		}
	}
	if few > 0 {
		found = append(found, Finding{Variables: []string{column.Name()}, Count: few, Of: r.data.Records(),
			Text:  wording.Does(few, "record", "have") + fmt.Sprintf(" a weight that fewer than %d share.", fewShare),
			Fixes: []Fix{microaggregating(column.Name()), leaving(column.Name())}})
	}
	var names []string
	told := 0
	for _, was := range r.strata(column.Categories().Occurring()) {
		count, chance := determined(column.Categories(), was.Categories())
		if count > 0 && 2*(float64(count)-chance) >= float64(r.data.Records())-chance {
			names, told = append(names, was.Name()), max(told, count)
		}
	}
	if told > 0 {
		found = append(found, Finding{Variables: append([]string{column.Name()}, names...), Count: told,
			Of: r.data.Records(), Fixes: []Fix{leaving(column.Name())},
			Text: fmt.Sprintf("The weight tells what %s had in the source, of %s.", list(names),
				wording.Counted(told, "record"))})
	}
	return found, nil
}

// strata returns the variables of the source with few categories that are left out, and
// strata that were changed, where so many weights could be those of strata: many records
// share each. Key variables that were changed are looked at by inferred.
func (r *release) strata(weights int) (columns []*microdata.Column) {
	const most, share = 100, 10
	if r.Original == nil || share*weights > r.data.Records() {
		return nil
	}
	for _, was := range r.Original.Data().Columns() {
		is, released := r.data.Column(was.Name())
		if changed := released && is != was && is.Hash() != was.Hash() &&
			r.scenario.Has(was.Name(), microdata.RoleStrata) && !r.scenario.Has(was.Name(), microdata.RoleKey); changed || !released {
			if n := was.Categories().Occurring(); n > 1 && n <= most {
				columns = append(columns, was)
			}
		}
	}
	return columns
}

// determined counts the records with a category that all of at least three records with
// their value of another variable have, and how many that would be by chance.
func determined(by, of *microdata.Categories) (records int, chance float64) {
	const several = math.MaxUint32
	only := make([]uint32, len(by.Levels)+1)
	for _, pairs := range microdata.Pairs(by.Codes, of.Codes) {
		for _, pair := range pairs {
			if is := &only[pair[0]]; *is == 0 {
				*is = pair[1] + 1 // 1: missing
			} else if *is != pair[1]+1 {
				*is = several
			}
		}
	}
	for code, count := range by.Counts() {
		if code == 0 || count < fewShare {
			continue
		}
		if only[code] > 1 && only[code] != several {
			records += count
		}
		for _, others := range of.Counts()[1:] {
			chance += float64(count) * math.Pow(float64(others)/float64(of.Records()), float64(count))
		}
	}
	return records, chance
}
