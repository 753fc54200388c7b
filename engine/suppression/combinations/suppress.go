// Package combinations suppresses cells of key variables in records with unsafe combinations of values, which few
// records share, as mu-Argus does. [Hundepool and others 2012, Statistical Disclosure Control; the manual of
// mu-Argus 5.1]
package combinations

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// Costs by which Suppression chooses variables.
const (
	ByPriority = "priority" // minimise the sum of the variables' priorities
	ByEntropy  = "entropy"  // minimise the sum of the variables' entropies, in bits
)

// DefaultPriority is the default priority of a variable: the cost of a cell, from 0 to 100.
const DefaultPriority = 50

// Suppression suppresses cells in records with unsafe combinations, as mu-Argus does: combinations that few
// records share in one of the chosen cross tables. Each such record loses the cheapest set of variables that
// includes at least one variable of each of its unsafe combinations; ties are broken by fewer variables, then by
// their order. Combinations with a missing value are ignored. Suppression can make another combination unsafe,
// because it lowers the number of its records: with Repeat, cells are counted and suppressed again until none is
// unsafe. A cell of a variable that is the same for all members of a household costs as much as the cells of a
// household of mean size, because all of them are suppressed. Weights are ignored.
type Suppression struct {
	Combinations Combinations
	By           string         // ByPriority or ByEntropy
	Priorities   map[string]int // cost of a cell by key variable, 0 to 100; default DefaultPriority
	Repeat       bool
}

var _ method.Method = (*Suppression)(nil)

// NewSuppression returns the method with its defaults: all
// combinations of up to 3 variables, threshold 1, by priority, repeated.
func NewSuppression() *Suppression {
	return &Suppression{Combinations: Combinations{Dimension: 3, Threshold: 1}, By: ByPriority, Repeat: true}
}

// Spec describes suppress-combinations for the catalog.
func Spec() method.Spec {
	return method.Spec{
		Name:  "suppress-combinations",
		Title: "Suppression of unsafe combinations",
		Help: "Suppresses cells in the records of every unsafe combination: values of key variables that occur in no more " +
			"records than a threshold. In each record it suppresses the variables with the lowest total cost that break up " +
			"all unsafe combinations. The cost is a priority from 0 to 100 for each variable, or the entropy, which spares " +
			"the most informative variables. Suppression can make other combinations unsafe; with repeat it continues " +
			"until none is left.",
		Cite:     "Hundepool et al. (2012), Statistical Disclosure Control, and the manual of mu-Argus 5.1",
		Sample:   `{}`,
		New:      func() method.Method { return NewSuppression() },
		Refuses:  suppress.NeedsKeys,
		OnGroups: method.AnyRows,
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Suppression) Params() []method.Param {
	return []method.Param{
		method.Written(&m.Combinations, "combinations",
			`"3:1": all combinations of up to 3 variables, threshold 1; "1:5, 2:3, 3:1": a threshold for each number of variables; `+
				`"region+sex:1, age:2": these only; "region=1, sex=2: 1": identification levels of mu-Argus`).
			InScripts(`or {"dimension":3,"thresholds":[5,3,1]}, {"levels":{"region":1,"sex":2},"threshold":1}, ` +
				`[{"variables":["region","sex"],"threshold":1}]`),
		method.Choice(&m.By, "by", "cost of a cell",
			ByPriority, ByEntropy).Labelled("cost"),
		method.Importance(&m.Priorities, "priorities",
			fmt.Sprintf("cost of a cell by key variable, 0 to 100; default %d", DefaultPriority)),
		method.Switch(&m.Repeat, "repeat", "repeat until no combination is unsafe"),
	}
}

// check reports parameters that do not match the key variables.
func (m *Suppression) check(names []string) error {
	if err := method.Validate(m); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(m.Priorities)) {
		if !slices.Contains(names, name) {
			return method.NoKeyVariable("priorities", name, names)
		}
		if p := m.Priorities[name]; p < 0 || p > 100 {
			return method.ParamError("\"priorities\": %s has %d; it must be from 0 to 100", name, p)
		}
	}
	_, err := m.Combinations.tables(names)
	return err
}

// billion scales entropies to integers, so that sums do not depend on their order.
const billion = 1e9

// costs returns the cost of a cell of each key variable.
func (m *Suppression) costs(names []string, columns []*microdata.Column) []int64 {
	costs := make([]int64, len(columns))
	for v := range costs {
		priority, given := m.Priorities[names[v]]
		switch {
		case m.By == ByEntropy:
			costs[v] = int64(math.Round(billion * columns[v].Categories().Entropy()))
		case given:
			costs[v] = int64(priority)
		default:
			costs[v] = DefaultPriority
		}
	}
	return costs
}

