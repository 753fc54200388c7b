package mondrian

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// LocalRecoding makes a file k-anonymous by giving the records that violate k, and no
// others where that is best, the values of a group: distinct keys of fewer than k records are
// paired by a matching of the least loss, pairs that are still below k are paired again,
// and one that loses less so joins a group that has reached k. All records of a group get
// the finest level of the given hierarchy that their values have in common; where there is
// none, their range or set, as Mondrian does. [Takemura 2002]
//
// Loss is Mondrian's certainty penalty, summed over records, with the weights of the
// variables. A hierarchy speaks of the categories as they are now. More groups than
// atOnce are matched in parts, in the order of Mondrian's regions: the least loss is then
// that within the parts. Variables that are the same for households are cut as Mondrian
// cuts them, and groups are made within what that leaves.
type LocalRecoding struct {
	Mondrian
	Levels  hierarchy.Table // each row: a variable, a code, its coarser levels
	Table   string          // the same as the text of a CSV file; decoded parameters have it as Levels
	Weights map[string]int  // how much the loss of a variable counts; others 1
}

var _ method.Method = (*LocalRecoding)(nil)

// LocalSpec describes local-recoding for the catalog.
func LocalSpec() method.Spec {
	return method.Spec{
		Name:  "local-recoding",
		Title: "k-anonymity by local recoding",
		Help: "Puts records of fewer than k equals into groups, in pairs that together lose the least, which are paired " +
			"again until they have k records; one that loses less so joins a group that has k already, and if Mondrian's " +
			"regions of the same records lose less, these are taken. All records of a " +
			"group get the finest level of a hierarchy that their values have in common, or else their range or set; " +
			"records that have k equals mostly keep their values. No cell becomes missing. Groups of a value and groups " +
			"of its range stand side by side, so tables by single categories cannot be made any more. Where more than " +
			"256 distinct keys are below k, pairs are looked for in parts of 256 that lie near each other, and the report " +
			"says so. What is lost stands beside what Mondrian would lose.",
		Cite: "Takemura (2002), Local recoding and record swapping by maximum weight matching for disclosure control of " +
			"microdata sets, Journal of Official Statistics 18(2), 275-289; Edmonds (1965), Maximum matching and a " +
			"polyhedron with 0,1-vertices; the loss as in Xu and others (2006)",
		Sample:  `{"k":2,"variables":["region","sex","age"]}`,
		New:     func() method.Method { return &LocalRecoding{Mondrian: *NewMondrian()} },
		Version: 2,
		Sampled: true,
		Refuses: suppress.NeedsKeys,
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *LocalRecoding) Params() []method.Param {
	return []method.Param{
		method.Number(&m.K, "k", "number of records that at least share every key").AtLeast(2),
		method.Variables(&m.Variables, "variables", "the variables that are recoded").Empty("all key variables"),
		method.Written(&m.Levels, "levels", "rows of a variable, a code and its coarser levels, all of the same number of "+
			"cells: region, 01, North, all; region, 02, South, all").Empty("values become ranges and sets"),
		method.File(&m.Table, "table", "the same as the text of a CSV file: a line per variable and code").Decoded(m.Levels.Taking(&m.Table)),
		method.Importance(&m.Weights, "weights", "how much the loss of a variable counts, as a whole number from 1 "+
			"on").Empty("all count the same"),
	}
}

// Apply makes the groups. An error that wraps method.ErrUnreachable says that there are
// fewer than k records.
func (m *LocalRecoding) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (out method.Output, err error) {
	if err := method.Validate(m); err != nil {
		return out, err
	}
	regions, err := m.regions(ctx, in, meter)
	if err != nil {
		return out, err
	}
	if err := m.weigh(regions, in.Scenario); err != nil {
		return out, err
	}
	if err := m.arrange(regions); err != nil {
		return out, err
	}
	before := regions.account().Penalty
	parts, err := regions.match(ctx, meter)
	if err != nil {
		return out, err
	}
	if out, err = m.output(ctx, in, "local recoding", regions, meter); err != nil {
		return out, err
	}
	report := &out.Report
	report.Effect = fmt.Sprintf("%s of %.1f records on average; certainty lost %.1f %% (by Mondrian %.1f %%)",
		wording.Counted(report.Regions.Count, "group"), report.Regions.Mean, 100*report.Regions.Penalty, 100*before)
	if parts > max(1, len(regions.first)) {
		report.Warnings = append(report.Warnings, fmt.Sprintf("pairs were looked for in %d parts: the loss is the "+
			"least within each, not over all", parts))
	}
	return out, nil
}

// weigh gives the variables their weights.
func (m *LocalRecoding) weigh(r regions, scenario *microdata.Scenario) error {
	names := m.variables(scenario)
	for name, weight := range m.Weights {
		switch {
		case !slices.Contains(names, name):
			return method.ParamError("\"weights\": %q is none of the variables that are recoded, which are %s",
				wording.Excerpt(name), strings.Join(names, ", "))
		case weight < 1 || weight > 1000:
			return method.ParamError("\"weights\": that of %s is %d; it must be from 1 to 1000", name, weight)
		}
	}
	for v, name := range names {
		r.axes[v].weight = float64(max(1, m.Weights[name]))
	}
	return nil
}

// arrange gives the variables their hierarchies.
func (m *LocalRecoding) arrange(r regions) error {
	table, err := m.Levels.Or(m.Table)
	switch {
	case err != nil:
		return method.ParamError("%w", err)
	case m.Table != "" && len(m.Levels) > 0:
		return method.ParamError("\"levels\" and \"table\": only one of them can be given")
	}
	of := map[string]hierarchy.Table{}
	for i, row := range table {
		if len(row) < 3 {
			return method.ParamError("\"levels\": row %d needs a variable, a code and at least one coarser level", i+1)
		}
		of[row[0]] = append(of[row[0]], row[1:])
	}
	for v, column := range r.columns {
		rows := of[column.Name()]
		if delete(of, column.Name()); len(rows) == 0 {
			continue
		}
		h, err := newTree(r.axes[v], column.Categories(), column.Numeric(), rows)
		if err != nil {
			return fmt.Errorf("hierarchy of %s: %w", column.Name(), err)
		}
		r.axes[v].hierarchy = h
	}
	for i, row := range table {
		if _, left := of[row[0]]; left {
			return method.ParamError("\"levels\": row %d is of %q, which is none of the variables that are recoded", i+1,
				wording.Excerpt(row[0]))
		}
	}
	return nil
}

// Narrate says which variables have ranges or coarser levels now.
func (m *LocalRecoding) Narrate(*method.Report) string {
	return fmt.Sprintf("Values of %s were replaced, where few records had them together, by ranges, sets or coarser "+
		"levels that several records share.", m.named())
}
