package loss

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// Categorical is the measure of information loss of categorical variables. It counts records and ignores weights.
type Categorical struct {
	Variables []string // nil: the key variables
	Margins   int      // maximum number of variables of the tables compared
}

// CategoricalSpec describes the information loss of categorical variables.
func CategoricalSpec() measure.Spec {
	return measure.Spec{
		Name:    "tableloss",
		Utility: true,
		Title:   "information loss of categorical variables",
		Help: "Measures the information loss of categorical variables. Missing counts as a category. Recoded " +
			"categories are compared with the original categories that were merged into them.\n" +
			"- variables: categories with their mean and smallest size, entropy in bits, now and in the original, and " +
			"suppressed cells.\n" +
			"- Hellinger distance (0 to 1): compares the shares of categories of each variable and each pair of " +
			"variables.\n" +
			"- information loss of tables: compares the counts of all tables with up to the given number of variables " +
			"by absolute differences, differences relative to the original count, and differences of square roots.",
		Cite: "Gomatam and Karr (2003), NISS technical report 131; " +
			measure.SourceHundep + ", section 3.10",
		Section: "Information loss of categorical variables",
		Groups:  true,
		Page: measure.Page{Headline: []string{"hellinger m1", "hellinger m2", "cells_made_none"}, Meaning: measure.Telling(
			"The mean Hellinger distance of single variables from the original is %s: 0 for equal distributions, 1 for "+
				"no common category.",
			"hellinger m1"), Bars: measure.BarsOfTable("variables", "Hellinger"), Drawn: "Hellinger distance, by variable"},
		New: func() measure.Measure { return &Categorical{Margins: 2} }, Definitions: categoricalDefinitions,
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Categorical) Params() []method.Param {
	return []method.Param{
		method.Variables(&m.Variables, "variables", "categorical variables").Empty("the key variables"),
		method.Number(&m.Margins, "margins", "maximum dimension of the tables (1: one-way, 2: two-way)").Between(1, 4),
	}
}

// Needs returns which variables are missing, or "".
func (m *Categorical) Needs(in measure.Input) string {
	names := m.variables(in)
	if len(names) == 0 {
		return `there are no key variables; set the parameter "variables"`
	}
	return in.Lacking(names)
}

func (m *Categorical) variables(in measure.Input) []string {
	return measure.Chosen(m.Variables, in.Current.Scenario.Keys)
}

// classes has the categories of a variable that are comparable between now and the original.
type classes struct {
	name    string
	codes   []uint32 // of each row now, followed by those in the original; 0: missing
	levels  int
	now     []microdata.Level
	lost    []string   // labels of original categories without records now, which have the last codes
	entropy [2]float64 // now and in the original, by their own categories
	table   []any
}

// classesOf maps the original categories to the current ones.
func classesOf(name string, was, now *microdata.Column) classes {
	a, b := was.Categories(), now.Categories()
	c := classes{name: name, codes: make([]uint32, 2*now.Len()), levels: len(b.Levels), now: b.Levels}
	common := commonCodes(was, now, &c.levels)
	for code, level := range a.Levels {
		if int(common[code+1]) > len(b.Levels) {
			c.lost = append(c.lost, level.Label)
		}
	}
	lost := 0
	for first, pairs := range microdata.Pairs(a.Codes, b.Codes) {
		for i, pair := range pairs {
			c.codes[2*(first+i)], c.codes[2*(first+i)+1] = pair[1], common[pair[0]]
			if pair[0] != 0 && pair[1] == 0 {
				lost += now.RecordsAt(first + i)
			}
		}
	}
	size := func(of *microdata.Categories) any {
		if of.Occurring() == 0 {
			return nil
		}
		return float64(now.Records()-of.Counts()[0]) / float64(of.Occurring())
	}
	c.entropy = [2]float64{b.Entropy(), a.Entropy()}
	c.table = []any{name, b.Occurring(), a.Occurring(), size(b), size(a), b.Smallest(), a.Smallest(), lost, c.entropy[0],
		c.entropy[1]}
	return c
}

// commonCodes returns, for each original code, the current category to compare it with: the one that recodes
// mapped it to, or a separate category if they made it missing. If values were replaced otherwise, it is the
// category with the same label, or else the most frequent current category of its records.
func commonCodes(was, now *microdata.Column, levels *int) []uint32 {
	a, b := was.Categories(), now.Categories()
	if recoded, ok := b.MadeOf(a); ok {
		return withOwn(slices.Clone(recoded), levels)
	}
	codes := microdata.SameLabels(a.Levels, b.Levels)
	counts := make([]map[uint32]int, len(codes))
	for first, pairs := range microdata.Pairs(a.Codes, b.Codes) {
		for i, pair := range pairs {
			if pair[0] != 0 && codes[pair[0]] == 0 && pair[1] != 0 {
				if counts[pair[0]] == nil {
					counts[pair[0]] = map[uint32]int{}
				}
				counts[pair[0]][pair[1]] += now.RecordsAt(first + i)
			}
		}
	}
	for code := 1; code < len(codes); code++ {
		if codes[code] != 0 {
			continue
		}
		most := 0
		for level, count := range counts[code] { // ties: lowest level
			if count > most || count == most && level < codes[code] {
				most, codes[code] = count, level
			}
		}
	}
	return withOwn(codes, levels)
}

// withOwn gives original categories that match no current one a separate level.
func withOwn(codes []uint32, levels *int) []uint32 {
	for code := 1; code < len(codes); code++ {
		if codes[code] == 0 {
			*levels++
			codes[code] = uint32(*levels)
		}
	}
	return codes
}

// Compute counts all tables, in O(n) time each.
func (m *Categorical) Compute(ctx context.Context, in measure.Input, meter *progress.Meter) (measure.Values, error) {
	names := m.variables(in)
	all, groups := make([]classes, len(names)), &keys.Groups{}
	for j, name := range names {
		was, _ := in.Original.Data().Column(name)
		now, _ := in.Current.Data().Column(name)
		all[j] = classesOf(name, was, now)
		groups.Codes, groups.Levels = append(groups.Codes, all[j].codes), append(groups.Levels, all[j].levels)
	}
	sets := subsets(len(all), m.Margins)
	meter.Start(int64(len(sets)))
	crossing := &crosstable.Crossing{Groups: groups, Missing: true, Dense: mostDense}
	data := in.Current.Data()
	t := tables{records: data.Records(), stands: data.Multiplicity(), hellinger: make([]float64, len(all)),
		sizes: make([]tableLoss, m.Margins)}
	for _, set := range sets {
		if err := ctx.Err(); err != nil {
			return measure.Values{}, err
		}
		t.add(all, crossing, set)
		meter.Add(1)
	}
	return t.values(all), ctx.Err()
}

// subsets returns the sets of 1 to most of n indices, smallest first.
func subsets(n, most int) [][]int {
	var sets [][]int
	var grow func(set []int, from, size int)
	grow = func(set []int, from, size int) {
		if len(set) == size {
			sets = append(sets, append([]int(nil), set...))
			return
		}
		for j := from; j < n; j++ {
			grow(append(set, j), j+1, size)
		}
	}
	for size := 1; size <= min(n, most); size++ {
		grow(nil, 0, size)
	}
	return sets
}

var categoricalDefinitions = measure.Definitions{
	"hellinger": {"Distance of the shares of categories, from 0 (equal) to 1 (no common category): the mean over the tables of " +
		"this number of variables.", "sqrt(1/2 sum (sqrt s' - sqrt s)^2)"},
	"table_absolute": {"Mean absolute difference of the cell counts, over all cells that are not empty now or in the original.", "mean of |n' - n|"},
	"table_relative": {"Mean difference of the cell counts relative to the original count, over the cells that were not empty.", "mean of |n' - n| / n, n > 0"},
	"table_roots": {"Mean absolute difference of the square roots of the counts, which gives large and small cells similar " +
		"weight.", "mean of |sqrt n' - sqrt n|"},
	"table_sum": {"Sum of the absolute differences of the counts over all tables. It grows with the file and the number of " +
		"tables; use the value per cell for comparisons.", "sum |n' - n|"},
	"entropy": {"Sum of the entropies of the variables, in bits: the detail that the categories contain. Missing values are " +
		"excluded.", "sum over variables of - sum s log2 s"},
	"cells_made_none": {"Cells of the variables that had a value and are now missing.", "number of cells"},
}
