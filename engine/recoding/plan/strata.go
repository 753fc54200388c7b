package plan

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Strata returns the variables of the scenario's strata. Without any it returns the key variable with fewest
// categories, but at least two, none of which has fewer than k records, so that a method that works within strata
// suppresses no cell of it. It returns nil if there is no such variable.
func Strata(data *microdata.Dataset, scenario *microdata.Scenario, k int) []string {
	if len(scenario.Strata) > 0 {
		return scenario.Strata
	}
	var found []string
	fewest := 0
	for _, name := range scenario.Keys {
		column, ok := data.Column(name)
		if !ok || column.MissingCount() > 0 {
			continue
		}
		counts := column.Categories().Counts()
		small := slices.ContainsFunc(counts, func(count int) bool { return count > 0 && count < k })
		if n := column.Categories().Occurring(); !small && n > 1 && (found == nil || n < fewest) {
			found, fewest = []string{name}, n
		}
	}
	return found
}
