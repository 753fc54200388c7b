package publish

import (
	"cmp"
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Merge is a table in which two categories of a spanning variable are one.
type Merge struct {
	Variable string
	Codes    [2]string
	Loss     Loss
}

// Most categories of an unordered variable, and cells of a table, for which Merges searches.
const (
	mostMerged      = 12
	mostMergedCells = 2000
)

// Merges returns the tables in which two categories are merged, the fewest suppressed cells first, then the lowest
// suppressed value. Categories are merged if they are neighbours in an order, or belong to an unordered variable of at
// most 12 categories, and have the same coarser levels. It returns nil for tables of more than 2,000 cells, for files of
// cells, and for protections that suppress none. Errors are those of Evaluate.
func Merges(ctx context.Context, data *microdata.Dataset, d *microdata.TableDefinition, known Hierarchies) ([]Merge, error) {
	if p, err := parse(d.Protect); d.OfCells || p != nil || err != nil {
		return nil, err
	}
	cells, err := Build(ctx, data, d, known)
	if err != nil || len(cells.Cells) > mostMergedCells {
		return nil, err
	}
	var all []Merge
	for i := range d.By {
		if len(d.By[i].Nested) > 0 {
			continue
		}
		column, _ := data.Column(d.By[i].Variable)
		levels := coarserThan(column.Categories(), levelsOf(data, &d.By[i], known))
		for _, pair := range mergeable(column.Categories(), levels) {
			merged := d.Clone()
			labels := [2]string{column.Categories().Levels[pair[0]-1].Label, column.Categories().Levels[pair[1]-1].Label}
			merged.By[i].Levels = mergedLevels(levels, labels)
			merged.States = slices.DeleteFunc(merged.States, func(s microdata.CellState) bool { return slices.Contains(labels[:], s.Codes[i]) })
			t, err := Evaluate(ctx, data.With(mergedColumn(column, pair)), &merged, known)
			if err != nil {
				return nil, err
			}
			all = append(all, Merge{column.Name(), labels, t.Loss()})
		}
	}
	slices.SortStableFunc(all, func(a, b Merge) int {
		return cmp.Or(cmp.Compare(a.Loss.Primary+a.Loss.Secondary, b.Loss.Primary+b.Loss.Secondary),
			cmp.Compare(a.Loss.PrimaryValue+a.Loss.SecondaryValue, b.Loss.PrimaryValue+b.Loss.SecondaryValue))
	})
	return all, nil
}

// mergeable returns the pairs of codes that can be merged.
func mergeable(c *microdata.Categories, levels [][]string) (pairs [][2]uint32) {
	var occurring []uint32
	for code := range c.Levels {
		if c.Counts()[code+1] > 0 {
			occurring = append(occurring, uint32(code+1))
		}
	}
	if !c.Ordered && len(occurring) > mostMerged || len(occurring) < 3 {
		return nil // merging two of two would remove the variable
	}
	coarser := map[string][]string{}
	for _, row := range levels {
		coarser[row[0]] = row[1:]
	}
	for i, a := range occurring {
		for _, b := range occurring[i+1:] {
			if slices.Equal(coarser[c.Levels[a-1].Label], coarser[c.Levels[b-1].Label]) {
				pairs = append(pairs, [2]uint32{a, b})
			}
			if c.Ordered {
				break
			}
		}
	}
	return pairs
}

// mergedColumn returns a variable in which the second code of a pair has become the first.
func mergedColumn(column *microdata.Column, pair [2]uint32) *microdata.Column {
	c := column.Categories()
	mapping := make([]uint32, len(c.Levels)+1)
	for code := range mapping {
		mapping[code] = uint32(code)
	}
	mapping[pair[1]] = pair[0]
	return microdata.NewCategorical(column.Name(), microdata.Category, c.Mapped(c.Levels, mapping, c.Ordered))
}

// mergedLevels returns levels without the second of two categories.
func mergedLevels(levels [][]string, labels [2]string) (merged [][]string) {
	for _, row := range levels {
		if row[0] != labels[1] {
			merged = append(merged, row)
		}
	}
	return merged
}
