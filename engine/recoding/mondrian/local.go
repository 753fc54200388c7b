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

// LocalRecoding makes a file k-anonymous by giving the records that violate k-anonymity, and others only if that
// loses less, the values of a group. Key patterns of fewer than k records are paired by a matching of least loss,
// pairs that are still below k are paired again, and a pattern that loses less that way joins a group that has k
// records. All records of a group get the finest level of the given hierarchy that includes their values or, without
// one, their range or set, as in Mondrian. [Takemura 2002]
//
// The loss is Mondrian's certainty penalty, summed over records, with the weights of the variables. A hierarchy is
// for the current categories. More than atOnce groups are matched in parts, in the order of Mondrian's regions,
// with the least loss within each part. Variables that are the same for all members of a household are cut as in
// Mondrian, and groups are formed within these regions.
type LocalRecoding struct {
	Mondrian
	Levels  hierarchy.Table // each row: a variable, a code and its coarser levels
	Table   string          // the same as CSV text; decoded parameters use Levels
	Weights map[string]int  // weights of the variables' losses; default 1
}

var _ method.Method = (*LocalRecoding)(nil)

// LocalSpec describes local-recoding for the catalog.
func LocalSpec() method.Spec {
	return method.Spec{
		Name:  "local-recoding",
		Title: "k-anonymity by local recoding",
		Help: "Recodes the records whose key pattern occurs fewer than k times. They form groups of at least k " +
			"similar records. Each group gets the finest hierarchy level that its values share, or else their range or " +
			"set. Most other records keep their values, and no cell is suppressed. Exact values and ranges then occur " +
			"side by side, so tables by single category are no longer possible. More than 256 rare key " +
			"patterns are processed in blocks of 256, and groups form only within a block.",
		Cite: "Takemura (2002), Journal of Official Statistics 18(2), 275-289; Edmonds (1965), Journal of Research of the NBS 69B, " +
			"125-130; information loss: Xu et al. (2006)",
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
		method.Number(&m.K, "k", "minimum number of records with each key pattern").AtLeast(2),
		method.Variables(&m.Variables, "variables", "variables to recode").Empty("all key variables"),
		method.Written(&m.Levels, "levels", "one row per code: variable, code and coarser levels, all rows of equal length: region, 01, North, all").Empty("use ranges and sets"),
		method.File(&m.Table, "table", "CSV file of levels, one line per variable and code").Decoded(m.Levels.Taking(&m.Table)),
		method.Importance(&m.Weights, "weights", "weight of each variable in the information loss, an integer from 1").Empty("equal weights"),
	}
}

// Apply forms the groups. An error that wraps method.ErrUnreachable reports fewer than k records.
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
	report.Effect = fmt.Sprintf("%s with %.1f records on average; certainty penalty %s (Mondrian %s)",
		wording.Counted(report.Regions.Count, "group"), report.Regions.Mean, wording.Percent(report.Regions.Penalty),
		wording.Percent(before))
	if parts > max(1, len(regions.first)) {
		report.Warnings = append(report.Warnings, fmt.Sprintf("key patterns were paired in %d blocks: each pairing has minimal information loss within its block, not overall", parts))
	}
	return out, nil
}

// weigh sets the weights of the variables.
func (m *LocalRecoding) weigh(r regions, scenario *microdata.Scenario) error {
	names := m.variables(scenario)
	for name, weight := range m.Weights {
		switch {
		case !slices.Contains(names, name):
			return method.ParamError("\"weights\": %q is not one of the recoded variables, %s",
				wording.Excerpt(name), strings.Join(names, ", "))
		case weight < 1 || weight > 1000:
			return method.ParamError("\"weights\": the weight of %s is %d; it must be from 1 to 1000", name, weight)
		}
	}
	for v, name := range names {
		r.axes[v].weight = float64(max(1, m.Weights[name]))
	}
	return nil
}

// arrange sets the hierarchies of the variables.
func (m *LocalRecoding) arrange(r regions) error {
	table, err := m.Levels.Or(m.Table)
	switch {
	case err != nil:
		return method.ParamError("%w", err)
	case m.Table != "" && len(m.Levels) > 0:
		return method.ParamError("\"levels\" and \"table\": give only one of them")
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
			return method.ParamError("\"levels\": row %d is for %q, which is not one of the recoded variables", i+1,
				wording.Excerpt(row[0]))
		}
	}
	return nil
}

// Narrate names the variables that have ranges or coarser levels.
func (m *LocalRecoding) Narrate(*method.Report) string {
	return fmt.Sprintf("Rare combinations of values of %s were replaced by ranges, sets or coarser levels that several records "+
		"share.", m.named())
}
