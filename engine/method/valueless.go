package method

import (
	"reflect"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// A survey asks some questions in some waves only: the column of a question that was not
// asked has no value in any record, and must not stop the script of another wave. Methods
// that map levels then map nothing (see Regroup), and those that mask numbers mask the others.

// withoutValueless returns a masker without the variables that have no value in any record,
// and names these. The masker that is given stays as it is.
func withoutValueless(m Method, in Input) (Method, []string) {
	masked, ok := Masked(m)
	if !ok {
		return m, nil
	}
	none := func(name string) bool {
		column, ok := in.Data.Column(name)
		return ok && column.Len() > 0 && column.Valueless()
	}
	left := slices.DeleteFunc(slices.Clone(masked), func(name string) bool { return !none(name) })
	if len(left) == 0 {
		return m, nil
	}
	reduced := Clone(m)
	for _, p := range reduced.Params() {
		if list, ok := p.Value.(*words); ok && p.Kind == KindVariables {
			*list = slices.DeleteFunc(slices.Clone(*list), none)
		}
	}
	return reduced, left
}

// Clone returns a copy of a method, of the same type, whose parameters can be set to other values.
func Clone(m Method) Method {
	of := reflect.New(reflect.TypeOf(m).Elem())
	of.Elem().Set(reflect.ValueOf(m).Elem())
	return of.Interface().(Method)
}

// WithoutValues says that variables have no value in any record.
func WithoutValues(names ...string) string {
	return wording.Listed(names) + " " + wording.Verb(len(names), "have") + " no value in any record"
}

// nothingToMask is what a step gives none of whose variables has a value.
func nothingToMask(in Input, names []string) Output {
	nothing := WithoutValues(names...)
	return Output{Data: in.Data, Report: Report{Title: "mask " + wording.Listed(names), Effect: nothing,
		Warnings: []string{nothing, WarnNothing}}}
}
