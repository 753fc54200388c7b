package risk

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// KAnonymitySpec describes the violators of k-anonymity under three rules for
// missing values.
func KAnonymitySpec() measure.Spec {
	return assessmentMeasure(violatorValues).spec(measure.Spec{
		Name:   "kanonymity",
		Groups: true,
		Title:  "k-anonymity",
		Help: "Counts, for each k of the scenario, the records whose key pattern occurs fewer than k times. Three " +
			"counts treat missing values differently: the rule of the scenario; the conservative rule, in which a " +
			"missing value protects no complete record; and own category, in which only identical key patterns " +
			"count.",
		Cite:    measure.SourceSwee + "; " + measure.SourceGuide,
		Section: "Violators of k-anonymity",
		Lead:    "Records whose key pattern occurs fewer than k times.",
		Shown:   measure.WhatIf | measure.History | measure.Report,
		Page: measure.Page{Meaning: measure.Telling("A record whose key pattern occurs fewer than k times is a violator. The difference between the rules shows " +
			"how much protection depends on suppressed cells.")},
		Summary: []measure.SummaryNumber{{Name: "violators", Title: "violators", ByK: true, First: true},
			{Name: "conservative_violators", ByK: true}, {Name: "own_category_violators", ByK: true}},
	})
}

func violatorValues(a *Assessment) measure.Values {
	var own, conservative, ownCategory []measure.Value
	for _, v := range a.Violators {
		k := fmt.Sprintf("k = %d", v.K)
		value := func(name, title string, count int, labels measure.Labels) measure.Value {
			return measure.Value{Name: name, K: v.K, Title: title, Labels: labels, Number: float64(count), Unit: measure.Count,
				Better: measure.Lower, Of: a.Records, NextToSameK: title != ""}
		}
		own = append(own, value("violators", "", v.Count, measure.Labels{WhatIf: k}))
		conservative = append(conservative, value("conservative_violators", "conservative", v.Conservative,
			measure.Labels{WhatIf: k + " conservative", ShortWhatIf: "conservative"}))
		ownCategory = append(ownCategory, value("own_category_violators", "own category", v.OwnCategory,
			measure.Labels{WhatIf: k + " own category", ShortWhatIf: "own category"}))
	}
	values := measure.Values{Numbers: append(append(own, conservative...), ownCategory...)}
	values.Explain = func(e *measure.Explanation, what *measure.FigureKey) { a.explainViolators(e, what, values.Numbers) }
	return values
}

// explainViolators explains violators under the rule of the scenario, together with those under the other rules,
// which have no explanation themselves.
func (a *Assessment) explainViolators(e *measure.Explanation, what *measure.FigureKey, numbers []measure.Value) {
	v := &what.Value
	if v.NextToSameK {
		*e = measure.Explanation{}
		return
	}
	percent := func(n float64) string { return wording.PercentOf(int(n), a.Records) }
	e.Values = []string{fmt.Sprintf("rule %s%s: %s of %s records", a.options.Rule, a.options.alphaOf(), v.Text(),
		wording.Number(a.Records))}
	for _, other := range numbers {
		if other.K == v.K && other.Name == "conservative_violators" {
			e.Values = append(e.Values, "rule conservative, a missing value protects no complete record: "+other.Text())
		} else if other.K == v.K && other.Name == "own_category_violators" {
			e.Values = append(e.Values, "rule own category, only identical key patterns count: "+other.Text())
		}
	}
	if what.Original != nil {
		e.Values = append(e.Values, "in the original: "+what.Original.Text()+", "+percent(what.Original.Number))
	}
	e.Name, e.Value = fmt.Sprintf("Violators of %d-anonymity", v.K), v.Text()+" records, "+percent(v.Number)
	e.Definition = fmt.Sprintf("Records whose key pattern, the combination of their values in the key variables, occurs fewer than %d times "+
		"in the file. The rule of the scenario, %s, determines how missing values count. The conservative and "+
		"own category rules show how much protection depends on reading missing values as any value.", v.K, a.options.Rule)
	e.Formula = fmt.Sprintf("number of records with f < %d", v.K)
	e.Steps = func() []string { return a.violatorSteps(v.K, v.Text()) }
}
