package profile

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// frequencies is the measure of the number of records in each category of the key variables.
type frequencies struct{ Most int }

// FrequenciesSpec describes the category frequencies for the catalog.
func FrequenciesSpec() measure.Spec {
	return measure.Spec{
		Name:    "frequencies",
		Utility: true,
		Groups:  true,
		Title:   "category frequencies",
		Help: "Counts, for each key variable, the records in each category, now and in the original. It estimates the " +
			"population counts by the sum of the weights, and lists the most frequent categories.",
		Cite:    measure.SourceGuide,
		Section: "Frequencies of the key variables",
		Shown:   measure.Report,
		Page: measure.Page{Meaning: measure.Telling("The rarest category of a key variable has %s records. If there are few, the category alone identifies a "+
			"person.", "rarest")},
		New: func() measure.Measure { return &frequencies{Most: 40} },
		Definitions: measure.Definitions{"rarest": {"Number of records in the rarest category of all key variables. An intruder who knows a person of that " +
			"category has this number of records to choose from.",
			"smallest number of records of a category that occurs", "Rarest category of a key variable"}},
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *frequencies) Params() []method.Param {
	return []method.Param{method.Number(&m.Most, "most", "categories to list for a variable").AtLeast(1)}
}

// Needs returns "", because categories can be counted in any data.
func (*frequencies) Needs(measure.Input) string { return "" }

// Compute returns a table for each key variable. Its value is the number of records of the rarest category.
func (m *frequencies) Compute(ctx context.Context, in measure.Input, _ *progress.Meter) (measure.Values, error) {
	data, original := in.Current.Data(), in.Original.Data()
	weights, err := in.Current.Scenario.Weights(data)
	if err != nil {
		return measure.Values{}, err
	}
	var out measure.Values
	var rarest Value
	of := "" // variable with that category
	for _, name := range in.Current.Scenario.Keys {
		now, ok := data.Column(name)
		was, known := original.Column(name)
		if !ok || !known {
			continue
		}
		levels := ofLevels(now.Categories(), weights)
		for _, v := range levels.All {
			if of == "" || v.Records < rarest.Records {
				rarest, of = v, name
			}
		}
		out.Tables = append(out.Tables, m.table(now, was, levels, weights))
		if err := ctx.Err(); err != nil {
			return out, err
		}
	}
	out.Numbers = []measure.Value{{Name: "rarest", Title: "records in the rarest category of all key variables", Labels: measure.Labels{ShortRow: "records in the rarest category"},
		Number: float64(rarest.Records), Unit: measure.Count,
		Better: measure.Higher, Of: data.Records()}}
	out.Explain = func(e *measure.Explanation, what *measure.FigureKey) {
		if e.Value += " records"; of != "" {
			e.Values = []string{"category " + rarest.Label + " of " + of + ": " + wording.Number(rarest.Records) + " of " +
				wording.Counted(what.Value.Of, "record")}
		}
	}
	return out, nil
}

// table returns the table of one variable.
func (m *frequencies) table(now, was *microdata.Column, levels *Values, weights []float64) measure.Table {
	t := measure.Table{Name: now.Name(), Title: "Frequencies of " + now.Name(),
		Columns: []string{"category", "records", "percent"}}
	if weights != nil {
		t.Columns = append(t.Columns, "population")
	}
	t.Columns = append(t.Columns, "original", "percent of original")
	before := map[string]int{}
	for i, level := range was.Categories().Levels {
		before[level.Label] = was.Categories().Counts()[i+1]
	}
	row := func(label string, records int, weight float64, original any) {
		cells := []any{microdata.Combination{{Variable: now.Name(), Label: label}}, records,
			measure.PercentOf(records, now.Records())}
		if weights != nil {
			cells = append(cells, weight)
		}
		share := any("–")
		if n, ok := original.(int); ok {
			share = measure.PercentOf(n, was.Records())
		}
		t.Rows = append(t.Rows, append(cells, original, share))
	}
	shown := levels.Places(ByValue, "")
	if len(shown) > m.Most {
		shown = levels.Places(ByRecords, "")[:m.Most]
		slices.Sort(shown)
	}
	others, weight := 0, 0.0
	for _, v := range levels.All {
		others, weight = others+v.Records, weight+v.Weight
	}
	for _, place := range shown {
		v := &levels.All[place]
		others, weight = others-v.Records, weight-v.Weight
		original := any("–")
		if n, ok := before[v.Label]; ok {
			original = n
		}
		row(v.Label, v.Records, v.Weight, original)
	}
	if rest := len(levels.All) - len(shown); rest > 0 {
		row(wording.Counted(rest, "other"), others, weight, "–")
	}
	if missing := now.MissingCount(); missing+was.MissingCount() > 0 {
		row("missing", missing, missingWeight(now, weights), was.MissingCount())
	}
	return t
}

// missingWeight returns the sum of the weights of the records without a value.
func missingWeight(column *microdata.Column, weights []float64) (sum float64) {
	for row, weight := range weights {
		if column.Missing(row) {
			sum += weight
		}
	}
	return sum
}
