package method

import (
	"reflect"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Surveys ask some questions only in some waves. The column of a question that was not asked has no value, and
// must not stop a script written for another wave: methods that map levels then map nothing (see Regroup), and
// masking methods mask the other variables.

// withoutValueless returns a copy of a masking method without the variables that have no value in any record, and
// the names of these.
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

// Clone returns a copy of a method whose parameters can be set independently.
func Clone(m Method) Method {
	of := reflect.New(reflect.TypeOf(m).Elem())
	of.Elem().Set(reflect.ValueOf(m).Elem())
	return of.Interface().(Method)
}

// WithoutValues returns the sentence that variables have no value in any record.
func WithoutValues(names ...string) string {
	return wording.Listed(names) + " " + wording.Verb(len(names), "have") + " no value in any record"
}

// nothingToMask returns the output of a masking step if none of its variables has a value.
func nothingToMask(in Input, names []string) Output {
	nothing := WithoutValues(names...)
	return Output{Data: in.Data, Report: Report{Title: "mask " + wording.Listed(names), Effect: nothing,
		Warnings: []string{nothing, WarnNothing}}}
}
