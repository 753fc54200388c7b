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

// Counting units of table cells.
const (
	CountRecords    = "records"
	CountWeights    = "weights"    // sum of the weights: estimated population
	CountHouseholds = "households" // households, each counted with its first record in the file
)

// Cells is the measure of the deviation of each cell of cross tables.
type Cells struct {
	Variables []string // nil: the key variables
	Margins   int      // maximum number of variables of a table
	Inner     bool     // only tables with exactly that number
	Counts    string   // CountRecords, CountWeights or CountHouseholds
	Zeros     bool     // also compare cells that are empty now
	Listed    int      // maximum number of cells listed
}

// CellsSpec describes the measure of cell deviations for the catalog.
func CellsSpec() measure.Spec {
	return measure.Spec{
		Name:    "cellloss",
		Utility: true,
		Title:   "differences between table cells",
		Help: "Compares each cell of all cross tables, of up to the given number of variables, with the same cell of the original. " +
			"It lists the largest differences, and the quantiles and cumulative distribution of the " +
			"differences: absolute, relative to the original count (if it is not 0), and of square roots. It also counts " +
			"the cells that decreased or increased, became empty (false zeros), or were empty before. Cells count " +
			"records, weights, or households (by their first record). After sampling, the original weights are " +
			"multiplied by N / n. Missing and recoded categories count as in \"Information loss of " +
			"categorical variables\".",
		Cite: "Shlomo, Tudor and Groom (2010), Privacy in Statistical Databases, 41-51; Templ, Kowarik and Meindl (2015), Journal of " +
			"Statistical Software 67(4): infoLoss of sdcMicro",
		Section: "Differences of the cells of tables",
		Page: measure.Page{Headline: []string{"cells_absolute", "cells_most", "false_zeros"}, Meaning: measure.Telling(
			"The mean difference of a cell is %s, the largest %s; %s cells became empty.", "cells_absolute", "cells_most",
			"false_zeros"), Bars: measure.BarsOfTable("quantiles", "deviation"),
			Drawn: "differences between cells: quantiles and mean"},
		Definitions: cellDefinitions,
		New:         func() measure.Measure { return &Cells{Margins: 2, Counts: CountRecords, Zeros: true, Listed: 30} },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Cells) Params() []method.Param {
	return []method.Param{
		method.Variables(&m.Variables, "variables", "categorical variables").Empty("the key variables"),
		method.Number(&m.Margins, "margins", "maximum dimension of the tables (1: one-way, 2: two-way)").Between(1, 4),
		method.Switch(&m.Inner, "inner", "only tables with exactly this number of variables"),
		method.Choice(&m.Counts, "counts", "unit of the cell counts", CountRecords, CountWeights, CountHouseholds),
		method.Switch(&m.Zeros, "zeros", "also compare cells that are empty now"),
		method.Number(&m.Listed, "listed", "cells with the largest differences to list").Between(1, 10_000),
	}
}

// Needs returns which variables are missing, or "".
func (m *Cells) Needs(in measure.Input) string {
	names := m.variables(in)
	scenario := in.Current.Scenario
	switch {
	case len(names) == 0:
		return `there are no key variables; set the parameter "variables"`
	case m.Counts == CountWeights && scenario.Weight == "":
		return "counting weights needs a weight variable, but the scenario has none"
	case m.Counts == CountHouseholds && scenario.Household == "":
		return "counting households needs household IDs, but the scenario has none"
	case m.Counts == CountWeights:
		names = append(slices.Clone(names), scenario.Weight)
	case m.Counts == CountHouseholds:
		names = append(slices.Clone(names), scenario.Household)
	}
	return in.Lacking(names)
}

func (m *Cells) variables(in measure.Input) []string {
	return measure.Chosen(m.Variables, in.Current.Scenario.Keys)
}

// counts returns the contribution of each record to its cell, now and then in the original, or nil if it is 1.
// Weights of the original are scaled like the current ones were by sampling, because the sample represents the
// whole source.
func (m *Cells) counts(in measure.Input) ([]float64, error) {
	n := in.Current.Data().Len()
	counts := make([]float64, 2*n)
	switch m.Counts {
	case CountWeights:
		weight, _ := in.Current.Column(in.Current.Scenario.Weight)
		sampled := weight.Factors()
		for side, version := range []*measure.Version{in.Current, in.Original} {
			weights, err := in.Current.Scenario.Weights(version.Data())
			if err != nil {
				return nil, err
			}
			for record, weight := range weights {
				if side == 1 {
					for _, factor := range sampled {
						weight *= factor
					}
				}
				counts[2*record+side] = weight
			}
		}
	case CountHouseholds:
		column, _ := in.Current.Data().Column(in.Current.Scenario.Household)
		households := microdata.NewHouseholds(column)
		for household := range households.Len() {
			first := households.Member(household, 0)
			counts[2*first], counts[2*first+1] = 1, 1
		}
	default:
		return nil, nil
	}
	return counts, nil
}

// Compute counts all tables, in O(n) time each.
func (m *Cells) Compute(ctx context.Context, in measure.Input, meter *progress.Meter) (measure.Values, error) {
	counts, err := m.counts(in)
	if err != nil {
		return measure.Values{}, err
	}
	all, groups := make([]classes, len(m.variables(in))), &keys.Groups{}
	for j, name := range m.variables(in) {
		was, _ := in.Original.Data().Column(name)
		now, _ := in.Current.Data().Column(name)
		all[j] = classesOf(name, was, now)
		groups.Codes, groups.Levels = append(groups.Codes, all[j].codes), append(groups.Levels, all[j].levels)
	}
	sets := subsets(len(all), m.Margins)
	if m.Inner {
		most := min(len(all), m.Margins)
		sets = slices.DeleteFunc(sets, func(set []int) bool { return len(set) < most })
	}
	meter.Start(int64(len(sets)))
	crossing := &crosstable.Crossing{Groups: groups, Missing: true, Dense: mostDense}
	d := differences{all: all, whole: m.Counts != CountWeights}
	for _, set := range sets {
		if err := ctx.Err(); err != nil {
			return measure.Values{}, err
		}
		d.add(crossing, set, counts, m.Zeros)
		meter.Add(1)
	}
	return d.values(m.Listed), ctx.Err()
}

var cellDefinitions = measure.Definitions{
	"cells":          {"Cells of the tables that are not empty now or in the original.", "number of cells"},
	"cells_absolute": {"Mean absolute difference of a cell, over all cells.", "mean of |n' - n|"},
	"cells_relative": {"Mean difference of a cell relative to its original count, over the cells that were not empty.", "mean of |n' - n| / n, n > 0"},
	"cells_roots": {"Mean absolute difference of the square roots of the counts, which gives large and small cells similar " +
		"weight.", "mean of |sqrt n' - sqrt n|"},
	"cells_most": {"The largest difference of a cell.", "max |n' - n|"},
	"false_zeros": {"Cells that were not empty in the original and are empty now. They are counted even if empty cells are not " +
		"compared.", "number of cells with n > 0 and n' = 0"},
	"false_counts": {"Cells that were empty in the original and are not empty now.", "number of cells with n = 0 and n' > 0"},
}
