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

// Source is what a table is made of.
type Source struct {
	Data       *microdata.Dataset
	Definition *microdata.TableDefinition
	Known      Hierarchies
}

// Merges returns the tables in which two categories are merged, the fewest suppressed cells first, then the lowest
// suppressed value. Tables of the same response, of which at is one, are protected together. Categories are merged if they
// are neighbours in an order, or belong to an unordered variable of at most 12 categories, and have the same coarser
// levels. It returns nil for tables of more than 2,000 cells, for files of cells, and for protections that suppress none.
// Errors are those of Define and Protect.
func Merges(ctx context.Context, tables []Source, at int) (all []Merge, err error) {
	d, data := tables[at].Definition, tables[at].Data
	if p, err := parse(d.Protect); d.OfCells || p != nil || err != nil {
		return nil, err
	}
	var definitions []*microdata.TableDefinition
	for _, t := range tables {
		definitions = append(definitions, t.Definition)
	}
	linked, cells, first := []Source{}, 0, 0
	for _, i := range Linked(definitions, at) {
		t, err := Build(ctx, tables[i].Data, tables[i].Definition, tables[i].Known)
		if err != nil {
			return nil, err
		}
		if i == at {
			first = len(linked)
		}
		linked, cells = append(linked, tables[i]), cells+len(t.Cells)
	}
	for i := range d.By {
		if len(d.By[i].Nested) > 0 || cells > mostMergedCells {
			continue
		}
		column, _ := data.Column(d.By[i].Variable)
		c := column.Categories()
		for _, pair := range mergeable(c, coarserThan(c, levelsOf(data, &d.By[i], tables[at].Known))) {
			labels := [2]string{c.Levels[pair[0]-1].Label, c.Levels[pair[1]-1].Label}
			merged, err := mergedTables(ctx, linked, column.Name(), labels)
			if err != nil {
				return nil, err
			}
			all = append(all, Merge{column.Name(), labels, merged[first].Loss()})
		}
	}
	slices.SortStableFunc(all, func(a, b Merge) int {
		return cmp.Or(cmp.Compare(a.Loss.Primary+a.Loss.Secondary, b.Loss.Primary+b.Loss.Secondary),
			cmp.Compare(a.Loss.PrimaryValue+a.Loss.SecondaryValue, b.Loss.PrimaryValue+b.Loss.SecondaryValue))
	})
	return all, nil
}

// mergedTables protects tables in which two categories are one.
func mergedTables(ctx context.Context, tables []Source, variable string, labels [2]string) ([]*Table, error) {
	var all []*Table
	for _, of := range tables {
		d, data := of.Definition.Clone(), of.Data
		for i := range d.By {
			column, ok := data.Column(d.By[i].Variable)
			if !ok || column.Name() != variable {
				continue
			}
			d.By[i].Nested, d.By[i].Levels = nil, mergedLevels(coarserThan(column.Categories(), levelsOf(data, &of.Definition.By[i], of.Known)), labels)
			d.States = slices.DeleteFunc(d.States, func(s microdata.CellState) bool { return slices.Contains(labels[:], s.Codes[i]) })
			data = data.With(mergedColumn(column, labels))
		}
		t, err := Define(ctx, data, &d, of.Known)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return Protect(ctx, all)
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

// mergedColumn returns a variable in which the second of two categories has become the first.
func mergedColumn(column *microdata.Column, labels [2]string) *microdata.Column {
	c := column.Categories()
	mapping := make([]uint32, len(c.Levels)+1)
	for code := range mapping {
		mapping[code] = uint32(code)
	}
	kept, is := c.CodeOf(labels[0])
	gone, other := c.CodeOf(labels[1])
	if is && other {
		mapping[gone] = kept
	}
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
