package suppress

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/suppress/minimal"
)

// subsetSearch makes k hold in every combination of key variables within one
// stratum. Each combination is solved by itself, on the cells as the ones before
// left them, small combinations first, since their cells count in the larger
// ones as well; and records that have lost cells already are the first to lose
// more. Since a blank can take a complete record from the others of another
// combination, all are gone through again until none loses a cell.
type subsetSearch struct {
	*solving
	stratum      *stratum
	records      int // of the file
	combinations []combination

	rows    parts               // what is done to the keys so far, untouched records included: keys and sets ascend
	columns []*microdata.Column // of rows, per variable; nil until asked for
}

// solveSubsets makes k hold in every combination of the stratum.
func (s *solving) solveSubsets(ctx context.Context, it *stratum, records int, report func(done, total int64)) (solved, error) {
	search := &subsetSearch{solving: s, stratum: it, records: records, combinations: s.o.Subsets.combinations(len(it.codes))}
	for key, count := range it.counts {
		search.rows = append(search.rows, part{key: uint32(key), count: count})
	}
	slices.SortStableFunc(search.combinations, func(a, b combination) int { return cmp.Compare(len(a.variables), len(b.variables)) })
	left := int64(1) << 20 // of the progress: a pass takes half of what is left
	share := func(done int) {
		report(1<<20-left+left/2*int64(done)/int64(len(search.combinations)), 1<<20)
	}
	bound, err := search.bound(ctx, share)
	for changed := true; changed && err == nil; {
		left -= left / 2
		changed, err = search.pass(ctx, share)
	}
	if err != nil {
		return solved{}, err
	}
	report(1, 1)
	return solved{parts: slices.DeleteFunc(search.rows, func(p part) bool { return p.set == 0 }), bound: bound}, nil
}

// bound returns the largest bound of one combination in the file as it is:
// what makes k hold in all of them makes it hold in that one.
func (s *subsetSearch) bound(ctx context.Context, done func(combinations int)) (largest int64, err error) {
	if !bounded(s.o.Rule) {
		return 0, nil
	}
	for i, c := range s.combinations {
		projected, err := s.project(ctx, c)
		if err != nil {
			return 0, err
		}
		solution, err := minimal.Solve(ctx, projected.problem(s, c), nil)
		if err != nil {
			return 0, err
		}
		largest = max(largest, solution.Bound)
		done(i + 1)
	}
	return largest, nil
}

// pass solves every combination once and reports whether any lost a cell.
func (s *subsetSearch) pass(ctx context.Context, done func(combinations int)) (changed bool, err error) {
	for i, c := range s.combinations {
		projected, err := s.project(ctx, c)
		if err != nil {
			return false, err
		}
		solution, err := minimal.Solve(ctx, projected.problem(s, c), nil)
		if err != nil {
			return false, err
		}
		if len(solution.Keys) > 0 {
			changed = true
			s.blank(projected, solution, c)
		}
		done(i + 1)
	}
	return changed, nil
}

// columnsOf returns the variables of a combination as the rows have them now.
func (s *subsetSearch) columnsOf(c combination) []*microdata.Column {
	if s.columns == nil {
		s.columns = make([]*microdata.Column, len(s.names))
	}
	columns := make([]*microdata.Column, len(c.variables))
	for i, v := range c.variables {
		if s.columns[v] == nil {
			s.columns[v] = s.rows.column(v, s.stratum.codes[v], s.stratum.levels[v])
		}
		columns[i] = s.columns[v]
	}
	return columns
}

// projection groups rows by their values on the variables of a combination.
type projection struct {
	table  *keys.Table
	counts []uint32 // records per key of the table
	of     []uint32 // key of each row
}

// project groups the rows as they are.
func (s *subsetSearch) project(ctx context.Context, c combination) (*projection, error) {
	t, err := keys.New(ctx, s.columnsOf(c), nil)
	if err != nil {
		return nil, err
	}
	p := &projection{table: t, counts: make([]uint32, t.Keys()), of: t.RecordKeys()}
	for row, key := range p.of {
		p.counts[key] += s.rows[row].count
	}
	return p, nil
}

// problem is k-anonymity of the combination by itself.
func (p *projection) problem(s *subsetSearch, c combination) *minimal.Problem {
	problem := &minimal.Problem{Count: p.counts, K: c.k, Rule: protection(s.o.Rule), Alpha: s.o.Alpha, Whole: int64(s.records)}
	for i, v := range c.variables {
		problem.Codes = append(problem.Codes, p.table.Codes(i))
		problem.Levels = append(problem.Levels, p.table.Levels(i))
		problem.Price = append(problem.Price, s.ranks.price[v])
	}
	for _, v := range s.ranks.order {
		if i := slices.Index(c.variables, v); i >= 0 {
			problem.TieOrder = append(problem.TieOrder, i)
		}
	}
	return problem
}

