package check

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// fewShare is the number of records below which a value is shared by few.
const fewShare = 3

// unmasked returns the variables with amounts whose values are unmasked, as far as is known.
func (r *release) unmasked() []*variable {
	replicated := r.replicated() // reported by another check
	return r.those(func(v *variable) bool {
		return v.content == amount && v.Origin() == 0 && v.levels.Ordered && !slices.Contains(replicated, v.Name())
	})
}

// uniqueNumbers finds variables in which many records have a unique value.
func (r *release) uniqueNumbers() []Finding {
	var found []Finding
	for _, v := range r.unmasked() {
		unique := 0
		for i, count := range v.counts {
			if count == 1 && v.fromSource(v.levels.Levels[i].Value) {
				unique++
			}
		}
		if 20*unique >= max(v.present, 1) || unique > 0 && r.has(v, microdata.RoleNumericKey) {
			found = append(found, v.finding(unique, ""))
		}
	}
	found = r.joined(found)
	for i := range found {
		f := &found[i]
		f.Text = fmt.Sprintf("In %s, %s a unique value.", list(f.Variables), upTo(f))
		f.Fixes = []Fix{microaggregating(f.Variables...)}
	}
	return found
}

// joined merges the findings of variables without missing cells. Other variables keep separate findings, because
// masking several together leaves records with missing cells unmasked.
func (r *release) joined(found []Finding) (out []Finding) {
	var all Finding
	for _, f := range found {
		if r.variable(f.Variables[0]).MissingCount() > 0 {
			out = append(out, f)
			continue
		}
		all.Count, all.Of, all.unit = max(all.Count, f.Count), f.Of, f.unit
		all.Variables = append(all.Variables, f.Variables...)
	}
	if all.Count > 0 {
		out = append([]Finding{all}, out...)
	}
	return out
}

// upTo states how many records a finding affects, for several variables the maximum.
func upTo(f *Finding) string {
	text := wording.Number(f.Count) + " of " + wording.Counted(f.Of, "record") + " have"
	if len(f.Variables) > 1 {
		return "up to " + text
	}
	return text
}

// microaggregating returns the fix that gives groups of three records the same values.
func microaggregating(names ...string) Fix {
	m := microaggregation.New()
	m.Variables = names
	if len(names) == 1 {
		m.Method = microaggregation.Optimal
	}
	return Fix{Title: "apply microaggregation to " + list(names), Step: microaggregation.StepName, Method: m}
}

// coding returns the fix that applies top or bottom coding at a limit.
func coding(what, name, where string, top, bottom *float64) Fix {
	spec := recode.TopBottomSpec()
	m := spec.New().(*recode.TopBottom)
	m.Variable, m.Top, m.Bottom = name, top, bottom
	return Fix{Title: "apply " + what + " coding to " + name + " at the " + where, Step: spec.Name, Method: m}
}

// extremes finds values above the 99th percentile, and negative ones below the 1st, that few records share.
func (r *release) extremes() []Finding {
	const apart = 3 // maximum number of variables reported separately
	var found, low []Finding
	limits := map[string]float64{}
	for _, v := range r.unmasked() {
		limit, few := v.tail(slices.All(v.levels.Levels), math.Inf(1))
		if few > 0 {
			limits[v.Name()] = blunt(limit)
			found = append(found, v.finding(few, ""))
		}
		if limit, few = v.tail(slices.Backward(v.levels.Levels), 0); few > 0 {
			limit = -blunt(-limit)
			f := v.finding(few, "", coding("bottom", v.Name(), "1st percentile", nil, &limit), microaggregating(v.Name()))
			f.Text = fmt.Sprintf("In %s, %s a negative value below the 1st percentile that fewer than %d records share.", v.Name(), upTo(&f), fewShare)
			low = append(low, f)
		}
	}
	if len(found) > apart {
		found = r.joined(found)
	}
	for i := range found {
		f := &found[i]
		f.Text = fmt.Sprintf("In %s, %s a value above the 99th percentile that fewer than %d records share.", list(f.Variables),
			upTo(f), fewShare)
		f.Fixes = []Fix{microaggregating(f.Variables...)}
		if name := f.Variables[0]; len(f.Variables) == 1 {
			limit := limits[name]
			f.Fixes = append([]Fix{coding("top", name, "99th percentile", &limit, nil)}, f.Fixes...)
		}
	}
	return append(append(found, low...), r.countsApart()...)
}

