package suppress

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/crosstable"

	"github.com/sdcdesk/sdcdesk/engine/suppress/minimal"
)

// subsetSearch makes k hold in every combination of key variables within one
// stratum. Each combination is solved by itself, on the cells as the ones before
// left them, small combinations first, since their cells count in the larger
// ones as well; and records that have lost cells already are the first to lose
// more. Since a blank can take a complete record from the others of another
// combination, those with a variable that has lost cells are gone through again
// until none loses a cell. In the end cells are given back that no combination
// needs blank.
type subsetSearch struct {
	*solving
	stratum      *stratum
	rule         minimal.Rule
	records      int    // of the file
	favoured     uint64 // the variables that cells are rather taken from
	combinations []combination

	rows  parts      // what is done to the keys so far, untouched records included
	codes [][]uint32 // per variable and row, 0 for missing
	index crosstable.Index

	passes  int   // over all combinations
	solved  int   // combinations, again and again
	blanked []int // per variable: what solved was when it last lost a cell
	held    []int // per combination: what solved was when it last held
}

// newSubsetSearch begins with all records untouched.
func newSubsetSearch(s *solving, it *stratum, records int, rule minimal.Rule) *subsetSearch {
	search := &subsetSearch{solving: s, stratum: it, records: records, rule: rule, combinations: s.o.Subsets.combinations(len(it.codes))}
	slices.SortStableFunc(search.combinations, func(a, b combination) int { return cmp.Compare(len(a.variables), len(b.variables)) })
	for key, count := range it.counts {
		search.rows = append(search.rows, part{key: uint32(key), count: count})
	}
	for _, codes := range it.codes {
		search.codes = append(search.codes, slices.Clone(codes))
	}
	search.blanked = make([]int, len(it.codes))
	search.held = slices.Repeat([]int{-1}, len(search.combinations))
	return search
}

// run goes through the combinations until all hold.
func (s *subsetSearch) run(ctx context.Context, report func(done, total int64)) (err error) {
	const whole = 1 << 20
	left := int64(whole) // of the progress: a pass takes half of what is left
	share := func(done int) {
		report(whole-left+left/2*int64(done)/int64(len(s.combinations)), whole)
	}
	for changed := true; changed && err == nil; s.passes++ {
		left -= left / 2
		changed, err = s.pass(ctx, share)
	}
	if err == nil && (s.rule == minimal.Conservative || s.rule == minimal.OwnCategory) {
		err = s.restore(ctx)
	}
	report(whole, whole)
	return err
}

// bound returns a bound from those of single combinations in the file as it is:
// what makes k hold in all of them makes it hold in each. Of combinations without
// a variable in common the bounds add up; the largest come first.
func (s *subsetSearch) bound(ctx context.Context) (sum int64, err error) {
	bounds, order := make([]int64, len(s.combinations)), make([]int, len(s.combinations))
	for i, c := range s.combinations {
		solution, err := minimal.Solve(ctx, s.project(c).problem(s, c), nil)
		if err != nil {
			return 0, err
		}
		bounds[i], order[i] = solution.Bound, i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(bounds[b], bounds[a]) })
	taken := uint64(0)
	for _, i := range order {
		if set := crosstable.SetOf(s.combinations[i].variables); set&taken == 0 {
			sum += bounds[i]
			taken |= set
		}
	}
	return sum, nil
}

// pass solves every combination once that may not hold, and reports whether any
// lost a cell.
func (s *subsetSearch) pass(ctx context.Context, done func(combinations int)) (changed bool, err error) {
	for i, c := range s.combinations {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if s.holds(i) {
			continue
		}
		projected := s.project(c)
		if s.passes >= manyPasses && s.giveUp(projected, c.k) {
			changed = true
			s.solved++
			s.held[i] = s.solved
			done(i + 1)
			continue
		}
		solution, err := minimal.Solve(ctx, projected.problem(s, c), nil)
		if err != nil {
			return false, err
		}
		s.solved++
		if len(solution.Keys) > 0 {
			changed = true
			s.blank(projected, solution, c)
		}
		s.held[i] = s.solved
		done(i + 1)
	}
	return changed, nil
}

// manyPasses is the number of passes after which records that still violate,
// under a rule by which only identical records count, lose all their values: few
// are left then, and solving one makes another violate.
const manyPasses = 12

// giveUp blanks all values of the records that violate in a combination, and
// reports whether there are any and enough records without a value for them.
func (s *subsetSearch) giveUp(p *projection, k int) bool {
	if s.rule != minimal.OwnCategory {
		return false
	}
	empty, violators := uint32(0), uint32(0)
	for group, count := range p.counts {
		switch {
		case !slices.ContainsFunc(p.codes, func(codes []uint32) bool { return codes[group] != 0 }):
			empty = count
		case int(count) < k:
			violators += count
		}
	}
	if violators == 0 || int(empty+violators) < k {
		return false
	}
	for row, group := range p.of {
		if int(p.counts[group]) < k {
			s.lose(row, s.present(row), s.rows[row].count)
		}
	}
	return true
}

