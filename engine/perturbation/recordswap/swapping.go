package recordswap

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// steps is the number of units between two checks of the context.
const steps = 1 << 10

// application is one application of the method.
type application struct {
	*RecordSwap
	*file
	keys     []*microdata.Column
	risk     *givenRisk // nil: count combinations of keys
	pools    []*pool    // one per profile
	partners []int      // per unit; -1: none
	atRisk   []bool     // units at risk at some level
	levels   []method.SwapLevel
	random   int
	short    int
	stream   *rand.Rand
}

func (m *RecordSwap) newSwapping(ctx context.Context, in method.Input, f *file) (*application, error) {
	s := &application{RecordSwap: m, file: f, partners: make([]int, f.Len()), atRisk: make([]bool, f.Len())}
	for unit := range s.partners {
		s.partners[unit] = -1
	}
	var err error
	if s.risk, err = m.given(in); err != nil {
		return nil, err
	}
	if s.risk == nil {
		if s.keys, err = in.Columns("risk_keys", m.keys(in.Scenario)); err != nil {
			return nil, err
		}
	}
	for _, column := range s.keys {
		if slices.Contains(m.Hierarchy, column.Name()) {
			return nil, method.ParamError("\"risk_keys\": %q is in the hierarchy as well", column.Name())
		}
	}
	profiles := m.Similar
	if len(profiles) == 0 {
		profiles = [][]string{nil}
	}
	for _, names := range profiles {
		var columns []*microdata.Column
		if len(names) > 0 {
			if columns, err = in.Columns("similar", names); err != nil {
				return nil, err
			}
		}
		p, err := newPool(ctx, f, columns)
		if err != nil {
			return nil, err
		}
		s.pools = append(s.pools, p)
	}
	s.stream = random.Stream(in.SeedFor(f.places...), "recordswap", 0)
	return s, nil
}

// rare returns the unswapped units that have a member at risk at a level, in random order.
func (s *application) rare(ctx context.Context, level int) ([]int, error) {
	risky, err := s.risky(ctx, level)
	if err != nil {
		return nil, err
	}
	var units []int
	for unit := range s.Len() {
		if !s.placed(unit) || s.partners[unit] >= 0 {
			continue
		}
		if s.anyMember(unit, risky) {
			units = append(units, unit)
			s.atRisk[unit] = true
		}
	}
	random.Shuffle(s.stream, units)
	return units, ctx.Err()
}

// anyMember reports whether holds returns true for a member of a unit.
func (s *application) anyMember(unit int, holds func(record int) bool) bool {
	for i := range s.Members(unit) {
		if holds(s.Member(unit, i)) {
			return true
		}
	}
	return false
}

// risky returns a function that reports whether a record is at risk at a level.
func (s *application) risky(ctx context.Context, level int) (func(record int) bool, error) {
	if s.risk != nil {
		return func(record int) bool { return s.risk.of(record, level) >= s.risk.threshold }, nil
	}
	table, err := keys.New(ctx, append(slices.Clone(s.places[:level+1]), s.keys...), nil)
	if err != nil {
		return nil, err
	}
	counts, of := table.Counts(), table.RowKeys()
	return func(record int) bool { return int(counts[of[record]]) < s.K }, nil
}

// swapAtRisk swaps the units at risk at a level that have not swapped yet.
func (s *application) swapAtRisk(ctx context.Context, level int) error {
	units, err := s.rare(ctx, level)
	if err != nil {
		return err
	}
	log := method.SwapLevel{Level: s.Hierarchy[level], AtRisk: len(units)}
	for i, unit := range units {
		if i%steps == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if s.partners[unit] >= 0 || s.swap(unit, level, anywhere) {
			log.Swapped++
		} else {
			log.Unmatched++
		}
	}
	s.levels = append(s.levels, log)
	return ctx.Err()
}

// anywhere allows every unit as a partner.
func anywhere(int) bool { return true }

// swap swaps a unit with a similar one in another area of a level, using the first profile with an allowed
// partner, preferably within the same larger area. It reports whether it found a partner.
func (s *application) swap(unit, level int, allowed func(other int) bool) bool {
	areas := s.areas[level]
	other := func(u int) bool { return areas[u] != areas[unit] && allowed(u) }
	near := func(u int) bool { return other(u) && s.areas[level-1][u] == s.areas[level-1][unit] }
	for _, p := range s.pools {
		partner, ok := 0, false
		if level > 0 {
			partner, ok = p.draw(unit, near, s.stream)
		}
		if !ok {
			partner, ok = p.draw(unit, other, s.stream)
		}
		if ok {
			s.partners[unit], s.partners[partner] = partner, unit
			for _, p := range s.pools {
				p.take(unit)
				p.take(partner)
			}
			return true
		}
	}
	return false
}

// moved returns the data with the partners' geographic variables, and the number of changed cells.
func (s *application) moved(ctx context.Context, in method.Input) (*microdata.Dataset, int, error) {
	data, changed := in.Data, 0
	for _, column := range s.places {
		before := column.Categories()
		codes, count := before.Codes.Copy(), 0
		for unit, partner := range s.partners {
			if unit%steps == 0 && ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			if partner < 0 {
				continue
			}
			code := before.Codes.At(s.Member(partner, 0))
			for i := range s.Members(unit) {
				if row := s.Member(unit, i); codes.At(row) != code {
					codes.Set(row, code)
					count++
				}
			}
		}
		after := column
		if count > 0 {
			after = column.WithCodes(codes).PerturbedWith(in.Seed)
		}
		data, changed = data.With(after), changed+count
	}
	return data, changed, ctx.Err()
}

// mostListed is the maximum number of records listed in the log.
const mostListed = 1000

// account reports what was swapped and what was not.
func (s *application) account(data *microdata.Dataset) *method.Swaps {
	log := &method.Swaps{Levels: s.levels, Random: s.random, Short: s.short}
	for unit, partner := range s.partners {
		if s.placed(unit) {
			log.Units++
		}
		switch {
		case partner >= 0:
			log.Swapped++
		case s.atRisk[unit] && len(log.Records) < mostListed:
			log.Records = append(log.Records, data.SourceRecord(s.Member(unit, 0))+1)
		}
	}
	return log
}
