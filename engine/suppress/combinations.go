package suppress

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// How SuppressCombinations chooses among the variables of unsafe combinations.
const (
	ByPriority = "priority" // the least sum of the variables' priorities
	ByEntropy  = "entropy"  // the least sum of the variables' entropies, in bits
)

// DefaultPriority is the priority of a variable for which none is given: the
// cost of a cell, from 0 to 100.
const DefaultPriority = 50

// SuppressCombinations blanks cells in the records of unsafe combinations, as
// mu-Argus does: those that few records share in one of the chosen cross tables.
// Each such record loses the variables of the least cost that have one in each of
// its unsafe combinations; of equal costs fewer variables, then those that come
// earlier. A combination with a missing value is none. A blank can make another
// combination unsafe, whose number of records it lowers: with Repeat the tables
// are counted anew until none is left. A cell of a variable that is the same for
// households costs as much as those of a household of mean size, all of which are
// blanked. Weights play no part.
type SuppressCombinations struct {
	Combinations Combinations
	By           string         // ByPriority or ByEntropy
	Priorities   map[string]int // key variable to the cost of a cell, 0 to 100; others have DefaultPriority
	Repeat       bool
}

var (
	_ method.Method       = (*SuppressCombinations)(nil)
	_ method.Inapplicable = (*SuppressCombinations)(nil)
)

// NewSuppressCombinations returns the method with its defaults: all
// combinations of up to 3 variables, threshold 1, by priority, repeated.
func NewSuppressCombinations() *SuppressCombinations {
	return &SuppressCombinations{Combinations: Combinations{Dimension: 3, Threshold: 1}, By: ByPriority, Repeat: true}
}

// CombinationsSpec describes suppress-combinations for the catalog.
func CombinationsSpec() method.Spec {
	return method.Spec{
		Name:  "suppress-combinations",
		Title: "Suppression of unsafe combinations",
		Help: "Cross-tabulates combinations of key variables, all up to a number of variables or chosen ones, and makes single " +
			"cells missing in the records of every combination that no more records share than a threshold. Each of these records " +
			"loses the variables of the least cost that break up all its unsafe combinations: by priority, a cost from 0 to 100 " +
			"that is given for each variable, or by entropy, which spares the variables that tell most. Combinations can be made " +
			"by levels of identification as mu-Argus makes them. They are written \"3:1\", all of up to 3 variables with the " +
			"threshold 1; \"1:5, 2:3, 3:1\", with a threshold for each number of variables, those not named being left out; " +
			"\"region+sex:1, age:2\", these combinations alone; or \"region=1, sex=2: 1\", by level. In a script they are such a text, or " +
			"{\"dimension\":3,\"threshold\":1}, {\"dimension\":3,\"thresholds\":[5,3,1]} with 0 for those left out, " +
			"[{\"variables\":[\"region\",\"sex\"],\"threshold\":1}] or {\"levels\":{\"region\":1,\"sex\":2},\"threshold\":1}. Suppressing can make other combinations rare: with repeat, which " +
			"is on, this goes on until none is left.",
		Cite: "Hundepool et al. (2012), Statistical Disclosure Control, and the manual of mu-Argus 5.1",
		New:  func() method.Method { return NewSuppressCombinations() },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *SuppressCombinations) Params() []method.Param {
	return []method.Param{
		{Name: "combinations", Help: `"3:1": all up to 3 variables, threshold 1; "1:5, 2:3, 3:1": a threshold for each number of variables; ` +
			`"region+sex:1, age:2": some; "region=1, sex=2: 1": by level; or {"dimension":3,"thresholds":[5,3,1]}, ` +
			`{"levels":{"region":1,"sex":2},"threshold":1}, [{"variables":["region","sex"],"threshold":1}]`,
			Value: &m.Combinations, Editor: method.EditWritten},
		{Name: "by", Help: "how the variable that loses its cell is chosen: the least priority, or the least entropy",
			Value: &m.By, Editor: method.EditChoice, Choices: []string{ByPriority, ByEntropy}},
		{Name: "priorities", Help: fmt.Sprintf("key variable to the cost of a cell, 0 to 100; others have %d", DefaultPriority),
			Value: &m.Priorities, Editor: method.EditImportance},
		{Name: "repeat", Help: "whether tables are counted anew after suppression, until no combination is unsafe", Value: &m.Repeat, Editor: method.EditSwitch},
	}
}

// Inapplicable tells why the method cannot be used with the scenario.
func (m *SuppressCombinations) Inapplicable(scenario *microdata.Scenario) string {
	return noKeys(scenario)
}

// check reports parameters that do not fit the key variables.
func (m *SuppressCombinations) check(names []string) error {
	if err := method.Validate(m); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(m.Priorities)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%w \"priorities\": %q is no key variable; key variables are %s", method.ErrParam, name, strings.Join(names, ", "))
		}
		if p := m.Priorities[name]; p < 0 || p > 100 {
			return fmt.Errorf("%w \"priorities\" of %s is %d; it must be from 0 to 100", method.ErrParam, name, p)
		}
	}
	_, err := m.Combinations.tables(names)
	return err
}

