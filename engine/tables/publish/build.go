package publish

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/cellkey"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Hierarchies returns the levels of a variable that are known otherwise than from the definition; nil: none.
type Hierarchies func(variable string) [][]string

// Build makes the table of a definition. Errors wrap those of package tabular, or are those of the context.
func Build(ctx context.Context, data *microdata.Dataset, d *microdata.TableDefinition, known Hierarchies) (*tabular.Table, error) {
	if err := Check(d); err != nil {
		return nil, err
	}
	if err := present(data, d.By); err != nil {
		return nil, err
	}
	if d.OfCells {
		return buildCells(ctx, data, d, known)
	}
	by := make([]tabular.Spanning, len(d.By))
	for i := range d.By {
		column, _ := data.Column(d.By[i].Variable)
		levels := levelsOf(data, &d.By[i], known)
		if _, err := tabular.NewTree(column.Name(), levels); err != nil {
			return nil, err
		}
		levels = coarserThan(column.Categories(), levels)
		by[i] = tabular.Spanning{Variable: column.Name(), Levels: levels, Nested: d.By[i].Nested}
	}
	of := tabular.Definition{By: by, Response: d.Response, Shadow: d.Shadow, Weight: d.Weight, Holding: d.Holding, Count: d.Count}
	if d.Seed != 0 {
		of.Keys = recordKeys(data, d.Seed)
	}
	return tabular.Of(ctx, data, &of)
}

// recordKeys returns the keys of the records of the source: a record keeps its key whatever others are removed.
func recordKeys(data *microdata.Dataset, seed uint64) []uint64 {
	records := 0
	for row := range data.Len() {
		records = max(records, data.SourceRecord(row)+1)
	}
	return cellkey.RecordKeys(seed, records)
}

// present reports spanning variables, and those with their coarser levels, that the data lack.
func present(data *microdata.Dataset, by []microdata.Spanning) error {
	for i := range by {
		for _, name := range append([]string{by[i].Variable}, by[i].Nested...) {
			if _, ok := data.Column(name); !ok {
				return fmt.Errorf("%w: there is no variable %q", tabular.ErrDefinition, wording.Excerpt(name))
			}
		}
	}
	return nil
}

// levelsOf returns the levels of a spanning variable; nil: it has none.
func levelsOf(data *microdata.Dataset, s *microdata.Spanning, known Hierarchies) hierarchy.Table {
	switch {
	case len(s.Nested) > 0:
		return nestedLevels(data, s)
	case s.Levels != nil || known == nil:
		return s.Levels
	}
	return known(s.Variable)
}

// nestedLevels returns the combinations of a variable and those with its coarser levels, each once, in the order of the
// categories.
func nestedLevels(data *microdata.Dataset, s *microdata.Spanning) (levels hierarchy.Table) {
	columns := columnsOf(data, s)
	seen := map[string]bool{}
	for row := range data.Len() {
		var path []string
		for _, column := range columns {
			path = append(path, column.Text(row))
		}
		if key := fmt.Sprintf("%q", path); path[0] != "" && !seen[key] {
			seen[key] = true
			levels = append(levels, path)
		}
	}
	categories := columns[0].Categories()
	place := func(path []string) int {
		code, _ := categories.CodeOf(path[0])
		return int(code)
	}
	slices.SortStableFunc(levels, func(a, b []string) int { return place(a) - place(b) })
	return levels
}

// columnsOf returns a spanning variable and those with its coarser levels.
func columnsOf(data *microdata.Dataset, s *microdata.Spanning) []*microdata.Column {
	column, _ := data.Column(s.Variable)
	columns := []*microdata.Column{column}
	for _, name := range s.Nested {
		column, _ := data.Column(name)
		columns = append(columns, column)
	}
	return columns
}

// coarserThan returns the levels from that one on whose codes are the categories: a recode may have replaced finer ones.
// If there is none, it returns the levels as they are.
func coarserThan(categories *microdata.Categories, levels [][]string) hierarchy.Table {
	counts := categories.Counts()
	for depth := 0; len(levels) > 0 && depth < len(levels[0]); depth++ {
		codes := map[string]bool{}
		for _, row := range levels {
			if depth < len(row) {
				codes[row[depth]] = true
			}
		}
		all := true
		for i, level := range categories.Levels {
			all = all && (counts[i+1] == 0 || codes[level.Label])
		}
		if all {
			return fromDepth(levels, depth)
		}
	}
	return levels
}

// fromDepth returns the levels without the finest ones, each code once for each parent.
func fromDepth(levels [][]string, depth int) (coarser hierarchy.Table) {
	if depth == 0 {
		return levels
	}
	seen := map[string]bool{}
	for _, row := range levels {
		rest := row[min(depth, len(row)):]
		if key := fmt.Sprintf("%q", rest); !seen[key] {
			seen[key] = true
			coarser = append(coarser, rest)
		}
	}
	return coarser
}
