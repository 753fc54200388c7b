package inspect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
)

// Page returns the results as a page, most important first.
func (r *Report) Page(name string) *report.Page {
	p := &report.Page{Title: "Summary of " + name}
	p.Sections = append(p.Sections, r.riskSection(), r.fileSection())
	if len(r.Combinations) > 0 {
		p.Sections = append(p.Sections, r.combinationSection())
	}
	p.Sections = append(p.Sections, r.variableSection())
	if s := r.roleSection(); len(s.Table) > 1 {
		p.Sections = append(p.Sections, s)
	}
	return p
}

// riskSection describes the suggested key variables.
func (r *Report) riskSection() report.Section {
	s := report.Section{Heading: "Risk with the suggested key variables"}
	switch {
	case r.Records == 0:
		s.Add("The file has no records.")
		return s
	case r.Risk == nil:
		s.Add("No suggested key variable: no variable that an intruder is likely to know about a person.")
		return s
	case r.Guessed:
		s.Add("No variable name suggests a key variable. Variables with few categories: %s", listed(r.Scenario.Keys))
	default:
		s.Add("Key variables: %s; with other key variables, the risk differs", listed(r.Scenario.Keys))
	}
	s.Add("Expected re-identifications: %s of %s (%s); highest individual risk %s", wording.Amount(r.Risk.Expected),
		wording.Counted(r.Records, "record"), wording.Percent(r.Risk.Global), wording.Probability(r.Risk.HighestRisk()))
	if h := r.Risk.Households; h != nil {
		s.Add("Expected household re-identifications: %s of %s (%s)", wording.Amount(h.Expected), wording.Counted(r.Records, "record"),
			wording.Percent(h.Global))
	}
	r.Measured.Firsts(func(e *measure.Entry, n *measure.SummaryNumber) {
		s.Add("%s: %s", wording.Capital(n.Title), e.Spoken(n, (*measure.Value).Text))
	})
	switch {
	case r.Problem != "":
		s.Add("Without weights: %s", strings.TrimPrefix(r.Problem, microdata.ErrWeights.Error()+": "))
	case r.Scenario.Weight == "":
		s.Add("Without weights, this is the risk from an intruder who knows who is in the file.")
	}
	s.Table = [][]string{{"records", "number", "share"}}
	for _, v := range r.Risk.Violators {
		text := fmt.Sprintf("f < %d", v.K)
		if v.K == 2 {
			text = "sample uniques (f = 1)"
		}
		s.Row(text, wording.Number(v.Count), measure.CellText(measure.PercentOf(v.Count, r.Records)))
	}
	return s
}

// fileSection describes the file as a whole.
func (r *Report) fileSection() report.Section {
	s := report.Section{Heading: "The file"}
	s.Add("%s, %s; by type: %s", wording.Counted(r.Records, "record"), wording.Counted(len(r.Variables), "variable"), r.kinds())
	if found := r.Identifiers(); len(found) == 0 {
		s.Add("Direct identifiers: none found")
	} else {
		s.Add("Direct identifiers: %s", wording.Joined(found, ", ", func(v Variable) string { return wording.Excerpt(v.Name) }))
	}
	r.addGroups(&s)
	d := r.Duplicates
	s.Add("Duplicate records: %s", wording.Number(d.Entire))
	if d.Apart > 0 {
		s.Add("Duplicate records, ignoring %s: %s", r.apart(), wording.Number(d.Rest))
	}
	r.addNamed(&s, "Same value in all records",
		func(v *Variable) bool { return r.Records > 0 && v.Distinct == 1 && v.Missing == 0 })
	r.addNamed(&s, "One value or missing", func(v *Variable) bool { return v.Distinct == 1 && v.Missing > 0 })
	r.addNamed(&s, "No values", func(v *Variable) bool { return v.Distinct == 0 })
	r.addNamed(&s, "Categories that differ only in capitals, spaces or the composition of accents",
		func(v *Variable) bool { return v.Alike > 0 })
	r.addNamed(&s, "Unique value in each record", func(v *Variable) bool { return r.Records > 1 && v.Alone == r.Records })
	first := "first records"
	if r.Examined > 0 {
		unit := "record"
		if r.Grouped {
			unit = "row"
		}
		first = "first " + wording.Counted(r.Examined, unit)
	}
	s.Add("Roles are suggested from names, types and the %s; all figures are based on all records.", first)
	return s
}

// apart names the variables that Duplicates.Rest ignores, or counts them if they are many.
func (r *Report) apart() string {
	var names []string
	for i := range r.Variables {
		if r.identifying(i) {
			names = append(names, wording.Excerpt(r.Variables[i].Name))
		}
	}
	if len(names) > 3 {
		return wording.Counted(len(names), "ID variable")
	}
	return wording.Listed(names)
}

