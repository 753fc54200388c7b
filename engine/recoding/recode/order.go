package recode

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Order sorts the levels of a variable as the user specifies and marks the variable as ordered. No cell changes.
//
// Numbers in an order other than ascending become codes; a recode from the source values still uses the numbers.
type Order struct {
	Variable string
	Levels   []string // labels in their new order; other levels follow in their current order
}

// OrderSpec describes recode-order for the catalog.
func OrderSpec() method.Spec {
	return method.Spec{
		Name:  "recode-order",
		Title: "Order of categories",
		Help: "Sets the order of the categories of a variable, such as education from low to high, and marks it as " +
			"ordered. It can then be top- and bottom-coded, and measures for ordered variables apply. No value changes.",
		Cite:   "Templ (2017), Statistical Disclosure Control for Microdata, section 4.2.1",
		Key:    "r",
		Sample: `{"variable":"educ","levels":["none","primary"]}`,
		New:    method.From(Order{}),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Order) Params() []method.Param {
	return []method.Param{
		variableParam(&m.Variable).Refusing(notOrdered),
		method.Levels(&m.Levels, &m.Variable, "levels",
			"categories in their new order; the others follow").Needed(),
	}
}

// notOrdered returns why a variable cannot be ordered, or "".
func notOrdered(name string, s *microdata.Scenario) string {
	if s.Has(name, microdata.RoleNumericKey) {
		return fmt.Sprintf("%q is a numeric key variable, and numbers have their own order; order another variable, or remove this one "+
			"from the numeric key variables", name)
	}
	return notRecoded(name, s)
}

// Regroup returns the mapping that moves the levels.
func (m *Order) Regroup(in method.Input, target *microdata.Column) (r method.Regrouping, err error) {
	if len(m.Levels) == 0 {
		return r, method.ParamError("\"levels\" is empty: list the categories of %q in their new order",
			m.Variable)
	}
	if err := distinctLabels("levels", m.Levels); err != nil {
		return r, err
	}
	levels := target.Categories().Levels
	places, err := placesOf(target, "levels", m.Levels...)
	if err != nil {
		return r, err
	}
	var named []microdata.Level
	for _, place := range places {
		named = append(named, levels[place])
	}
	r = mapped(target, target, levels, append(named, levels...)...)
	after := labelsOf(r.Levels)
	r.Levels, r.Ordered = codesOutOfOrder(r.Levels), true
	r.Moves = !target.Categories().Ordered || !slices.Equal(labelsOf(levels), after)
	if codes, said := target.MayBeCodes(), target.Described(); codes || said.Level == microdata.Nominal {
		said = *said.Regrouped(target.Categories().Levels, r.Levels, r.Mapping, true)
		said.Level = microdata.Ordinal // a user who orders codes declares that their order has a meaning
		r.Description, r.Moves = &said, r.Moves || codes
	}
	r.Title = fmt.Sprintf("order %s: %s", m.Variable, list(after))
	r.Effect = wording.CountedAs(len(after), "category", "categories") + " ordered"
	return r, nil
}

// codesOutOfOrder returns the levels, as codes without numeric values if their numbers are not ascending.
func codesOutOfOrder(levels []microdata.Level) []microdata.Level {
	numbers := slices.DeleteFunc(slices.Clone(levels), func(l microdata.Level) bool { return !l.NumberLevel() })
	if slices.IsSortedFunc(numbers, func(x, y microdata.Level) int { return cmp.Compare(x.Value, y.Value) }) {
		return levels
	}
	levels = slices.Clone(levels)
	for i := range levels {
		levels[i].Value = math.NaN()
	}
	return levels
}

// Narrate states that the categories were ordered.
func (m *Order) Narrate(*method.Report) string {
	return fmt.Sprintf("The categories of %s were ordered; no value changed.", m.Variable)
}