// tail returns the value up to which 99 % of the records lie, in the order of levels, and the number of records
// with a value beyond it, and below a limit, that few share.
func (v *variable) tail(levels iter.Seq2[int, microdata.Level], below float64) (limit float64, few int) {
	within := 0
	for i, level := range levels {
		switch count := v.counts[i]; {
		case count == 0:
		case 100*within < 99*v.present:
			limit = level.Value
		case count < fewShare && level.Value < below && v.fromSource(level.Value):
			few += count
		}
		within += v.counts[i]
	}
	return limit, few
}

// countsApart finds counts, such as rooms or children, with few distinct values, of which the largest is at least
// twice the next and has few records.
func (r *release) countsApart() (found []Finding) {
	for _, v := range r.variables {
		name := v.Name()
		if v.Kind() != microdata.Whole || v.Origin() != 0 || v.content != other || name == r.scenario.Weight ||
			name == r.scenario.Household || r.has(v, microdata.RoleKey) || len(v.Described().Labels) > 0 {
			continue
		}
		if next, few := v.apart(); few > 0 && v.fromSource(v.levels.Levels[len(v.counts)-1].Value) {
			found = append(found, v.finding(few,
				fmt.Sprintf("In %s, %s a count at least twice as large as any other.", name, wording.Does(few, "record", "have")),
				coding("top", name, "largest count of others", &next, nil)))
		}
	}
	return found
}

// apart returns the second largest count, and the number of records with the largest, or 0 unless these are few
// and the largest is at least twice the second and not a code such as 99.
func (v *variable) apart() (next float64, few int) {
	const least = 100 // minimum number of records, below which every count has few
	var largest float64
	for i, count := range v.counts {
		if count == 0 {
			continue
		}
		if v.levels.Levels[i].Value < 0 {
			return 0, 0
		}
		next, largest, few = largest, v.levels.Levels[i].Value, count
	}
	power := math.Pow10(int(math.Ceil(math.Log10(largest + 1)))) // 8, 9, 98, 99, ... are usually codes for missing values
	if v.present < least || v.distinct < 4 || few >= fewShare || largest < 2*next || next < 3 || power-largest <= 2 {
		return 0, 0
	}
	return next, few
}

// blunt rounds a number down to two significant digits, so that a limit is not the value of a record.
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

// weights finds weights that few records share, and weights that reveal hidden variables.
func (r *release) weights() []Finding {
	v := r.variable(r.scenario.Weight)
	if v == nil || v.Origin() != 0 {
		return nil
	}
	var found []Finding
	few := 0
	for _, count := range v.counts {
		if count < fewShare {
			few += count
		}
	}
	if few > 0 {
		found = append(found, r.finding([]string{v.Name()}, few, wording.Does(few, "record", "have")+
			fmt.Sprintf(" a weight that fewer than %d records share.", fewShare), microaggregating(v.Name()), leaving(v.Name())))
	}
	var names []string
	most := 0
	for _, was := range r.strata(v.distinct) {
		count, chance := determined(v.levels, was.Categories())
		if count > 0 && 2*(float64(count)-chance) >= float64(r.data.Records())-chance {
			names, most = append(names, was.Name()), max(most, count)
		}
	}
	if most > 0 {
		found = append(found, r.finding(append([]string{v.Name()}, names...), most, fmt.Sprintf("The weight reveals the original %s of %s.",
			list(names), wording.Counted(most, "record")), leaving(v.Name())))
	}
	return found
}

// strata returns source variables with few categories that are not released, and changed strata variables, if each
// weight is shared by so many records that it may be that of a stratum. Changed key variables are covered by
// inferred.
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

// determined returns the number of records whose category is shared by all records with the same value of another
// variable, of which there must be at least three, and the number expected by chance.
func determined(by, of *microdata.Categories) (records int, chance float64) {
	const several = math.MaxUint32
	only := make([]uint32, len(by.Levels)+1)
	for _, pairs := range microdata.Pairs(by.Codes, of.Codes) {
		for _, pair := range pairs {
			if is := &only[pair[0]]; *is == 0 {
				*is = pair[1] + 1 // code + 1; 1: missing
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
