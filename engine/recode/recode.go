// Package recode holds the methods that map the levels of one variable: recode
// by intervals and by hierarchies, grouping, splitting, renaming and ordering
// of levels, top and bottom coding, rounding.
//
// All of them are regroupers: Regroup says the mapping without touching a
// record, Apply carries the same mapping out, so that a what-if and the step
// it leads to cannot differ.
//
//	ages := recode.Intervals{Variable: "age", Breaks: []float64{-1, 4, 14, 24, 99}}
//	out, err := ages.Apply(ctx, method.Input{Data: data, Scenario: &scenario}, nil)
//	fmt.Println(out.Report.Title) // intervals age: 0-4, 5-14, 15-24, …
package recode

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
)

// regrouper is what the methods of this package are.
type regrouper interface {
	method.Regrouper
	method.Describer
}

// apply carries out the mapping that m says.
func apply(ctx context.Context, m regrouper, in method.Input, meter *progress.Meter) (method.Output, error) {
	if err := ctx.Err(); err != nil {
		return method.Output{}, err
	}
	meter.Start(3)
	regrouping, _, err := m.Regroup(in)
	if err != nil {
		return method.Output{}, err
	}
	meter.Add(1)
	report := m.Describe(&regrouping)
	meter.Add(1)
	if err := ctx.Err(); err != nil {
		return method.Output{}, err
	}
	data := in.Data.With(regrouping.Column())
	meter.Add(1)
	return method.Output{Data: data, Report: report}, ctx.Err()
}

// column returns the variable that a method was told to recode.
func column(data *microdata.Dataset, variable string) (*microdata.Column, error) {
	if variable == "" {
		return nil, fmt.Errorf("%w \"variable\" is missing: name the variable to recode", method.ErrParam)
	}
	found, ok := data.Column(variable)
	if !ok {
		return nil, fmt.Errorf("%w \"variable\": the file has no variable %q", method.ErrParam, variable)
	}
	return found, nil
}

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
