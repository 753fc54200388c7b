package inference

import (
	"context"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Name is the name of the measure in scripts.
const Name = "inference"

// Measure is the measure of attribute inference. It has no parameters.
type Measure struct{}

var _ measure.Measure = Measure{}

// Spec describes the measure for the catalog.
func Spec() measure.Spec {
	const each = "number of cells, over the key variables; each counts for the variable that reveals it best"
	return measure.Spec{
		Name:  Name,
		Title: "attribute inference",
		Help: "Finds released variables, and household members, from which an intruder can infer suppressed cells of a " +
			"key variable. Remove such a variable, recode it, or suppress its cells as well.\n" +
			"- data: rules are learned from the released records, without weights. The measure also needs the records " +
			"of the original; \"sdcdesk check\" runs it only with --against.\n" +
			"- exact inference: at least 3 other records (1 in a household) have the same value of the " +
			"released variable, and all of them have the same category of the key variable. Such inferences must be " +
			"correct for 95 % of the records with the value (leave-one-out).\n" +
			"- probable inference: at least 80 % of these records have that category.\n" +
			"- listed variables: the lower confidence limit of the share of correct inferences exceeds that of the best guess " +
			"from the other key variables. Its error probability is 0.1 % divided by the number of variables tried.\n" +
			"- recodes: original categories that a recode merged are counted separately. Their count is an " +
			"upper bound, because the rules are learned from the original.\n" +
			"- also listed: sums that reveal masked or suppressed values, and variables that reveal the order of " +
			"masked values.",
		Cite: "Willenborg and de Waal 2001, Elements of Statistical Disclosure Control; Hundepool et al. 2012, Statistical " +
			"Disclosure Control; Clopper and Pearson 1934, Biometrika 26 (limit)",
		Section: "Attribute inference",
		Page: measure.Page{Meaning: measure.Telling("%s of the %s suppressed cells of key variables can be inferred correctly, %s of them exactly.",
			"told", "blanked", "told_exactly"), Bars: measure.BarsOfTable("blanked_by_key", "inferred"),
			Drawn: "suppressed cells that can be inferred correctly, by variable"},
		New: func() measure.Measure { return Measure{} },
		Definitions: measure.Definitions{
			"blanked": {"Cells of key variables with a value in the original and none in the released data. In the original itself, " +
				"all missing cells.", "number of cells, over the key variables"},
			"told": {"Suppressed cells whose category can be inferred correctly, exactly or probably, from records with the same " +
				"value of a released variable or from other household members.",
				each},
			"told_exactly": {"Those of them for which at least 3 other records (1 in a household) all have one category, and at least 95 " +
				"% of such inferences are correct.",
				each},
			"told_wrongly": {"Suppressed cells for which a wrong category is inferred.", each},
		},
	}
}

// Params returns nil.
func (Measure) Params() []method.Param { return nil }

// Needs returns a reason if there are no key variables, or "".
func (Measure) Needs(in measure.Input) string {
	if s := in.Current.Scenario; len(s.Keys)+len(s.Numeric) == 0 {
		return "no key variables"
	}
	return ""
}

// Compute finds what other variables reveal.
func (Measure) Compute(ctx context.Context, in measure.Input, meter *progress.Meter) (measure.Values, error) {
	found, err := Find(ctx, in, meter)
	if err != nil {
		return measure.Values{}, err
	}
	values := measure.Values{Numbers: found.numbers(), Tables: found.tables(), Result: found}
	values.Explain = func(e *measure.Explanation, what *measure.FigureKey) {
		column := map[string]int{"blanked": 1, "told": 2, "told_exactly": 3, "told_wrongly": 4}[what.Value.Name]
		e.Steps = func() []string { return values.Tables[0].Added(column, e.Value) }
	}
	return values, nil
}

func (r *Result) numbers() []measure.Value {
	cells, exact, probable := r.Suppressed()
	return []measure.Value{
		measure.CountOf("told", "inferable cells", exact.True+probable.True, cells),
		measure.CountOf("told_exactly", "of these, inferred exactly", exact.True, cells),
		measure.CountOf("told_wrongly", "wrongly inferred cells", exact.False+probable.False, cells),
		measure.CountOf("blanked", "examined cells of key variables", cells, 0),
	}
}

// counted are the table columns with numbers of cells.
var counted = []string{"cells", "inferred", "exactly", "wrongly"}

// tables lists what can be inferred of each key variable, suppressed cells and source categories separately, and
// from what.
func (r *Result) tables() []measure.Table {
	tables := []measure.Table{{Name: "blanked_by_key", Title: "Suppressed cells that can be inferred, by key variable"},
		{Name: "recoded_by_key", Title: "Original categories, if an intruder knows the original"}}
	for i := range tables {
		tables[i].Columns = append([]string{"variable"}, counted...)
	}
	for _, k := range r.Keys {
		to := &tables[0]
		if k.Recoded {
			to = &tables[1]
		}
		to.Rows = append(to.Rows, []any{k.Variable, k.Cells, k.Exactly.True + k.Probably.True, k.Exactly.True,
			k.Exactly.False + k.Probably.False})
	}
	by := measure.Table{Name: "told_by", Title: "Revealing variables", Columns: []string{"variable", "revealed by", "kind of cell", "cells",
		"exact: correct", "exact: wrong", "probable: correct", "probable: wrong", "correct", "base", "bits"}}
	for i := range r.Inferred {
		t := &r.Inferred[i]
		by.Rows = append(by.Rows, []any{t.Variable, t.Source(), t.What(), t.Cells, t.Exactly.True, t.Exactly.False,
			t.Probably.True, t.Probably.False, measure.Percent(100 * t.Share), measure.Percent(100 * t.Base), t.Bits})
	}
	by.About = func(row int, _ func(variable, category string) string) []string {
		if r.Inferred[row].Kind == Household {
			return []string{"Remove " + r.Inferred[row].By[0] + "."}
		}
		return []string{"Remove " + strings.Join(r.Inferred[row].By, " or ") + ", recode it, or suppress its cells as well."}
	}
	return append(tables, by, r.sumTable(), r.orderTable())
}

func (r *Result) sumTable() measure.Table {
	t := measure.Table{Name: "sums", Title: "Sums that reveal values", Columns: []string{"variable", "is", "cells", "correct",
		"wrong", "holds", "base"}}
	for i := range r.Sums {
		s := &r.Sums[i]
		t.Rows = append(t.Rows, []any{s.Variable, s.Formula(), s.Cells, s.Inferred.True, s.Inferred.False,
			measure.Percent(100 * s.Holds), measure.Percent(100 * s.Base)})
	}
	return t
}

// Formula returns the sum as text: "wages + rents - taxes".
func (s *Sum) Formula() string {
	var text strings.Builder
	for i, term := range s.Terms {
		switch {
		case term.Minus && i == 0:
			text.WriteString("-")
		case term.Minus:
			text.WriteString(" - ")
		case i > 0:
			text.WriteString(" + ")
		}
		text.WriteString(term.Variable)
	}
	return text.String()
}

func (r *Result) orderTable() measure.Table {
	t := measure.Table{Name: "orders", Title: "Variables that reveal the order of masked values",
		Columns: []string{"variable", "revealed by", "order", "pairs", "correct", "base"}}
	for _, o := range r.Orders {
		order := "the same"
		if o.Reversed {
			order = "reversed"
		}
		t.Rows = append(t.Rows, []any{o.Variable, o.By, order, o.Pairs, measure.PercentOf(o.Right, o.Pairs),
			measure.Percent(100 * o.Base)})
	}
	return t
}

// What returns what can be inferred: "suppressed cells" or "recoded cells".
func (t *Inferred) What() string {
	if t.Recoded {
		return "recoded cells"
	}
	return "suppressed cells"
}

// Source returns the names of what reveals it: "occup", "sex and hsize", "hid (household)".
func (t *Inferred) Source() string {
	if t.Kind == Household {
		return t.By[0] + " (household)"
	}
	return strings.Join(t.By, " and ")
}