// present returns the variables of which a row has a value.
func (s *subsetSearch) present(row int) uint64 {
	set := uint64(0)
	for v := range s.codes {
		if s.codes[v][row] != 0 {
			set |= 1 << v
		}
	}
	return set
}

// holds reports whether no variable of a combination has lost a cell since it
// last held.
func (s *subsetSearch) holds(i int) bool {
	return s.held[i] >= 0 && !slices.ContainsFunc(s.combinations[i].variables, func(v int) bool { return s.blanked[v] > s.held[i] })
}

// projection groups rows by their values on the variables of a combination.
type projection struct {
	codes  [][]uint32 // per variable of the combination and group
	counts []uint32   // records per group
	of     []uint32   // group of each row
}

// project groups the rows as they are. Groups are numbered as they come.
func (s *subsetSearch) project(c combination) *projection {
	p := &projection{of: make([]uint32, len(s.rows)), codes: make([][]uint32, len(c.variables))}
	groups := uint64(1)
	for _, v := range c.variables {
		width := uint64(s.stratum.levels[v]) + 1
		s.index.Reset(groups*width, len(s.rows))
		for row, code := range s.codes[v] {
			p.of[row] = s.index.Number(uint64(p.of[row])*width+uint64(code)) - 1
		}
		groups = uint64(s.index.Distinct())
	}
	p.counts = make([]uint32, groups)
	for i := range p.codes {
		p.codes[i] = make([]uint32, groups)
	}
	for row, group := range p.of {
		if p.counts[group] == 0 {
			for i, v := range c.variables {
				p.codes[i][group] = s.codes[v][row]
			}
		}
		p.counts[group] += s.rows[row].count
	}
	return p
}

// problem is k-anonymity of the combination by itself.
func (p *projection) problem(s *subsetSearch, c combination) *minimal.Problem {
	problem := &minimal.Problem{Codes: p.codes, Count: p.counts, K: c.k, Rule: s.rule, Alpha: s.o.Alpha, Whole: int64(s.records)}
	for _, v := range c.variables {
		problem.Levels = append(problem.Levels, s.stratum.levels[v])
		problem.Price = append(problem.Price, s.ranks.price[v])
	}
	for _, v := range s.ranks.order {
		if i := slices.Index(c.variables, v); i >= 0 {
			problem.TieOrder = append(problem.TieOrder, i)
		}
	}
	return problem
}

// blank hands what the groups of a combination lose to their rows, those with
// most blanks first.
func (s *subsetSearch) blank(p *projection, solution *minimal.Solution, c combination) {
	next := make([]int, len(p.counts)) // place in the solution of the group's next set, plus one; 0 for none
	for i := len(solution.Keys) - 1; i >= 0; i-- {
		next[solution.Keys[i]] = i + 1
	}
	var losing []int
	for row, group := range p.of {
		if next[group] > 0 {
			losing = append(losing, row)
		}
	}
	slices.SortStableFunc(losing, func(a, b int) int {
		return cmp.Compare(bits.OnesCount64(s.rows[b].set), bits.OnesCount64(s.rows[a].set))
	})
	left := slices.Clone(solution.Counts)
	for _, row := range losing {
		group := p.of[row]
		for rest := s.rows[row].count; rest > 0; {
			i := next[group] - 1
			if i < 0 || i == len(left) || solution.Keys[i] != group {
				break
			}
			taken := min(rest, left[i])
			s.lose(row, widened(solution.Sets[i], c.variables), taken)
			rest -= taken
			if left[i] -= taken; left[i] == 0 {
				next[group]++
			}
		}
	}
}

// split returns a row with so many records of a row: the row itself where these
// are all of them, else a new one.
func (s *subsetSearch) split(row int, count uint32) int {
	if count == s.rows[row].count {
		return row
	}
	s.rows[row].count -= count
	s.rows = append(s.rows, part{key: s.rows[row].key, set: s.rows[row].set, count: count})
	for v := range s.codes {
		s.codes[v] = append(s.codes[v], s.codes[v][row])
	}
	return len(s.rows) - 1
}

// lose blanks variables in so many records of a row.
func (s *subsetSearch) lose(row int, set uint64, count uint32) {
	row = s.split(row, count)
	s.rows[row].set |= set
	for ; set != 0; set &= set - 1 {
		v := bits.TrailingZeros64(set)
		s.codes[v][row] = 0
		s.blanked[v] = s.solved
	}
}

// widened returns a set of places in a list of variables as a set of these.
func widened(set uint64, variables []int) uint64 {
	var wide uint64
	for i, v := range variables {
		wide |= set >> i & 1 << v
	}
	return wide
}
