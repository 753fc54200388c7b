package publish

import (
	"cmp"
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// buildCells makes the table of a file whose rows are cells.
func buildCells(ctx context.Context, data *microdata.Dataset, d *microdata.TableDefinition, known Hierarchies) (*tabular.Table, error) {
	file := tabular.CellFile{Total: cmp.Or(d.Total, tabular.Total), Value: d.Response, Shadow: d.Shadow, Count: d.Count,
		Largest: d.Largest}
	for i := range d.By {
		s := &d.By[i]
		levels := levelsOf(data, s, known)
		if len(s.Nested) > 0 {
			data = data.With(finest(columnsOf(data, s), file.Total))
		}
		column, _ := data.Column(s.Variable)
		tree, err := tabular.NewTree(s.Variable, leafPaths(column.Categories(), levels, file.Total))
		if err != nil {
			return nil, err
		}
		file.Trees = append(file.Trees, tree)
	}
	return tabular.OfCells(ctx, data, &file)
}

// finest returns a variable with the finest code of each row that is not the total.
func finest(columns []*microdata.Column, total string) *microdata.Column {
	var labels []string
	place := map[string]int{}
	of := make([]int, columns[0].Len())
	for row := range of {
		code := total
		for k := 0; k < len(columns) && code == total; k++ {
			code = columns[k].Text(row)
		}
		at, known := place[code]
		if !known {
			at = len(labels)
			place[code], labels = at, append(labels, code)
		}
		of[row] = at
	}
	return texts(columns[0].Name(), labels, len(of), func(row int) int { return of[row] })
}

// leafPaths returns the leaves of a tree with the nodes above them, as far as a file of cells has a code of them. Without
// levels, each code but the total is a leaf.
func leafPaths(categories *microdata.Categories, levels [][]string, total string) (paths [][]string) {
	if levels == nil {
		for _, level := range categories.Levels {
			if level.Label != total {
				paths = append(paths, []string{level.Label})
			}
		}
		return paths
	}
	occurs := func(code string) bool {
		_, ok := categories.CodeOf(code)
		return ok
	}
	sums := map[string]bool{}
	for _, row := range levels {
		path := slices.Compact(slices.DeleteFunc(slices.Clone(row), func(code string) bool { return code == total || code == "" }))
		if !slices.ContainsFunc(path, occurs) {
			continue // a heading
		}
		for _, code := range path[1:] {
			sums[code] = true
		}
		paths = append(paths, path)
	}
	return slices.DeleteFunc(paths, func(path []string) bool { return sums[path[0]] })
}
