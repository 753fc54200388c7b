// Package recode holds the methods that map the levels of one variable: recode
// by intervals and by hierarchies, grouping, splitting, renaming and ordering
// of levels, top and bottom coding, rounding.
//
// All of them are regroupers: Regroup says the mapping without touching a
// record, and method.Apply carries the same mapping out, so that a what-if and
// the step it leads to cannot differ.
//
//	ages := recode.Intervals{Variable: "age", Breaks: []float64{-1, 4, 14, 24, 99}}
//	out, err := method.Apply(ctx, &ages, method.Input{Data: data, Scenario: &scenario}, nil)
//	fmt.Println(out.Report.Title) // intervals age: 0-4, 5-14, 15-24, …
package recode

import (
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// variableParam is the parameter that all methods of this package share. Neither
// the weight nor the household identifier is recoded, but for roles that are
// allowed.
func variableParam(field *string, allowed ...microdata.Role) method.Param {
	return method.Variable(field, "variable", "the variable to recode").Refusing(func(name string, s *microdata.Scenario) string {
		return notRecoded(name, s, allowed...)
	})
}

// notRecoded says why a variable is not recoded; "" where it is.
func notRecoded(name string, s *microdata.Scenario, allowed ...microdata.Role) string {
	switch {
	case s.Has(name, microdata.RoleWeight) && !slices.Contains(allowed, microdata.RoleWeight):
		return fmt.Sprintf("%q is the weight, and weights are numbers, not categories; recode another variable, or take the weight out of the scenario", name)
	case s.Has(name, microdata.RoleHousehold) && !slices.Contains(allowed, microdata.RoleHousehold):
		return fmt.Sprintf("%q identifies households, and recoding it would make one household of several; recode another variable, or remove it from the protected file", name)
	}
	return ""
}

// codeOf returns the code of the level that a parameter names.
func codeOf(column *microdata.Column, param, label string) (uint32, error) {
	code, ok := column.Categories().CodeOf(label)
	if !ok {
		return 0, fmt.Errorf("%w %q: %q has no level %q", method.ErrParam, param, column.Name(), label)
	}
	return code, nil
}

// placesOf returns the places of the levels that the parameter "levels" names.
func placesOf(column *microdata.Column, labels []string) ([]int, error) {
	all := make(map[string]int, len(column.Categories().Levels))
	for i, level := range column.Categories().Levels {
		all[level.Label] = i
	}
	places := make([]int, len(labels))
	for i, label := range labels {
		var ok bool
		if places[i], ok = all[label]; !ok {
			return nil, fmt.Errorf("%w \"levels\": %q has no level %q", method.ErrParam, column.Name(), label)
		}
	}
	return places, nil
}

func cells(n int) string { return wording.Counted(n, "cell") }

// lostCells says how many cells became missing; "" for none.
func lostCells(n int, which string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %s %s became missing", cells(n), which)
}
