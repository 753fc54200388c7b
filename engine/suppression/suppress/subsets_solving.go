package suppress

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
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
	favoured     uint64 // the variables that cells are rather taken from
	combinations []combination

	rows parts // what is done to the keys so far, untouched records included

	passes int    // over all combinations
	open   []bool // per combination: it may not hold
	lost   uint64 // variables that have lost cells since the last combination was solved
}

// newSubsetSearch begins with all records untouched.
func newSubsetSearch(s *solving, it *stratum) *subsetSearch {
	search := &subsetSearch{solving: s, stratum: it, rule: protection(s.rule()), combinations: s.combinations()}
	slices.SortStableFunc(search.combinations, func(a, b combination) int {
		return cmp.Compare(bits.OnesCount64(a.Set), bits.OnesCount64(b.Set))
	})
	for key, count := range it.Counts {
		search.rows = append(search.rows, part{Key: uint32(key), Count: count})
	}
	search.open = slices.Repeat([]bool{true}, len(search.combinations))
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
	if err == nil {
		err = s.restore(ctx)
	}
	report(whole, whole)
	return err
}

// restore gives back cells that need not be blank.
func (s *subsetSearch) restore(ctx context.Context) error {
	if !slices.ContainsFunc(s.rows, func(row part) bool { return row.Set != 0 }) {
		return nil
	}
	restoring, err := s.restoring(ctx, s.stratum, s.rows)
	if err == nil && restoring != nil {
		s.rows, err = restoring.Run(ctx)
	}
	return err
}

// pass solves every combination once that may not hold, and reports whether any
// lost a cell.
func (s *subsetSearch) pass(ctx context.Context, done func(combinations int)) (changed bool, err error) {
	for i, c := range s.combinations {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if !s.open[i] {
			continue
		}
		s.lost = 0
		variables := crosstable.Variables(c.Set)
		t, err := projected(ctx, s.rows.groups(s.stratum, variables))
		if err != nil {
			return false, err
		}
		if s.passes < manyPasses || !s.giveUp(t, c.K) {
			solution, err := minimal.Solve(ctx, s.problem(t, variables, c.K), nil)
			if err != nil {
				return false, err
			}
			s.blank(t, solution, variables)
		}
		changed = changed || s.lost != 0
		for j, other := range s.combinations {
			s.open[j] = j != i && (s.open[j] || other.Set&s.lost != 0)
		}
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
func (s *subsetSearch) giveUp(t projection, k int) bool {
	if s.rule != minimal.OwnCategory {
		return false
	}
	empty, violators := 0, 0
	for key, count := range t.Counts() {
		switch {
		case bits.OnesCount64(t.MissingIn(uint32(key))) == t.Variables():
			empty = count
		case count < k:
			violators += count
		}
	}
	if violators == 0 || empty+violators < k {
		return false
	}
	for row, key := range t.of {
		if t.Counts()[key] < k {
			s.lose(row, s.stratum.present(s.rows[row].Key)&^s.rows[row].Set, s.rows[row].Count)
		}
	}
	return true
}

// problem is k-anonymity of some variables by themselves.
func (s *subsetSearch) problem(t projection, variables []int, k int) *minimal.Problem {
	g := t.Groups()
	problem := &minimal.Problem{Codes: g.Codes, Levels: g.Levels, Count: g.Counts, K: k, Rule: s.rule, Quick: true,
		Alpha: s.in.Scenario.Alpha, Whole: int64(s.table.Records())}
	for _, v := range variables {
		problem.Price = append(problem.Price, s.ranks.price[v])
	}
	for _, v := range s.ranks.order {
		if i := slices.Index(variables, v); i >= 0 {
			problem.TieOrder = append(problem.TieOrder, i)
		}
	}
	return problem
}

// blank hands what the groups of a combination lose to their rows, those with
// most blanks first.
func (s *subsetSearch) blank(t projection, solution *minimal.Solution, variables []int) {
	rest := make([]parts, t.Keys())
	for _, p := range solution.Parts {
		rest[p.Key] = append(rest[p.Key], p)
	}
	var losing []int
	for row, group := range t.of {
		if len(rest[group]) > 0 {
			losing = append(losing, row)
		}
	}
	slices.SortStableFunc(losing, func(a, b int) int {
		return cmp.Compare(bits.OnesCount64(s.rows[b].Set), bits.OnesCount64(s.rows[a].Set))
	})
	for _, row := range losing {
		rest[t.of[row]].take(s.rows[row].Count, func(set uint64, records int) {
			s.lose(row, widened(set, variables), records)
		})
	}
}

// split returns a row with so many records of a row: the row itself where these
// are all of them, else a new one.
func (s *subsetSearch) split(row int, count int) int {
	if count == s.rows[row].Count {
		return row
	}
	s.rows[row].Count -= count
	s.rows = append(s.rows, part{Key: s.rows[row].Key, Set: s.rows[row].Set, Count: count})
	return len(s.rows) - 1
}

// lose blanks variables in so many records of a row.
func (s *subsetSearch) lose(row int, set uint64, count int) {
	row = s.split(row, count)
	s.rows[row].Set |= set
	s.lost |= set
}

// widened returns a set of places in a list of variables as a set of these.
func widened(set uint64, variables []int) uint64 {
	var wide uint64
	for i, v := range variables {
		wide |= set >> i & 1 << v
	}
	return wide
}
