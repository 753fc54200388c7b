package pages

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// variableProfile is what the Variables page tells of a variable beside its
// name and role.
type variableProfile struct {
	distinct int
	missing  int
	examples []string
}

// newVariableProfile looks at a variable. Distinct values of one that is stored
// as numbers take time in the number of records.
func newVariableProfile(column *microdata.Column) variableProfile {
	return variableProfile{
		distinct: distinctValues(column),
		missing:  column.MissingCount(),
		examples: exampleValues(column),
	}
}

// distinctValues returns the number of distinct values that are not missing.
func distinctValues(column *microdata.Column) int {
	numbers := column.StoredAsNumbers()
	if numbers == nil {
		return column.Categories().Occurring()
	}
	values := slices.DeleteFunc(slices.Clone(numbers.Values), func(x float64) bool { return x != x })
	slices.Sort(values)
	return len(slices.Compact(values))
}

// exampleValues returns the first three distinct values of the first records.
func exampleValues(column *microdata.Column) []string {
	const look, want = 2000, 3
	var examples []string
	for record := range min(look, column.Len()) {
		if text := column.Text(record); text != "" && !slices.Contains(examples, text) {
			if examples = append(examples, text); len(examples) == want {
				break
			}
		}
	}
	return examples
}
