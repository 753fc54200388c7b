package suppress

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/suppress/minimal"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// withinSearch looks for the largest k with few cells of one variable.
type withinSearch struct {
	*solving
	in       method.Input
	table    *keys.Table
	strata   []*stratum
	defining []string // variables that define strata
	variable int
	most     int // cells of the variable
	meter    *progress.Meter

	categories []sparedCategory
	spent      int // by searches of all categories together
	limit      int // no suppression reaches a larger k
	k          int // the largest reached; 0: a file without records
	cells      blanks
	account    *method.Suppression
}

// sparedCategory is a category of the variable in one stratum.
type sparedCategory struct {
	records int
	others  int // records that can protect those of the category, under rules by which blanks do: those without a value, before and after
}

// search finds the largest k on a key table.
func (m *Within) search(ctx context.Context, step *KAnonymity, t *keys.Table, in method.Input, meter *progress.Meter) (*withinSearch, error) {
	s, strata, err := step.prepare(ctx, t, in)
	if err != nil {
		return nil, err
	}
	w := &withinSearch{solving: s, in: in, table: t, strata: strata, defining: step.strata(in.Scenario),
		variable: slices.Index(in.Scenario.Keys, m.Variable), most: m.Cells, meter: meter, cells: make(blanks, t.Variables())}
	for _, it := range strata {
		counts := it.categoryCounts(w.variable)
		for _, records := range counts[1:] {
			w.categories = append(w.categories, sparedCategory{records, counts[0] + m.Cells})
		}
	}
	if t.Records() > 0 {
		err = w.run(ctx)
	} else {
		w.account, err = s.finish(ctx, strata, make([]solved, len(strata)))
	}
	return w, err
}

// categoryCounts returns the records per category of a variable, those without a
// value first.
func (s *stratum) categoryCounts(variable int) []int {
	counts := make([]int, s.levels[variable]+1)
	for key, code := range s.codes[variable] {
		counts[code] += int(s.counts[key])
	}
	return counts
}

// verdict says whether a larger k is possible.
func (w *withinSearch) verdict() string {
	if w.k == w.limit {
		return fmt.Sprintf("k = %s reached, no larger one can be", wording.Number(w.k))
	}
	return fmt.Sprintf("k = %s reached, a larger one up to %s is not excluded", wording.Number(w.k), wording.Number(w.limit))
}

// small returns how many cells the variable loses in categories that are too
// small for k; blanks says whether those without a value count for them.
func (w *withinSearch) small(k int, blanks bool) (cells int) {
	for _, c := range w.categories {
		if c.records < k && !(blanks && c.records+c.others >= k) {
			cells += c.records
		}
	}
	return cells
}

// run halves the range from 2 up to the largest k that the categories allow,
// beginning with that and with what they allow where blanks protect no others.
func (w *withinSearch) run(ctx context.Context) error {
	smallest := slices.MinFunc(w.strata, func(a, b *stratum) int { return a.size - b.size }).size
	if smallest < 2 {
		return fmt.Errorf("k = 2 %w for any record: %s", method.ErrUnreachable, wording.ThereAre(smallest, "record"))
	}
	possible := func(blanks bool) int {
		return 1 + sort.Search(smallest-1, func(n int) bool { return w.small(n+2, blanks) > w.most })
	}
	w.limit = possible(!bounded(w.o.Rule))
	w.meter.Start(int64(bits.Len(uint(w.limit))+1) * int64(w.table.Records()))
	reached, fails, lost := 1, w.limit+1, w.small(2, false)
	for k := w.limit; fails-reached > 1; {
		var err error
		if lost, err = w.try(ctx, k); err != nil {
			return err
		}
		if w.k == k {
			reached = k
		} else {
			fails = k
		}
		k = reached + (fails-reached)/2
		if each := possible(false); reached < each && each < fails {
			k = each // which category by category mostly succeeds
		}
	}
	if w.k == 0 {
		return fmt.Errorf("k = 2 %w with %s of %s: it takes %s", method.ErrUnreachable,
			wording.Counted(w.most, "cell"), w.names[w.variable], wording.Number(lost))
	}
	return w.compare(ctx)
}

