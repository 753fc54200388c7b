package generated

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
)

// Groups is the result of
//
//	SELECT names..., COUNT(*), SUM(weight) FROM data GROUP BY names...
//
// in the random order of a map.
type Groups struct {
	names   []string
	labels  [][]string // by variable and row; "" for missing
	counts  []int
	weights []float64
}

// GroupBy groups the records with a map, independently of package keys.
func GroupBy(data *microdata.Dataset, weight string, names ...string) *Groups {
	columns, of := golden.Columns(data, names...), golden.Columns(data, weight)[0]
	type group struct {
		count  int
		weight float64
	}
	groups := map[string]group{}
	cells := make([]string, len(columns))
	for record := range data.Len() {
		for v, column := range columns {
			cells[v] = column.Text(record)
		}
		key := strings.Join(cells, "\x00")
		now := groups[key]
		groups[key] = group{now.count + 1, now.weight + of.Float(record)}
	}
	g := &Groups{names: names, labels: make([][]string, len(names))}
	for key, it := range groups {
		for v, label := range strings.Split(key, "\x00") {
			g.labels[v] = append(g.labels[v], label)
		}
		g.counts, g.weights = append(g.counts, it.count), append(g.weights, it.weight)
	}
	return g
}

// codes returns the codes of labels among the levels of a variable.
func codes(labels []string, levels []microdata.Level) []uint32 {
	of := map[string]uint32{"": 0}
	for i, level := range levels {
		of[level.Label] = uint32(i + 1)
	}
	out := make([]uint32, len(labels))
	for row, label := range labels {
		out[row] = of[label]
	}
	return out
}

// Table returns the key table of the groups, with the levels of data.
func (g *Groups) Table(tb testing.TB, data *microdata.Dataset) *keys.Table {
	tb.Helper()
	groups := &keys.Groups{Counts: g.counts, Weights: g.weights}
	for v, column := range golden.Columns(data, g.names...) {
		levels := column.Categories().Levels
		groups.Levels, groups.Codes = append(groups.Levels, len(levels)), append(groups.Codes, codes(g.labels[v], levels))
	}
	table, err := keys.FromGroups(tb.Context(), groups)
	if err != nil {
		tb.Fatal(err)
	}
	return table
}

// Dataset returns the groups as a frequency table.
func (g *Groups) Dataset(tb testing.TB, data *microdata.Dataset, weight string) *microdata.Dataset {
	tb.Helper()
	var columns []*microdata.Column
	for v, column := range golden.Columns(data, g.names...) {
		categories := column.Categories()
		made := &microdata.Categories{Levels: categories.Levels,
			Codes: microdata.CodesOf(codes(g.labels[v], categories.Levels)), Ordered: categories.Ordered}
		columns = append(columns, microdata.NewCategorical(g.names[v], column.Kind(), made))
	}
	sums := microdata.NewNumeric(weight, microdata.Number, &microdata.Numbers{Values: g.weights, Decimals: 6})
	out, err := microdata.NewGrouped(append(columns, sums), g.counts)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}
