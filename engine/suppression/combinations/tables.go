package combinations

import (
	"maps"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// tables lists the combinations of the named key variables, each once with its largest threshold, in the order of
// their first variables.
func (c *Combinations) tables(names []string) ([]crosstable.Table, error) {
	var tables []crosstable.Table
	var err error
	switch {
	case len(c.Levels) > 0 && len(c.Thresholds) > 0:
		err = method.ParamError("\"combinations\": identification levels take a single threshold")
	case len(c.List) > 0:
		tables, err = c.listed(names)
	case len(c.Levels) > 0:
		tables, err = c.byLevel(names)
	default:
		tables, err = c.byDimension(names)
	}
	if err != nil {
		return nil, err
	}
	return crosstable.Sorted(tables), nil
}

// byDimension lists all combinations up to Dimension.
func (c *Combinations) byDimension(names []string) ([]crosstable.Table, error) {
	thresholds, err := c.bySize()
	if err != nil {
		return nil, err
	}
	var tables []crosstable.Table
	for i, threshold := range thresholds[:min(len(thresholds), len(names))] {
		if threshold == 0 {
			continue
		}
		sets, ok := crosstable.Choices(len(names), i+1)
		if !ok || len(tables)+len(sets) > crosstable.Most {
			return nil, tooMany(len(names))
		}
		tables = append(tables, tablesOf(sets, threshold)...)
	}
	if len(tables) == 0 {
		return nil, method.ParamError("\"combinations\": %s cannot form combinations of %d",
			wording.Counted(len(names), "key variable"), 1+slices.IndexFunc(thresholds,
				func(threshold int) bool { return threshold > 0 }))
	}
	return tables, nil
}

// bySize returns the thresholds for combinations of 1, 2, ... variables, with 0 for those that are ignored.
func (c *Combinations) bySize() ([]int, error) {
	if len(c.Thresholds) == 0 {
		if c.Dimension < 1 || c.Threshold < 1 {
			return nil, method.ParamError("\"combinations\": dimension %d and threshold %d; both must be at least 1",
				c.Dimension, c.Threshold)
		}
		return slices.Repeat([]int{c.Threshold}, min(c.Dimension, keys.MostVariables)), nil
	}
	switch {
	case c.Threshold != 0:
		return nil, method.ParamError("\"combinations\": give either threshold, one for all, or thresholds, one for each number of variables")
	case c.Dimension != 0 && c.Dimension != len(c.Thresholds):
		return nil, method.ParamError("\"combinations\": %d thresholds for dimension %d; give one for each number of variables, starting at 1", len(c.Thresholds), c.Dimension)
	case slices.Min(c.Thresholds) < 0 || slices.Max(c.Thresholds) < 1:
		return nil, method.ParamError("\"combinations\": thresholds must be at least 1, or 0 to skip a number of variables, and not all 0")
	}
	return c.Thresholds, nil
}

func tooMany(variables int) error {
	return method.ParamError("\"combinations\": there are more than %d of the %d key variables; choose a smaller "+
		"dimension or fewer key variables", crosstable.Most, variables)
}

// listed returns the combinations of List.
func (c *Combinations) listed(names []string) ([]crosstable.Table, error) {
	var tables []crosstable.Table
	for _, listed := range c.List {
		var set uint64
		for _, name := range listed.Variables {
			v := slices.Index(names, name)
			if v < 0 || set>>v&1 == 1 {
				return nil, method.ParamError("\"combinations\": %q is not a key variable or is repeated in a combination; key variables are %s", wording.Excerpt(name), strings.Join(names, ", "))
			}
			set |= 1 << v
		}
		if set == 0 || listed.Threshold < 1 {
			return nil, method.ParamError("\"combinations\": a combination needs at least one variable and a threshold of at least 1")
		}
		tables = append(tables, crosstable.Table{Set: set, Threshold: listed.Threshold})
	}
	return tables, nil
}

// mostLevel is the level of the least identifying variables.
const mostLevel = 5

// byLevel lists the combinations by level of identification.
func (c *Combinations) byLevel(names []string) ([]crosstable.Table, error) {
	if c.Threshold < 1 {
		return nil, method.ParamError("\"combinations\": the threshold is %d; it must be at least 1",
			c.Threshold)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Levels)) {
		if level := c.Levels[name]; !slices.Contains(names, name) || level < 0 || level > mostLevel {
			return nil, method.ParamError("\"combinations\": %q has level %d; key variables (%s) have levels from 0, not identifying, to %d", wording.Excerpt(name), level, strings.Join(names, ", "), mostLevel)
		}
	}
	var ordered []int // variables, most identifying first
	var upTo []int    // per level that occurs: its variables and those of earlier levels
	for level := 1; level <= mostLevel; level++ {
		before := len(ordered)
		for v, name := range names {
			if c.Levels[name] == level {
				ordered = append(ordered, v)
			}
		}
		if len(ordered) > before {
			upTo = append(upTo, len(ordered))
		}
	}
	if len(ordered) == 0 {
		return nil, method.ParamError("\"combinations\": no key variable has a level of at least 1")
	}
	sets, ok := crosstable.Chosen(ordered, upTo)
	if !ok {
		return nil, tooMany(len(names))
	}
	return tablesOf(sets, c.Threshold), nil
}

// tablesOf returns a table for each set of variables.
func tablesOf(sets []uint64, threshold int) []crosstable.Table {
	tables := make([]crosstable.Table, len(sets))
	for i, set := range sets {
		tables[i] = crosstable.Table{Set: set, Threshold: threshold}
	}
	return tables
}
