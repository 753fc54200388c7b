package prepare

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/data/draws"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

var _ method.ByChance = (*Sample)(nil)

// OnGroups says that households are not drawn where rows stand for several records.
func (m *Sample) OnGroups(*microdata.Scenario) string {
	if m.Unit == UnitHouseholds {
		return "groups do not tell which records form a household: draw records"
	}
	return ""
}

// Chances returns the sample, see method.ByChance; nil where all records are kept.
func (m *Sample) Chances(ctx context.Context, in method.Input) ([]draws.Chances, error) {
	s, _, err := m.sample(in)
	if err != nil || s.Kept == s.Of {
		return nil, err
	}
	return []draws.Chances{draws.Sampling(in.Seed, in.Data.Len(), s)}, ctx.Err()
}

// Account returns the report of a sample of records, see method.ByChance.
func (m *Sample) Account(ctx context.Context, in method.Input, _ *microdata.Dataset) (method.Report, error) {
	s, _, err := m.sample(in)
	if err != nil {
		return method.Report{}, err
	}
	return m.report(s), ctx.Err()
}

// report returns the report of a sample of records.
func (m *Sample) report(s draws.Sample) method.Report {
	report := selected(m.title(), s.Of, s.Kept)
	m.weigh(&report, s, s.Of)
	return report
}

// drawnForRows draws how many records of each row are kept, and of each value of variables that rows are not counted by.
func drawnForRows(in method.Input, s draws.Sample) *microdata.Dataset {
	var rows []uint32
	var records []int
	for row, count := range s.OfRows(in.Data.Multiplicity(), random.Stream(in.Seed, "sample of groups", 0)) {
		if count > 0 {
			rows, records = append(rows, uint32(row)), append(records, count)
		}
	}
	data := in.Data.Split(rows, records, s.Weight)
	for _, column := range data.Columns() {
		if !column.Uncounted() && !column.Sums() {
			continue
		}
		known, others := column.Alone().Multiplicity(), s.Of
		for _, count := range known {
			others -= count
		}
		counts := s.OfRows(append(known[:len(known):len(known)], others), random.Stream(in.Seed, "sample of "+column.Name(), 0))
		data = data.With(column.Recounted(counts[:len(known)]))
	}
	return data
}