// try looks for a suppression for k, category by category, then of all together
// where that takes too many cells of the variable. It returns how many were taken.
//
// Category by category a rule is kept to that is stricter than that of the
// options: the conservative one under rules by which blanks protect others; and
// where records lose everything, since they are then like all, the rule under
// which only identical records count.
func (w *withinSearch) try(ctx context.Context, k int) (lost int, err error) {
	w.o.K = k
	lost = w.small(k, false)
	rules := []microdata.Rule{microdata.RuleConservative, microdata.RuleOwnCategory}
	switch {
	case lost > w.most:
		rules = nil
	case w.onlyIdentical():
		rules = rules[1:]
	}
	for _, rule := range rules {
		cells, err := w.byCategory(ctx, rule)
		if err != nil {
			return lost, err
		}
		if cells == nil {
			break
		}
		if lost = cells[w.variable].Count(); lost <= w.most {
			return lost, w.keep(ctx, cells, 0)
		}
	}
	if w.spent += cost(w.strata, k); w.spent > longestSearch {
		w.spent -= cost(w.strata, k)
		return lost, nil
	}
	all, err := w.sparing(w.o.Rule).solveAll(ctx, w.strata, w.meter)
	if err != nil {
		return lost, err
	}
	cells := w.blanks(w.strata, all, w.table.Records())
	if lost = cells[w.variable].Count(); lost > w.most {
		return lost, nil
	}
	return lost, w.keep(ctx, cells, 0)
}

// onlyIdentical reports whether a record that has lost everything is safe among k
// of its like only: under the other rules it is like all.
func (w *withinSearch) onlyIdentical() bool { return protection(w.o.Rule) == minimal.OwnCategory }

// compare keeps the suppression that the search by plain prices finds for the
// same k where that is cheaper and within the cells, and its bound in any case.
func (w *withinSearch) compare(ctx context.Context) error {
	w.account.Bound, w.account.Proven = nil, false
	if w.o.K = w.k; cost(w.strata, w.k) > longestSearch {
		return nil
	}
	all, err := w.solveAll(ctx, w.strata, w.meter)
	if err != nil {
		return err
	}
	bound := int64(0)
	for i := range all {
		bound += all[i].bound
	}
	cells := w.blanks(w.strata, all, w.table.Records())
	if cells[w.variable].Count() > w.most {
		cells = w.cells
	}
	return w.keep(ctx, cells, bound)
}

// keep keeps cells for k unless those that it has for the same k are cheaper.
func (w *withinSearch) keep(ctx context.Context, cells blanks, bound int64) error {
	all := make([]solved, len(w.strata))
	for i, it := range w.strata {
		all[i].parts = cells.parts(it)
	}
	all[0].bound = bound
	account, err := w.finish(ctx, w.strata, all)
	switch {
	case err != nil:
		return err
	case w.k < w.o.K || account.Price <= w.account.Price:
		w.k, w.cells, w.account = w.o.K, cells, account
	case account.Bound != nil:
		w.account.Bound, w.account.Proven = account.Bound, *account.Bound == w.account.Price
	}
	return nil
}

// sparing returns a search under a rule in which a cell of the variable is dearer
// than all that k records can lose of the others: they are put together rather
// than that one of them loses it.
func (w *withinSearch) sparing(rule microdata.Rule) *solving {
	s := w.repriced(func(v, price int) int {
		if v == w.variable {
			price *= w.o.K
		}
		return price
	})
	s.o.Rule = rule
	return s
}

