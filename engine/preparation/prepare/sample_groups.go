package prepare

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/data/draws"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

var _ method.ByChance = (*Sample)(nil)

// OnGroups returns "": samples are drawn where rows stand for several records, too.
func (m *Sample) OnGroups(*microdata.Scenario) string { return "" }

// Chances returns the sample, see method.ByChance; nil where all records are kept.
func (m *Sample) Chances(ctx context.Context, in method.Input) ([]draws.Chances, error) {
	s, _, err := m.sample(in)
	if err != nil || s.Kept == s.Of {
		return nil, err
	}
	return []draws.Chances{draws.Sampling(in.Seed, in.Data.Len(), s)}, ctx.Err()
}

// Account returns the report of a sample, see method.ByChance.
func (m *Sample) Account(ctx context.Context, in method.Input, after *microdata.Dataset) (method.Report, error) {
	s, _, err := m.sample(in)
	if err != nil {
		return method.Report{}, err
	}
	return m.report(s, in.Data, after), ctx.Err()
}

// report returns the report of a sample of rows that stand for several records.
func (m *Sample) report(s draws.Sample, before, after *microdata.Dataset) method.Report {
	report := selected(m.title(), before.Records(), after.Records())
	m.weigh(&report, s, before.Records())
	return report
}

// drawnForRows draws how many records of each row are kept, and of each value of variables that rows are not counted
// by: as if records were kept by themselves, where households are.
func (u units) drawnForRows(in method.Input, s draws.Sample) *microdata.Dataset {
	stream := random.Stream(in.Seed, "sample of groups", 0)
	var kept, times []int
	if u.households == nil {
		kept = s.OfRows(in.Data.Multiplicity(), stream)
	} else {
		times = s.OfRows(u.times(), stream)
		kept = u.recordsOf(times, in.Data.Len())
	}
	places := make([]uint32, len(kept))
	var rows []uint32
	var records []int
	for row, count := range kept {
		if places[row] = uint32(len(rows)); count > 0 {
			rows, records = append(rows, uint32(row)), append(records, count)
		}
	}
	data := in.Data.Split(rows, records, s.Weight)
	s.Of, s.Kept = in.Data.Records(), data.Records()
	for _, column := range data.Columns() {
		if !column.Uncounted() && !column.Sums() {
			continue
		}
		known, others := column.Alone().Multiplicity(), s.Of
		for _, count := range known {
			others -= count
		}
		counts := s.OfRows(append(known[:len(known):len(known)], others), random.Stream(in.Seed, "sample of "+column.Name(), 0))
		column = column.Recounted(counts[:len(known)])
		if column.Name() == s.Household {
			column = column.WithHouseholds(u.some(times, places, records))
		}
		data = data.With(column)
	}
	return data
}

// times returns how many households there are of each kind.
func (u units) times() []int {
	times := make([]int, u.households.Len())
	for kind := range times {
		times[kind] = u.households.Times(kind)
	}
	return times
}

// recordsOf returns how many records of each row are members of so many households of each kind.
func (u units) recordsOf(times []int, rows int) []int {
	records := make([]int, rows)
	for kind, households := range times {
		for i := range u.households.Members(kind) {
			records[u.households.Member(kind, i)] += households
		}
	}
	return records
}

// some returns so many households of each kind, by the places of their rows, which have so many records.
func (u units) some(times []int, places []uint32, records []int) *microdata.Households {
	all, rows := &microdata.Compositions{}, []uint32(nil)
	for kind, households := range times {
		rows = rows[:0]
		for i := range u.households.Members(kind) {
			rows = append(rows, places[u.households.Member(kind, i)])
		}
		if households > 0 {
			all.Add(rows, uint32(households))
		}
	}
	households, _ := all.Households(records) // it has the records that are kept
	return households
}
