package publish

import (
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// The status of cells in a protected table. Sensitive cells have no other one: it would reveal which cells are small or
// dominated. All cells are perturbed, or none: otherwise the status would reveal which values are true.
const (
	SuppressedMark = "suppressed"
	PerturbedMark  = "perturbed"
)

// File returns what is published, as a dataset with a row per cell: the codes, the value, and the status.
func (t *Table) File() (*microdata.Dataset, error) {
	columns := make([]*microdata.Column, 0, len(t.Trees)+2)
	for d, tree := range t.Trees {
		var labels []string
		for _, node := range tree.Nodes {
			labels = append(labels, node.Code)
		}
		columns = append(columns, texts(tree.Variable, labels, len(t.Cells), func(cell int) int { return t.Node(cell, d) }))
	}
	values := make([]float64, len(t.Cells))
	for cell := range values {
		values[cell], _ = t.Published(cell)
	}
	columns = append(columns, microdata.NewNumeric(t.ValueName(), microdata.Number,
		&microdata.Numbers{Values: values, Decimals: microdata.Shortest}))
	columns = append(columns, texts(t.unused("status"), []string{"published", SuppressedMark, PerturbedMark}, len(t.Cells), func(cell int) int {
		switch {
		case t.Suppressed(cell):
			return 1
		case t.published != nil:
			return 2
		}
		return 0
	}))
	return microdata.NewDataset(columns)
}

// ValueName returns what the values are called in the file: the response, or "count".
func (t *Table) ValueName() string {
	if t.Definition.Response != "" {
		return t.unused(t.Definition.Response)
	}
	return t.unused("count")
}

// unused returns a name that no spanning variable has.
func (t *Table) unused(name string) string {
	for slices.ContainsFunc(t.Definition.By, func(s microdata.Spanning) bool { return s.Variable == name }) {
		name += "_"
	}
	return name
}

// texts makes a column with one of the labels per row.
func texts(name string, labels []string, rows int, label func(row int) int) *microdata.Column {
	levels := make([]microdata.Level, len(labels))
	for i, text := range labels {
		levels[i] = microdata.Level{Label: text, Value: math.NaN()}
	}
	codes := make([]uint32, rows)
	for row := range codes {
		codes[row] = uint32(label(row)) + 1
	}
	return microdata.NewCategorical(name, microdata.Category,
		&microdata.Categories{Levels: levels, Codes: microdata.NarrowCodes(codes, len(labels))})
}