// rounds is the state of one application of Suppression.
type rounds struct {
	*suppress.Collector
	method *Suppression
	names  []string    // key variables
	table  *keys.Table // before suppression
	first  *crosstable.UnsafeMeasure
	last   *crosstable.UnsafeMeasure
}

// Apply suppresses cells. The report counts violators at the scenario's first k.
func (m *Suppression) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (out method.Output, _ error) {
	collector, err := suppress.NewCollector(in)
	if err != nil {
		return out, err
	}
	if err := m.check(in.Scenario.Keys); err != nil {
		return out, err
	}
	s := &rounds{Collector: collector, method: m, names: in.Scenario.Keys}
	if err := s.run(ctx, meter); err != nil {
		return out, err
	}
	return s.output(ctx)
}

// Narrate states that cells were suppressed for rare combinations.
func (m *Suppression) Narrate(report *method.Report) string {
	return suppress.Narrate(report, "in records with rare combinations of values")
}

// run counts and suppresses, once or until no combination is unsafe.
func (s *rounds) run(ctx context.Context, meter *progress.Meter) error {
	const whole = 1 << 20
	meter.Start(whole)
	left := int64(whole) // progress left: a round takes half of it
	cost := s.method.costs(s.names, s.Columns())
	for v := range cost {
		cost[v] *= int64(s.CellsOf(v))
	}
	covers := crosstable.NewCovers(cost)
	for round := 0; ; round++ {
		t, err := s.count(ctx)
		if err != nil {
			return err
		}
		if s.last.Cells == 0 || round > 0 && !s.method.Repeat {
			break
		}
		sets := make([]uint64, t.Keys())
		err = s.last.Each(ctx, func(key int, combinations []uint64) { sets[key] = covers.Of(combinations).Set })
		if err != nil {
			return err
		}
		s.Suppress(t, sets)
		meter.Add(left / 2)
		left -= left / 2
	}
	meter.Add(left)
	return nil
}

// count counts the unsafe cells of the current data.
func (s *rounds) count(ctx context.Context) (*keys.Table, error) {
	t, err := s.Table(ctx)
	if err != nil {
		return nil, err
	}
	if s.last, err = CountUnsafeCells(ctx, t, s.names, &s.method.Combinations); err != nil {
		return nil, err
	}
	if s.first == nil {
		s.first, s.table = s.last, t
	}
	return t, nil
}

// CountUnsafeCells counts the unsafe cells of a key table, whose variables are names. The time is proportional to
// the number of key patterns and of combinations. Combinations that do not match the variables are an error that
// wraps method.ErrParam.
func CountUnsafeCells(ctx context.Context, t *keys.Table, names []string,
	given *Combinations) (*crosstable.UnsafeMeasure, error) {
	tables, err := given.tables(names)
	if err != nil {
		return nil, err
	}
	return crosstable.Count(ctx, t.Groups(), tables)
}

// output returns the protected data and the report.
func (s *rounds) output(ctx context.Context) (method.Output, error) {
	out, err := s.Output(ctx, s.table)
	if err != nil {
		return method.Output{}, err
	}
	report := &out.Report
	report.Title = fmt.Sprintf("unsafe combinations %s, by %s", s.method.Combinations.title(), s.method.By)
	report.Effect += fmt.Sprintf("; %s before, %s left", wording.Counted(s.first.Cells, "unsafe combination"),
		wording.Number(s.last.Cells))
	for v, name := range s.names {
		report.Unsafe = append(report.Unsafe, method.UnsafeVariable{
			Variable: name, Before: s.first.ByDimension(v), After: s.last.ByDimension(v), Categories: s.unsafeCategories(v),
		})
	}
	if s.last.Cells > 0 {
		report.Warnings = append(report.Warnings, fmt.Sprintf("%s left, made rare by the suppression; use repeat to suppress them too",
			wording.Counted(s.last.Cells, "unsafe combination")))
	}
	return out, nil
}

// unsafeCategories returns the categories of a variable that were in unsafe cells.
func (s *rounds) unsafeCategories(variable int) []method.UnsafeCategory {
	var all []method.UnsafeCategory
	for i, level := range s.Columns()[variable].Categories().Levels {
		code := uint32(i + 1)
		if before := s.first.ByCategory(variable, code); slices.Max(before) > 0 {
			all = append(all, method.UnsafeCategory{Category: level.Label, Before: before,
				After: s.last.ByCategory(variable, code)})
		}
	}
	return all
}
