// Package mondrian generalises the values of key variables to ranges and sets, so that every record shares them
// with k - 1 others. [LeFevre, DeWitt and Ramakrishnan 2006]
package mondrian

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// Mondrian makes a file k-anonymous without suppression. It repeatedly cuts the records into two regions of about
// equal size, as long as both have k records, and gives all records of a region the same value of each variable: a
// range, "15-34", for numeric and ordered variables, a set, "north+south", for others. [LeFevre, DeWitt and
// Ramakrishnan 2006; Templ 2017, 4.2.2.6]
//
// A region is cut on the variable with the widest range, as a share of the variable's whole range, or of its
// number of categories if it is nominal. Nominal categories are halved in their order. A missing value is a
// separate category: before any other cut, records with and without a value are separated if both parts have k
// records. If they stay together, all get "15-34 or missing". Every record therefore shares all its values with
// k - 1 others under the rule own-category, and under all other rules. Weights are ignored.
//
// A variable that was recoded before is cut between its current categories, but the extent, loss and label of a
// range are those of the source values. The same source values are the same category, whichever steps produced
// them. If a recode has ordered values that had no order, its categories are used instead.
//
// Variables that are the same for all members of a household are cut first and not again, so that members get the
// same value. Several depths of these cuts are tried, and the one with the least loss is used.
type Mondrian struct {
	K         int
	Variables []string // nil: the key variables
}

var _ method.Method = (*Mondrian)(nil)

// NewMondrian returns the method with its defaults: k 3, all key variables.
func NewMondrian() *Mondrian { return &Mondrian{K: 3} }

// Spec describes mondrian for the catalog.
func Spec() method.Spec {
	return method.Spec{
		Name:  "mondrian",
		Title: "k-anonymity by Mondrian ranges",
		Help: "Splits the records at the median of the variable with the widest range, repeatedly, while every part keeps " +
			"at least k records. All records of a part get the same values: the range of numbers and ordered categories, or " +
			"the set of other categories. No cell is suppressed, and the file is k-anonymous under every rule for missing " +
			"values. Ranges of different parts overlap, so tables by single category are no longer possible. The method " +
			"uses the original values, even after an earlier recode; a later recode by intervals replaces the ranges.",
		Cite: "LeFevre, DeWitt and Ramakrishnan (2006), ICDE; Templ (2017), Statistical Disclosure Control for " +
			"Microdata, section 4.2.2.6",
		Sample:  `{}`,
		New:     func() method.Method { return NewMondrian() },
		Version: 1,
		Refuses: suppress.NeedsKeys,
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Mondrian) Params() []method.Param {
	return []method.Param{
		method.Number(&m.K, "k", "minimum number of records with each key pattern").AtLeast(2),
		method.Variables(&m.Variables, "variables", "variables to recode").Empty("all key variables"),
	}
}

// variables returns the names of the variables to generalise.
func (m *Mondrian) variables(scenario *microdata.Scenario) []string {
	if m.Variables != nil {
		return m.Variables
	}
	return scenario.Keys
}

// Apply forms the regions. An error that wraps method.ErrUnreachable reports fewer than k records.
func (m *Mondrian) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (out method.Output, err error) {
	if err := method.Validate(m); err != nil {
		return out, err
	}
	regions, err := m.regions(ctx, in, meter)
	if err != nil {
		return out, err
	}
	return m.output(ctx, in, "Mondrian", regions, meter)
}

// regions has the regions of a file with the data they were computed from.
type regions struct {
	*partition
	table    *keys.Table
	columns  []*microdata.Column
	warnings []string
}

// regions cuts the records.
func (m *Mondrian) regions(ctx context.Context, in method.Input, meter *progress.Meter) (r regions, err error) {
	if r.columns, err = in.Columns("variables", m.variables(in.Scenario)); err != nil {
		return r, err
	}
	if n := in.Data.Len(); n > 0 && n < m.K {
		return r, fmt.Errorf("k = %d %w for any record: %s", m.K, method.ErrUnreachable,
			wording.ThereAre(in.Data.Len(), "record"))
	}
	meter.Start(2 * int64(in.Data.Len()))
	if r.table, err = keys.New(ctx, r.columns, nil); err != nil {
		return r, err
	}
	shared := m.shared(in.Scenario)
	if slices.Contains(shared, true) {
		if r.warnings, err = suppress.HouseholdWarnings(in); err != nil {
			return r, err
		}
	}
	r.partition, err = bestPartition(ctx, r.table, r.columns, m.K, shared, meter)
	return r, err
}

// output gives all records of a region the same values.
func (m *Mondrian) output(ctx context.Context, in method.Input, title string, r regions,
	meter *progress.Meter) (out method.Output, err error) {
	data, changed, err := r.generalise(ctx, in.Data, r.table, r.columns, meter)
	if err != nil {
		return out, err
	}
	report := m.report(in, title, r.partition, changed)
	report.Warnings = append(report.Warnings, r.warnings...)
	return method.Output{Data: data, Report: report}, ctx.Err()
}

// shared returns which variables are the same for all members of a household.
func (m *Mondrian) shared(scenario *microdata.Scenario) []bool {
	names := m.variables(scenario)
	shared := make([]bool, len(names))
	for i, name := range names {
		shared[i] = scenario.Household != "" && slices.Contains(scenario.SameForHousehold, name)
	}
	return shared
}

// report describes the regions.
func (m *Mondrian) report(in method.Input, title string, p *partition, changed int) method.Report {
	names := m.variables(in.Scenario)
	regions := p.account()
	report := method.Report{
		Title: fmt.Sprintf("%s k=%d of %s", title, m.K, wording.Beginning(names, 3)),
		Effect: fmt.Sprintf("%s with %.1f records on average; certainty penalty %s",
			wording.Counted(regions.Count, "part"), regions.Mean, wording.Percent(regions.Penalty)),
		Changed: changed,
		Regions: regions,
	}
	for _, name := range names {
		if linked := in.Scenario.Linked[name]; len(linked) > 0 {
			keep := "keep their values"
			if len(linked) == 1 {
				keep = "keeps its values"
			}
			report.Warnings = append(report.Warnings, fmt.Sprintf("%s %s, which can reveal the values of %s: nothing is suppressed",
				wording.Listed(linked), keep, name))
		}
	}
	if changed == 0 {
		report.Warnings = append(report.Warnings, method.WarnNothing)
	}
	return report
}

// Narrate names the variables that have ranges.
func (m *Mondrian) Narrate(*method.Report) string {
	return fmt.Sprintf("Values of %s were replaced by ranges or sets of values that several records share.", m.named())
}

// named names the variables for users of the file.
func (m *Mondrian) named() string {
	if m.Variables == nil {
		return "the key variables"
	}
	return strings.Join(m.Variables, ", ")
}
