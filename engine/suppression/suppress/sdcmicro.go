package suppress

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// sdcMicroOrder suppresses the same cells as sdcMicro 5.8.1, within one stratum.
//
// Of the records with an identical key pattern only the first k in file order are active. A pass goes through the
// active violators of rule 1 in order of increasing frequency and then of the file. In each it suppresses the
// first variable, in the order of suppression, on which it differs from one of the records that differ from it on
// the fewest variables. If no record differs and alpha is below 1, it suppresses the first variable that has a
// value. Passes repeat until no record violates k-anonymity. With several key variables, a record that is missing
// everywhere adds nothing to the frequency of a complete key.
type sdcMicroOrder struct {
	*strataSolver
	stratum *stratum
	rows    []int      // row of each active record, ascending
	codes   [][]uint32 // codes[variable][index in rows], updated as cells are suppressed

	differences *differences
	empties     int      // active records that are missing everywhere
	lost        []uint64 // per active record: the suppressed variables
}

// firstRows returns the first k rows of every key, by stratum.
func (f *file) firstRows(k int) [][]int {
	rows, seen := make([][]int, len(f.strata)), make([]int32, f.table.Keys())
	for row, key := range f.table.RowKeys() {
		if int(seen[key]) < k {
			seen[key]++
			rows[f.of[key]] = append(rows[f.of[key]], row)
		}
	}
	return rows
}

// newSDCMicroOrder makes the rows of a stratum active.
func (s *strataSolver) newSDCMicroOrder(it *stratum, rows []int) *sdcMicroOrder {
	o := &sdcMicroOrder{strataSolver: s, stratum: it, rows: rows, lost: make([]uint64, len(rows)),
		codes: make([][]uint32, len(it.Codes))}
	for v, codes := range it.Codes {
		o.codes[v] = make([]uint32, len(rows))
		for place, row := range rows {
			o.codes[v][place] = codes[s.number[s.table.Key(row)]]
		}
	}
	o.differences = newDifferences(o.codes, it.Levels)
	for place := range rows {
		if o.empty(place) {
			o.empties++
		}
	}
	return o
}

// run suppresses cells until no active record violates k-anonymity. It fails if a violator has no cell left to
// suppress.
func (s *sdcMicroOrder) run(ctx context.Context, report func(done, total int64)) (stratumResult, error) {
	for {
		violators, err := s.violators(ctx)
		if err != nil {
			return stratumResult{}, err
		}
		if len(violators) == 0 {
			return s.found(), nil
		}
		suppressed, err := s.pass(ctx, violators, report)
		if err != nil {
			return stratumResult{}, err
		}
		if !suppressed {
			return stratumResult{}, s.unreachable(violators)
		}
	}
}

// found returns the suppressions of the active records, those of each key in file order, because it is known which
// record loses which cells.
func (s *sdcMicroOrder) found() stratumResult {
	p := make(parts, len(s.lost))
	for place, set := range s.lost {
		p[place] = part{Key: s.number[s.table.Key(s.rows[place])], Set: set, Count: 1}
	}
	return stratumResult{parts: p}
}

// pass suppresses one variable in each violator in turn and reports whether it suppressed any.
func (s *sdcMicroOrder) pass(ctx context.Context, violators []int,
	report func(done, total int64)) (suppressed bool, err error) {
	safe := len(s.rows) - len(violators)
	for i, place := range violators {
		if i&255 == 0 {
			if err := ctx.Err(); err != nil {
				return suppressed, err
			}
			report(int64(safe+i), int64(len(s.rows)))
		}
		v, ok := s.nextVariable(place)
		if !ok {
			s.stops.Store(true)
			continue
		}
		s.suppress(place, v)
		suppressed = true
	}
	return suppressed, nil
}

// violators returns the active records that violate k-anonymity, by frequency and then in file order.
func (s *sdcMicroOrder) violators(ctx context.Context) ([]int, error) {
	t, err := keys.FromGroups(ctx, &keys.Groups{Levels: s.stratum.Levels, Codes: s.codes,
		Counts: slices.Repeat([]int{1}, len(s.rows))})
	if err != nil {
		return nil, err
	}
	frequency, err := s.frequencies(ctx, t)
	if err != nil {
		return nil, err
	}
	var violators []int
	for place := range s.rows {
		if frequency[t.Key(place)] < float64(s.m.K)-keys.Tolerance {
			violators = append(violators, place)
		}
	}
	slices.SortStableFunc(violators, func(a, b int) int { return cmp.Compare(frequency[t.Key(a)], frequency[t.Key(b)]) })
	return violators, nil
}

// frequencies returns the frequencies of the active keys under rule 1.
func (s *sdcMicroOrder) frequencies(ctx context.Context, t *keys.Table) ([]float64, error) {
	compatible, err := t.Compatible(ctx)
	if err != nil {
		return nil, err
	}
	frequencies := make([]float64, t.Keys())
	for key, count := range t.Counts() {
		incomplete := int(compatible.Incomplete[key])
		switch missing := t.MissingIn(uint32(key)); {
		case bits.OnesCount64(missing) == len(s.codes):
			frequencies[key] = float64(len(s.rows))
			continue
		case missing == 0 && len(s.codes) > 1:
			incomplete -= s.empties
		}
		frequencies[key] = float64(int64(count)+compatible.Complete[key]) + float64(s.in.Scenario.Alpha*float64(incomplete))
	}
	return frequencies, nil
}

func (s *sdcMicroOrder) empty(place int) bool {
	return !slices.ContainsFunc(s.codes, func(codes []uint32) bool { return codes[place] != 0 })
}

// nextVariable returns the variable to suppress in a violator. ok is false if there is none.
func (s *sdcMicroOrder) nextVariable(place int) (variable int, ok bool) {
	var present []int
	for _, v := range s.ranks.order {
		if s.codes[v][place] != 0 {
			present = append(present, v)
		}
	}
	first, ok := s.differences.nearest(s.codes, place, present)
	switch {
	case ok:
		return present[first], true
	case s.in.Scenario.Alpha < 1 && len(present) > 0:
		return present[0], true
	}
	return 0, false
}

func (s *sdcMicroOrder) suppress(place, variable int) {
	s.codes[variable][place] = 0
	s.differences.suppress(place, variable)
	s.lost[place] |= 1 << variable
	if s.empty(place) {
		s.empties++
	}
}

// shownRecords is the number of records that an error names.
const shownRecords = 5

// unreachable reports the records that have no cell left to suppress.
func (s *sdcMicroOrder) unreachable(violators []int) error {
	numbers := make([]string, len(violators))
	slices.Sort(violators)
	for i, place := range violators {
		numbers[i] = fmt.Sprint(s.rows[place] + 1)
	}
	named := "records " + wording.Beginning(numbers, shownRecords)
	if len(violators) == 1 {
		named = "record " + numbers[0]
	}
	return fmt.Errorf("k = %d %w for %s (%s): no other record differs there, so more suppression changes nothing",
		s.m.K, method.ErrUnreachable, wording.Counted(len(violators), "record"), named)
}