// costs returns the cost of a cell of each key variable.
func (m *SuppressCombinations) costs(names []string, columns []*microdata.Column) []int64 {
	costs := make([]int64, len(columns))
	for v := range costs {
		priority, given := m.Priorities[names[v]]
		switch {
		case m.By == ByEntropy:
			costs[v] = entropy(columns[v].Categories())
		case given:
			costs[v] = int64(priority)
		default:
			costs[v] = DefaultPriority
		}
	}
	return costs
}

// unsafeSuppression is one suppression of unsafe combinations under way.
type unsafeSuppression struct {
	method     *SuppressCombinations
	in         method.Input
	columns    []*microdata.Column // key variables before the step
	households *households
	table      *keys.Table // before the step
	cells      blanks
	first      *UnsafeCells
	last       *UnsafeCells
}

// Apply suppresses. The violators left in the report are those of the
// scenario's first k.
func (m *SuppressCombinations) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (method.Output, error) {
	columns, err := keyColumns(in)
	if err != nil {
		return method.Output{}, err
	}
	if err := m.check(in.Scenario.Keys); err != nil {
		return method.Output{}, err
	}
	s := &unsafeSuppression{method: m, in: in, columns: columns, cells: make(blanks, len(columns))}
	if WholeHouseholds(in.Scenario) {
		if s.households, err = householdsOf(in); err != nil {
			return method.Output{}, err
		}
	}
	if err := s.run(ctx, meter); err != nil {
		return method.Output{}, err
	}
	return s.output(ctx)
}

// run counts and suppresses until no combination is unsafe, or once.
func (s *unsafeSuppression) run(ctx context.Context, meter *progress.Meter) error {
	const whole = 1 << 20
	meter.Start(whole)
	left := int64(whole) // of the progress: a round takes half of what is left
	c := &covers{cost: s.method.costs(s.in.Scenario.Keys, s.columns), known: map[string]cover{}}
	for v, name := range s.in.Scenario.Keys {
		c.cost[v] *= int64(s.households.cellsOf(name))
	}
	for round := 0; ; round++ {
		t, err := s.count(ctx)
		if err != nil {
			return err
		}
		if s.last.Cells == 0 || round > 0 && !s.method.Repeat {
			break
		}
		more := make(blanks, len(s.columns))
		if err := s.last.cover(ctx, t, c, more); err != nil {
			return err
		}
		for v, cells := range s.households.spread(more) {
			s.cells[v] = s.cells[v].Union(cells)
		}
		meter.Add(left / 2)
		left -= left / 2
	}
	meter.Add(left)
	return nil
}

// count counts the unsafe cells of the data as they are now.
func (s *unsafeSuppression) count(ctx context.Context) (*keys.Table, error) {
	columns := slices.Clone(s.columns)
	for v := range columns {
		if s.cells[v] != nil {
			columns[v] = columns[v].Suppress(s.cells[v])
		}
	}
	t, err := keys.New(ctx, columns, nil)
	if err != nil {
		return nil, err
	}
	if s.last, err = CountUnsafeCells(ctx, t, s.in.Scenario.Keys, &s.method.Combinations); err != nil {
		return nil, err
	}
	if s.first == nil {
		s.first, s.table = s.last, t
	}
	return t, nil
}