// blank hands what the keys of a combination lose to their rows, those with
// most blanks first.
func (s *subsetSearch) blank(p *projection, solution *minimal.Solution, c combination) {
	next := make([]int, p.table.Keys()) // place in the solution of the key's next set; past its end for none
	for key := range next {
		next[key] = len(solution.Keys)
	}
	for i := len(solution.Keys) - 1; i >= 0; i-- {
		next[solution.Keys[i]] = i
	}
	left := slices.Clone(solution.Counts)
	rows := make(parts, 0, len(s.rows)+len(left))
	for _, row := range s.mostBlanksFirst() {
		r, key := s.rows[row], p.of[row]
		for r.count > 0 {
			i := next[key]
			if i == len(left) || solution.Keys[i] != key {
				rows = append(rows, r)
				break
			}
			taken := min(r.count, left[i])
			rows = append(rows, part{key: r.key, set: r.set | widened(solution.Sets[i], c.variables), count: taken})
			r.count -= taken
			if left[i] -= taken; left[i] == 0 {
				next[key]++
			}
		}
	}
	s.rows, s.columns = rows.merged(), nil
}

// mostBlanksFirst returns the rows in the order in which they lose more cells.
func (s *subsetSearch) mostBlanksFirst() []int {
	order := make([]int, len(s.rows))
	for row := range order {
		order[row] = row
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(bits.OnesCount64(s.rows[b].set), bits.OnesCount64(s.rows[a].set))
	})
	return order
}

// widened returns a set of places in a list of variables as a set of these.
func widened(set uint64, variables []int) uint64 {
	var wide uint64
	for i, v := range variables {
		wide |= set >> i & 1 << v
	}
	return wide
}

// merged sorts parts by key and set, and adds up those that agree in both.
func (p parts) merged() parts {
	slices.SortFunc(p, func(a, b part) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.set, b.set)) })
	out := p[:0]
	for _, next := range p {
		if last := len(out) - 1; last >= 0 && out[last].key == next.key && out[last].set == next.set {
			out[last].count += next.count
			continue
		}
		out = append(out, next)
	}
	return out
}

// leftInSubsets counts the records that violate in at least one combination
// after the suppression, in all and by subset, under three rules.
func (s *solving) leftInSubsets(ctx context.Context, it *stratum, p parts) (all method.Left, by []method.Left, err error) {
	search := &subsetSearch{solving: s, stratum: it, rows: p.withUntouched(it)}
	by = make([]method.Left, len(s.o.Subsets))
	anywhere := make([]violation, len(search.rows))
	var within []violation
	combinations := s.o.Subsets.combinations(len(it.codes))
	for i, c := range combinations {
		if i == 0 || combinations[i-1].subset != c.subset {
			within = make([]violation, len(search.rows))
		}
		if err := search.violations(ctx, c, within); err != nil {
			return all, nil, err
		}
		if i+1 == len(combinations) || combinations[i+1].subset != c.subset {
			for row, v := range within {
				anywhere[row] |= v
				v.count(&by[c.subset], search.rows[row].count)
			}
		}
	}
	for row, v := range anywhere {
		v.count(&all, search.rows[row].count)
	}
	return all, by, nil
}

// violation says under which of the three rules a row violates.
type violation uint8

func (v violation) count(left *method.Left, records uint32) {
	left.Default += int(v&1) * int(records)
	left.Conservative += int(v>>1&1) * int(records)
	left.OwnCategory += int(v>>2&1) * int(records)
}

// violations marks the rows that violate in a combination.
func (s *subsetSearch) violations(ctx context.Context, c combination, marks []violation) error {
	weights := make([]float64, len(s.rows))
	for row := range weights {
		weights[row] = float64(s.rows[row].count)
	}
	t, err := keys.New(ctx, s.columnsOf(c), weights)
	if err != nil {
		return err
	}
	for i, rule := range []microdata.Rule{microdata.RuleDefault, microdata.RuleConservative, microdata.RuleOwnCategory} {
		frequencies, err := t.Frequencies(ctx, rule, s.o.Alpha)
		if err != nil {
			return err
		}
		for row, key := range t.RecordKeys() {
			if frequencies.Population[key] < float64(c.k)-tolerance {
				marks[row] |= 1 << i
			}
		}
	}
	return nil
}

// accounts adds up the violators left in the strata by subset.
func (s Subsets) accounts(variables int, all []solved) []method.SubsetLeft {
	accounts := make([]method.SubsetLeft, len(s))
	for i, subset := range s {
		accounts[i] = method.SubsetLeft{Size: subset.Size, K: subset.K, Combinations: choose(variables, subset.Size)}
		for _, it := range all {
			if it.leftIn != nil {
				accounts[i].Left.Default += it.leftIn[i].Default
				accounts[i].Left.Conservative += it.leftIn[i].Conservative
				accounts[i].Left.OwnCategory += it.leftIn[i].OwnCategory
			}
		}
	}
	return accounts
}