// byCategory protects each category of the variable by itself under a rule, in
// the strata: it loses the cells of small categories. Records without a value that
// are too few to be protected by themselves lose everything; nil where that does
// not protect them.
func (w *withinSearch) byCategory(ctx context.Context, rule microdata.Rule) (blanks, error) {
	own, name := microdata.NewBits(w.table.Records()), w.names[w.variable]
	for _, it := range w.strata {
		losing := w.losing(it)
		for i, key := range it.keys {
			if code := it.codes[w.variable][key]; losing[code] > 0 {
				losing[code]--
				own.Set(it.record(i))
			}
		}
	}
	column, _ := w.in.Data.Column(name)
	in := method.Input{Data: w.in.Data.With(column.Suppress(own)), Scenario: w.in.Scenario}
	columns, err := keyColumns(in)
	if err != nil {
		return nil, err
	}
	t, err := keys.New(ctx, columns, nil)
	if err != nil {
		return nil, err
	}
	defining := slices.DeleteFunc(slices.Clone(w.defining), func(other string) bool { return other == name })
	every, err := stratify(ctx, in, t, columns, append(defining, name))
	if err != nil {
		return nil, err
	}
	all := make([]solved, len(every))
	var large []int
	var strata []*stratum
	for i, it := range every {
		switch {
		case it.size >= w.o.K:
			large, strata = append(large, i), append(strata, it)
		case w.onlyIdentical():
			return nil, nil
		default:
			all[i].parts = it.lose(1<<len(w.names) - 1)
		}
	}
	found, err := w.protect(ctx, strata, rule)
	if err != nil {
		return nil, err
	}
	for i, at := range large {
		all[at] = found[i]
	}
	cells := w.blanks(every, all, t.Records())
	cells[w.variable] = cells[w.variable].Union(own)
	return cells, nil
}

// losing returns how many records of each category lose the variable: all of those
// that are too small. Where only identical records count and these are too few with
// those without a value, the largest category gives as many as it can spare.
func (w *withinSearch) losing(it *stratum) []int {
	losing := it.categoryCounts(w.variable)
	without, largest, size := losing[0], 0, 0
	losing[0] = 0
	for code, records := range losing {
		if records >= w.o.K {
			losing[code] = 0
		}
		if without += losing[code]; records > size {
			largest, size = code, records
		}
	}
	if more := w.o.K - without; w.onlyIdentical() && without > 0 && more > 0 && size-more >= w.o.K {
		losing[largest] = more
	}
	return losing
}

// longestSearch is how much searches for few cells may cost, so that they take
// some seconds.
const longestSearch = 80_000_000

// cost returns about how many comparisons a search of strata takes: k and a
// constant times the number of distinct keys.
func cost(strata []*stratum, k int) int {
	keys := 0
	for _, it := range strata {
		keys += len(it.counts)
	}
	return keys * (k + 100)
}

// protect searches strata for k under a rule, or blanks whole variables where that
// would take long.
func (w *withinSearch) protect(ctx context.Context, strata []*stratum, rule microdata.Rule) ([]solved, error) {
	if cost(strata, w.o.K) <= longestSearch {
		return w.sparing(rule).solveAll(ctx, strata, w.meter)
	}
	all := make([]solved, len(strata))
	for i, it := range strata {
		var err error
		if all[i].parts, err = it.wholeVariables(ctx, w.ranks.order, w.o.K); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// wholeVariables returns a suppression of all cells of some variables after which
// k records share every key: from the most important variable on, each stays that
// leaves every combination with those that stay k records. A missing value is a
// category of its own. order has the least important variable first.
func (s *stratum) wholeVariables(ctx context.Context, order []int, k int) (parts, error) {
	g, blanked := &keys.Groups{Levels: s.levels, Codes: s.codes, Counts: s.counts}, uint64(0)
	var stay []int
	for _, v := range slices.Backward(order) {
		t, err := project(ctx, g, append(stay, v))
		switch {
		case err != nil:
			return nil, err
		case int(slices.Min(t.Counts())) < k:
			blanked |= 1 << v
		default:
			stay = append(stay, v)
		}
	}
	return s.lose(blanked), nil
}

// lose returns the parts of a stratum of which all records lose the variables of
// a set.
func (s *stratum) lose(set uint64) parts {
	var p parts
	for key, count := range s.counts {
		own := set
		for v, codes := range s.codes {
			if codes[key] == 0 {
				own &^= 1 << v
			}
		}
		if own != 0 {
			p = append(p, part{key: uint32(key), set: own, count: count})
		}
	}
	return p
}