// addGroups describes weights and households.
func (r *Report) addGroups(s *report.Section) {
	s.Add("Possible weights: %s", r.possible(microdata.RoleWeight))
	if w := r.Weights; w != nil {
		sums := ""
		if r.Grouped {
			sums = "rows "
		}
		s.Add("%s: sum %s, %sfrom %s to %s", wording.Excerpt(r.Scenario.Weight), wording.Frequency(w.Sum),
			sums, wording.Frequency(w.Least), wording.Frequency(w.Most))
	}
	s.Add("Possible household identifiers: %s", r.possible(microdata.RoleHousehold))
	if h := r.Households; h != nil {
		s.Add("%s: %s, %s of them with one record; the largest has %s", wording.Excerpt(r.Scenario.Household),
			wording.Counted(h.Number, "household"), wording.Number(h.OfOne), wording.Counted(h.Largest, "record"))
	}
}

// possible lists the variables that may have a role.
func (r *Report) possible(role microdata.Role) string {
	var names []string
	for _, s := range r.Possible {
		if s.Role == role {
			names = append(names, s.Variable)
		}
	}
	if len(names) == 0 {
		return "none found"
	}
	return listed(names)
}

// listed joins names of variables; long names are shortened.
func listed(names []string) string { return wording.Joined(names, ", ", wording.Excerpt) }

// addNamed adds a line with the variables for which has returns true, if there are any.
func (r *Report) addNamed(s *report.Section, what string, has func(v *Variable) bool) {
	var names []string
	for i := range r.Variables {
		if has(&r.Variables[i]) {
			names = append(names, r.Variables[i].Name)
		}
	}
	if len(names) > 0 {
		s.Add("%s: %s", what, listed(names))
	}
}

// kinds counts the variables by type: "category 6, integer 1".
func (r *Report) kinds() string {
	var parts []string
	for _, kind := range []string{"category", "dates", "integer", "number"} {
		count := 0
		for i := range r.Variables {
			if r.Variables[i].Type() == kind {
				count++
			}
		}
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", kind, count))
		}
	}
	return strings.Join(parts, ", ")
}

// Type returns the kind of the variable's values, or that they are dates.
func (v *Variable) Type() string {
	if v.Form == profile.Dates {
		return "dates"
	}
	return v.Kind.String()
}

// MostShown is the maximum number of combinations of each size on the page.
const MostShown = 5

func (r *Report) combinationSection() report.Section {
	s := report.Section{Heading: "Combinations with the most sample uniques"}
	s.Table = [][]string{{"variables", "key patterns", "sample uniques", "share",
		fmt.Sprintf("f < %d", below)}}
	for size := r.Sizes; size > 0; size-- {
		for _, c := range r.Top(size, MostShown) {
			s.Row(wording.Joined(c.Variables, " × ", wording.Excerpt), wording.Number(c.Cells),
				wording.Number(c.Alone),
				measure.CellText(measure.PercentOf(c.Alone, r.Records)), wording.Number(c.Below))
		}
	}
	if r.Sizes < min(3, len(r.Scenario.Keys)) {
		s.Add("Too many combinations of more than %s; they were not searched.", wording.Counted(r.Sizes, "variable"))
	}
	return s
}

func (r *Report) variableSection() report.Section {
	s := report.NewTable("Variables", "variable", "type", "distinct", "missing", "unique", "suggested role")
	labels := slices.ContainsFunc(r.Variables, func(v Variable) bool { return v.Label != "" })
	if labels {
		s.Table[0] = append(s.Table[0], "label")
	}
	for i := range r.Variables {
		v := &r.Variables[i]
		row := []string{wording.Excerpt(v.Name), v.Type(), wording.Number(v.Distinct),
			fmt.Sprint(measure.PercentOf(v.Missing, r.Records)), wording.Number(v.Alone), string(v.Role)}
		if labels {
			row = append(row, v.Label)
		}
		s.Row(row...)
	}
	return s
}

// roleSection gives the reasons for suggested roles.
func (r *Report) roleSection() report.Section {
	s := report.NewTable("Why these roles", "variable", "role", "reason")
	for i := range r.Variables {
		if v := &r.Variables[i]; v.Role != "" {
			s.Row(wording.Excerpt(v.Name), string(v.Role), v.Reason)
		}
	}
	return s
}

// Sentence summarises the disclosure risk of the file in one sentence.
func (r *Report) Sentence() string {
	switch {
	case r.Records == 0:
		return "the file has no records"
	case r.Risk == nil:
		return "no suggested key variable: no variable that an intruder is likely to know about a person"
	}
	v := r.Risk.Violators[0]
	text := fmt.Sprintf("suggested key variables: %s of %s unique (%s), expected re-identifications %s", wording.Number(v.Count),
		wording.Counted(r.Records, "record"), wording.PercentOf(v.Count, r.Records), wording.Amount(r.Risk.Expected))
	if found := r.Identifiers(); len(found) > 0 {
		text += "; identifiers: " + wording.Joined(found, ", ", func(v Variable) string { return wording.Excerpt(v.Name) })
	}
	return text
}
