package suppress

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
)

// withinSearch finds the largest k for a limited number of cells of one variable.
type withinSearch struct {
	*strataSolver
	variable int
	most     int // maximum number of cells of the variable
	meter    *progress.Meter

	categories []keptCategory
	spent      int       // cost of searches of all categories together
	limit      int       // upper limit of k
	k          int       // largest k reached; 0: none
	found      *solution // suppression for k
}

// keptCategory is a category of the variable in one stratum.
type keptCategory struct {
	records int
	// records that can protect those of the category under rules that count suppressed cells: those without a
	// value, now or after suppression
	others int
}

// search finds the largest k.
func (m *SuppressWithin) search(ctx context.Context, step *KAnonymity, in method.Input,
	meter *progress.Meter) (*withinSearch, error) {
	s, err := step.prepare(ctx, in)
	if err != nil {
		return nil, err
	}
	w := &withinSearch{strataSolver: s, variable: slices.Index(in.Scenario.Keys, m.Variable), most: m.Cells, meter: meter}
	for _, it := range s.strata {
		counts := it.categoryCounts(w.variable)
		for _, records := range counts[1:] {
			w.categories = append(w.categories, keptCategory{records, counts[0] + m.Cells})
		}
	}
	if s.table.Records() > 0 {
		return w, w.run(ctx)
	}
	account, err := s.finish(ctx, make([]stratumResult, len(s.strata)))
	w.found = &solution{in: in, account: account}
	return w, err
}

// categoryCounts returns the number of records per category of a variable, starting with missing.
func (s *stratum) categoryCounts(variable int) []int {
	counts := make([]int, s.Levels[variable]+1)
	for key, code := range s.Codes[variable] {
		counts[code] += int(s.Counts[key])
	}
	return counts
}

// verdict reports whether a larger k is possible.
func (w *withinSearch) verdict() string {
	if w.k == w.limit {
		return fmt.Sprintf("k = %s reached, which is the largest possible", wording.Number(w.k))
	}
	return fmt.Sprintf("k = %s reached; a larger k up to %s is not excluded", wording.Number(w.k),
		wording.Number(w.limit))
}

// small returns how many cells the variable loses in categories that are too small for k. If blanks is set,
// records without a value count for these categories.
func (w *withinSearch) small(k int, ifMissing bool) (cells int) {
	for _, c := range w.categories {
		if c.records < k && !(ifMissing && c.records+c.others >= k) {
			cells += c.records
		}
	}
	return cells
}

// run searches by bisection from 2 up to the largest k that the categories allow. It first tries that, and then
// the largest k that they allow if suppressed cells protect no other records.
func (w *withinSearch) run(ctx context.Context) error {
	smallest := slices.MinFunc(w.strata, func(a, b *stratum) int { return a.size - b.size }).size
	if smallest < 2 {
		return fmt.Errorf("k = 2 %w for any record: %s", method.ErrUnreachable, wording.ThereAre(smallest, "record"))
	}
	possible := func(ifMissing bool) int {
		return 1 + sort.Search(smallest-1, func(n int) bool { return w.small(n+2, ifMissing) > w.most })
	}
	w.limit = possible(!bounded(w.rule()))
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
			k = each // protecting each category usually succeeds
		}
	}
	if w.k == 0 {
		return fmt.Errorf("k = 2 %w with %s of %s: it takes %s", method.ErrUnreachable,
			wording.Counted(w.most, "cell"), w.in.Scenario.Keys[w.variable], wording.Number(lost))
	}
	return w.compare(ctx)
}

// try searches for a suppression for k, first category by category, then all together if that takes too many cells
// of the variable. It returns the number of cells taken.
//
// Category by category it uses a stricter rule than that of the options: the conservative one if the rule counts
// suppressed cells for other records, and own-category if records lose everything, because under other rules these
// are compatible with every record.
func (w *withinSearch) try(ctx context.Context, k int) (taken int, err error) {
	w.m.K = k
	taken = w.small(k, false)
	for _, rule := range []microdata.Rule{microdata.RuleConservative, microdata.RuleOwnCategory} {
		if w.small(k, false) > w.most || w.onlyIdentical() && rule != microdata.RuleOwnCategory {
			continue
		}
		cells, err := w.byCategory(ctx, rule)
		if err != nil {
			return taken, err
		}
		if cells == nil {
			break
		}
		if taken = w.taken(cells); taken <= w.most {
			return taken, w.keep(ctx, cells, 0)
		}
	}
	if w.spent += w.cost(); w.spent > longestSearch {
		w.spent -= w.cost()
		return taken, nil
	}
	all, err := w.sparing(w.rule()).solveAll(ctx, w.meter)
	if err != nil {
		return taken, err
	}
	_, cells := w.lose(w.in, all)
	if taken = w.taken(cells); taken > w.most {
		return taken, nil
	}
	return taken, w.keep(ctx, cells, 0)
}

// taken returns how many cells the variable loses.
func (w *withinSearch) taken(cells lost) (taken int) {
	for _, set := range cells {
		taken += int(set >> w.variable & 1)
	}
	return taken
}

// onlyIdentical reports whether a record that has lost everything needs k identical records; under other rules it
// is compatible with every record.
func (w *withinSearch) onlyIdentical() bool { return protection(w.rule()) == minimal.OwnCategory }

