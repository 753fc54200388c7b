package suppress

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// importance determines which variables lose cells first.
type importance struct {
	rank  []int // per variable, 1 = most important, suppressed last
	order []int // variables in the order of suppression: least important first
	price []int // price of one cell per variable
}

// rankVariables returns the importance of the named variables. If none is given, the variable with most categories
// is the least important, ties go to the one named later, and every cell costs 1. If one is given, variables that
// it omits rank after the others, in that default order, and a cell costs the number of variables + 1 -
// importance.
func rankVariables(names []string, categories []int, given map[string]int) (*importance, error) {
	if err := checkImportance(names, given); err != nil {
		return nil, err
	}
	natural := make([]int, len(names)) // most important first
	for v := range natural {
		natural[v] = v
	}
	slices.SortStableFunc(natural, func(a, b int) int { return cmp.Compare(categories[a], categories[b]) })
	r := &importance{rank: make([]int, len(names)), order: slices.Clone(natural), price: make([]int, len(names))}
	if len(given) == 0 {
		for place, v := range natural {
			r.rank[v], r.price[v] = place+1, 1
		}
		slices.Reverse(r.order)
		return r, nil
	}
	r.rankGiven(names, natural, given)
	for v := range names {
		r.order[v] = v
		r.price[v] = len(names) + 1 - r.rank[v]
	}
	slices.SortStableFunc(r.order, func(a, b int) int { return cmp.Compare(r.rank[b], r.rank[a]) })
	return r, nil
}

// rankGiven sets the ranks. An importance of all variables is used unchanged. If it omits variables, its ranks are
// renumbered 1, 2, ..., and the other variables follow.
func (r *importance) rankGiven(names []string, natural []int, given map[string]int) {
	distinct := slices.Compact(slices.Sorted(maps.Values(given)))
	next := len(distinct) + 1
	for v, name := range names {
		value, ok := given[name]
		if ok && len(given) < len(names) {
			value = slices.Index(distinct, value) + 1
		}
		r.rank[v] = value
	}
	for _, v := range natural {
		if r.rank[v] == 0 {
			r.rank[v] = next
			next++
		}
	}
}

// checkImportance reports names that are not key variables and importances that are out of range.
func checkImportance(names []string, given map[string]int) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) {
			return method.NoKeyVariable("importance", name, names)
		}
		if value := given[name]; value < 1 || value > len(names) {
			return method.ParamError("\"importance\": %s has %d; it must be from 1, the most important, to %d",
				name, value, len(names))
		}
	}
	return nil
}

// categories returns the number of categories that occur of each of the first variables of a table.
func categories(t *keys.Table, variables int) []int {
	occurring := make([]int, variables)
	for v := range occurring {
		occurring[v] = renumber(slices.Clone(t.Codes(v)), t.Levels(v))
	}
	return occurring
}

// byImportance returns the variables that have an importance, most important first.
func byImportance(names []string, given map[string]int) []string {
	named := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return given[name] == 0 })
	slices.SortStableFunc(named, func(a, b string) int { return given[a] - given[b] })
	return named
}