// cover blanks, in the records of unsafe cells, the variables of the least cost.
func (u *UnsafeCells) cover(ctx context.Context, t *keys.Table, c *covers, cells blanks) error {
	var p parts
	err := u.each(ctx, t.Keys(), func(key int, combinations []uint64) {
		p = append(p, part{key: uint32(key), set: c.of(combinations).set, count: t.Counts()[key]})
	})
	if err == nil {
		p.blank(wholeFile(t, t.RecordKeys()), cells, t.Records())
	}
	return err
}

// each calls visit for every distinct key that is in unsafe cells, with the
// combinations of these, those of few variables first.
func (u *UnsafeCells) each(ctx context.Context, distinct int, visit func(key int, combinations []uint64)) error {
	bySize := make([]int, len(u.tables))
	for i := range bySize {
		bySize[i] = i
	}
	slices.SortStableFunc(bySize, func(a, b int) int {
		return cmp.Compare(bits.OnesCount64(u.tables[a].set), bits.OnesCount64(u.tables[b].set))
	})
	var combinations []uint64
	for key := range distinct {
		if key&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		combinations = combinations[:0]
		for _, i := range bySize {
			if u.unsafe[i].Has(key) {
				combinations = append(combinations, u.tables[i].set)
			}
		}
		if len(combinations) > 0 {
			visit(key, combinations)
		}
	}
	return nil
}

// output carries the suppression out and accounts for it.
func (s *unsafeSuppression) output(ctx context.Context) (method.Output, error) {
	names, file := s.in.Scenario.Keys, wholeFile(s.table, s.table.RecordKeys())
	account, p := emptyAccount(names), s.cells.parts(file)
	p.count(account, slices.Repeat([]int{1}, len(names)))
	if account.Rule = string(s.in.Scenario.Rule); len(s.in.Scenario.K) > 0 {
		account.K = s.in.Scenario.K[0]
	}
	var err error
	if account.Left, err = p.left(ctx, file, account.K, s.in.Scenario.Alpha); err != nil {
		return method.Output{}, err
	}
	data, linked, err := s.cells.apply(s.in)
	if err != nil {
		return method.Output{}, err
	}
	account.Linked = linked
	report := method.Report{
		Title: fmt.Sprintf("unsafe combinations %s, by %s", s.method.Combinations.title(), s.method.By),
		Effect: fmt.Sprintf("%s; %s before, %s left", effect(account),
			wording.Counted(s.first.Cells, "unsafe combination"), wording.Number(s.last.Cells)),
		Changed:     account.Total + linked.Sum(),
		Suppression: account,
		Warnings:    s.households.warnings(),
	}
	for v, name := range names {
		report.Unsafe = append(report.Unsafe, method.UnsafeVariable{
			Variable: name, Before: s.first.ByDimension(v), After: s.last.ByDimension(v), Categories: s.unsafeCategories(v),
		})
	}
	if s.last.Cells > 0 {
		report.Warnings = append(report.Warnings, fmt.Sprintf("%s left: suppressing made them so; repeat takes them too",
			wording.Counted(s.last.Cells, "unsafe combination")))
	}
	if account.Total == 0 {
		report.Warnings = append(report.Warnings, method.WarnNothing)
	}
	return method.Output{Data: data, Report: report}, ctx.Err()
}

// unsafeCategories returns the categories of a variable that stood in unsafe
// cells.
func (s *unsafeSuppression) unsafeCategories(variable int) []method.UnsafeCategory {
	var all []method.UnsafeCategory
	for i, level := range s.columns[variable].Categories().Levels {
		code := uint32(i + 1)
		if before := s.first.ByCategory(variable, code); slices.Max(before) > 0 {
			all = append(all, method.UnsafeCategory{Category: level.Label, Before: before, After: s.last.ByCategory(variable, code)})
		}
	}
	return all
}