// compare keeps the suppression that a search with the usual prices finds for the same k if it is cheaper and
// within the limit. It keeps its bound in any case.
func (w *withinSearch) compare(ctx context.Context) error {
	account := w.found.account
	account.Bound, account.Proven = nil, false
	if w.m.K = w.k; w.cost() > longestSearch {
		return nil
	}
	all, err := w.solveAll(ctx, w.meter)
	if err != nil {
		return err
	}
	bound := int64(0)
	for i := range all {
		bound += all[i].bound
	}
	_, cells := w.lose(w.in, all)
	if w.taken(cells) > w.most {
		cells = w.found.cells
	}
	return w.keep(ctx, cells, bound)
}

// keep keeps cells for k unless those it already has for the same k are cheaper.
func (w *withinSearch) keep(ctx context.Context, cells lost, bound int64) error {
	all := w.parts(cells)
	all[0].bound = bound
	account, err := w.finish(ctx, all)
	switch {
	case err != nil:
		return err
	case w.k < w.m.K || account.Price <= w.found.account.Price:
		w.k, w.found = w.m.K, &solution{in: w.in, cells: cells, account: account}
	default:
		w.found.account = w.accounted(*w.found.account, account)
	}
	return nil
}

// sparing returns a search in which a cell of the variable costs more than all other cells that k records can
// lose, so that records are grouped rather than one of them losing the variable.
func (w *withinSearch) sparing(rule microdata.Rule) *strataSolver {
	s := w.repriced(func(v, price int) int {
		if v == w.variable {
			price *= w.m.K
		}
		return price
	})
	s.m.Rule = string(rule)
	return s
}

// byCategory protects each category of the variable separately, in each stratum, under a rule. Small categories
// lose the variable. If there are too few records without a value, these lose everything; if that does not protect
// them, byCategory returns nil. If a search would take long, whole variables are suppressed.
func (w *withinSearch) byCategory(ctx context.Context, rule microdata.Rule) (lost, error) {
	cells, name := w.lost(), w.in.Scenario.Keys[w.variable]
	defining := slices.DeleteFunc(w.strataNames(), func(other string) bool { return other == name })
	every, err := fileOf(ctx, cells.without(w.in), append(defining, name))
	if err != nil || w.onlyIdentical() && slices.ContainsFunc(every.strata, w.tooSmall) {
		return nil, err
	}
	s, all := w.sparing(rule), make([]stratumResult, len(every.strata))
	s.file = every
	long := s.cost() > longestSearch
	err = parallel.Each(ctx, len(all), func(i int) (err error) {
		switch it := every.strata[i]; {
		case s.tooSmall(it):
			all[i].parts = it.lose(1<<len(it.Codes) - 1)
		case long:
			all[i].parts, err = it.wholeVariables(ctx, s.ranks.order, s.m.K)
		default:
			all[i], err = s.solve(ctx, it, nil, share(w.meter, it.size))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	_, more := every.lose(w.in, all)
	cells.add(more)
	return cells, nil
}

// tooSmall reports whether a stratum has fewer records than k.
func (s *strataSolver) tooSmall(it *stratum) bool { return it.size < s.m.K }

// lost returns the cells that small categories lose.
func (w *withinSearch) lost() lost {
	losing := make([][]int, len(w.strata))
	for i, it := range w.strata {
		losing[i] = w.losing(it)
	}
	cells, codes := make(lost, w.table.Rows()), w.table.Codes(w.variable)
	for row, key := range w.table.RowKeys() {
		it := w.strata[w.of[key]]
		code := it.Codes[w.variable][w.number[key]]
		if codes[key] != 0 && losing[w.of[key]][code] > 0 {
			losing[w.of[key]][code]--
			cells[row] = 1 << w.variable
		}
	}
	return cells
}

// losing returns how many records of each category lose the variable: all records of categories that are too
// small. If only identical records count and there are then too few without a value, the largest category provides
// the rest if it can.
func (w *withinSearch) losing(it *stratum) []int {
	losing := it.categoryCounts(w.variable)
	without, largest, size := losing[0], 0, 0
	losing[0] = 0
	for code, records := range losing {
		if records >= w.m.K {
			losing[code] = 0
		}
		if without += losing[code]; records > size {
			largest, size = code, records
		}
	}
	if more := w.m.K - without; w.onlyIdentical() && without > 0 && more > 0 && size-more >= w.m.K {
		losing[largest] = more
	}
	return losing
}

// longestSearch limits the cost of searches to some seconds.
const longestSearch = 80_000_000

// cost returns the approximate number of comparisons of a search: k plus a constant, times the number of key
// patterns.
func (s *strataSolver) cost() int {
	keys := 0
	for _, it := range s.strata {
		if !s.tooSmall(it) {
			keys += len(it.Counts)
		}
	}
	return keys * (s.m.K + 100)
}

// wholeVariables suppresses whole variables so that every key pattern has k records. From the most important
// variable on, it keeps each variable with which every combination of the kept ones has k records. A missing value
// is a separate category. order has the least important variable first.
func (s *stratum) wholeVariables(ctx context.Context, order []int, k int) (parts, error) {
	suppressed := uint64(0)
	var stay []int
	for _, v := range slices.Backward(order) {
		t, err := project(ctx, s.Groups, append(stay, v))
		switch {
		case err != nil:
			return nil, err
		case slices.Min(t.Counts()) < k:
			suppressed |= 1 << v
		default:
			stay = append(stay, v)
		}
	}
	return s.lose(suppressed), nil
}

// lose returns the parts of a stratum in which all records lose the variables of a set.
func (s *stratum) lose(set uint64) parts {
	var p parts
	for key, count := range s.Counts {
		if own := set & s.present(uint32(key)); own != 0 {
			p = append(p, part{Key: uint32(key), Set: own, Count: count})
		}
	}
	return p
}
