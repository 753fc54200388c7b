package suppress

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// subsetSearch makes k hold in every combination of key variables within one stratum. It solves each combination
// separately, given the cells that earlier ones suppressed. Small combinations are first, because their cells also
// count in larger ones, and records that have already lost cells are the first to lose more. Suppression can
// remove complete records that another combination relies on, so combinations with a variable that lost cells are
// solved again until none loses a cell. Finally, cells that no combination needs suppressed are restored.
type subsetSearch struct {
	*strataSolver
	stratum      *stratum
	rule         minimal.Rule
	favoured     uint64 // variables from which cells are preferably taken
	combinations []combination

	rows parts // suppressions so far, including untouched records

	passes int    // passes over all combinations
	open   []bool // per combination: k may not hold
	lost   uint64 // variables that lost cells when the last combination was solved
}

// newSubsetSearch returns a search with all records untouched.
func newSubsetSearch(s *strataSolver, it *stratum) *subsetSearch {
	search := &subsetSearch{strataSolver: s, stratum: it, rule: protection(s.rule()), combinations: s.combinations()}
	slices.SortStableFunc(search.combinations, func(a, b combination) int {
		return cmp.Compare(bits.OnesCount64(a.Set), bits.OnesCount64(b.Set))
	})
	for key, count := range it.Counts {
		search.rows = append(search.rows, part{Key: uint32(key), Count: count})
	}
	search.open = slices.Repeat([]bool{true}, len(search.combinations))
	return search
}

// run solves the combinations until k holds in all of them.
func (s *subsetSearch) run(ctx context.Context, report func(done, total int64)) (err error) {
	const whole = 1 << 20
	left := int64(whole) // progress left: a pass takes half of it
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

// restore restores cells that need not be suppressed.
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

// pass solves every combination in which k may not hold, and reports whether a cell was suppressed.
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
			s.suppress(t, solution, variables)
		}
		changed = changed || s.lost != 0
		for j, other := range s.combinations {
			s.open[j] = j != i && (s.open[j] || other.Set&s.lost != 0)
		}
		done(i + 1)
	}
	return changed, nil
}

// manyPasses is the number of passes after which remaining violators, under a rule that counts only identical
// records, lose all their values. Few are left then, but solving one makes another violate.
const manyPasses = 12

// giveUp suppresses all values of the records that violate k-anonymity in a combination. It does so only if there are
// violators and, together with the records that have no values, at least k records; it reports whether it did.
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

// problem returns the solver's problem for one combination of variables.
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

// suppress assigns the suppressions of a combination's groups to their rows, those with most suppressed cells first.
func (s *subsetSearch) suppress(t projection, solution *minimal.Solution, variables []int) {
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

// split returns a row with the given number of records of a row: the row itself if it has no more, else a new one.
func (s *subsetSearch) split(row int, count int) int {
	if count == s.rows[row].Count {
		return row
	}
	s.rows[row].Count -= count
	s.rows = append(s.rows, part{Key: s.rows[row].Key, Set: s.rows[row].Set, Count: count})
	return len(s.rows) - 1
}

// lose suppresses variables in the given number of records of a row.
func (s *subsetSearch) lose(row int, set uint64, count int) {
	row = s.split(row, count)
	s.rows[row].Set |= set
	s.lost |= set
}

// widened maps a set of indices of variables to the set of the variables.
func widened(set uint64, variables []int) uint64 {
	var wide uint64
	for i, v := range variables {
		wide |= set >> i & 1 << v
	}
	return wide
}
