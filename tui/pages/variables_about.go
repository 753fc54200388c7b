package pages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/suppress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
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

// compare looks at how far the variables that are to be the same for households
// are so in the data. What a scenario says wrong is told elsewhere.
func (p *Variables) compare() {
	p.differences, _ = suppress.Differing(p.data, &p.scenario)
}

// difference says that the members of some households differ in the variable
// under the cursor, which is to be the same for them; "" where none do.
func (p *Variables) difference() string {
	if len(p.order) == 0 {
		return ""
	}
	at := slices.IndexFunc(p.differences, func(d suppress.Difference) bool { return d.Variable == p.name() })
	if at < 0 {
		return ""
	}
	d := p.differences[at]
	var parts []string
	if d.Differing > 0 {
		parts = append(parts, "in "+wording.Counted(d.Differing, "household")+" the members differ")
	}
	switch {
	case d.PartlyMissing > 0 && d.Differing > 0: // short: it has one line
		parts = append(parts, "in "+wording.Number(d.PartlyMissing)+" only some have a value")
	case d.PartlyMissing > 0:
		parts = append(parts, "in "+wording.Counted(d.PartlyMissing, "household")+" only some have a value")
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("%s is to be the same for households, but %s", p.name(), strings.Join(parts, ", and "))
}
