package pram

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/draws"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

var _ method.ByChance = (*PRAM)(nil)

// OnGroups says that members of households cannot draw together where rows stand for several records.
func (m *PRAM) OnGroups(scenario *microdata.Scenario) string {
	for _, name := range m.Variables {
		if scenario.Has(name, microdata.RoleSame) {
			return "members of a household draw " + name + " together, and groups do not tell who they are"
		}
	}
	return ""
}

var _ method.Gathering = (*PRAM)(nil)

// Gathers returns the variables of the condition.
func (m *PRAM) Gathers() []string { return m.Condition.Variables() }

// Chances returns the rows of the matrices, see method.ByChance.
func (m *PRAM) Chances(ctx context.Context, in method.Input) ([]draws.Chances, error) {
	layouts, err := m.layouts(ctx, in)
	if err != nil {
		return nil, err
	}
	out := make([]draws.Chances, len(layouts))
	for i, l := range layouts {
		column, _ := in.Data.Column(m.Variables[i])
		out[i] = l.chances(in, column)
	}
	return out, nil
}

// layouts returns the matrices of all variables.
func (m *PRAM) layouts(ctx context.Context, in method.Input) ([]*layout, error) {
	if err := m.check(in); err != nil {
		return nil, err
	}
	parts, err := m.partition(ctx, in)
	if err != nil {
		return nil, err
	}
	layouts := make([]*layout, len(m.Variables))
	for i, name := range m.Variables {
		column, _ := in.Data.Column(name)
		categories := column.Categories()
		if err := m.suits(name, categories); err != nil {
			return nil, err
		}
		if layouts[i], err = m.layout(in.SeedFor(column), name, categories, parts, in.Data.Multiplicity()); err != nil {
			return nil, err
		}
	}
	return layouts, ctx.Err()
}

// chances returns the rows of the matrices as what records draw from.
func (l *layout) chances(in method.Input, column *microdata.Column) draws.Chances {
	out := draws.Chances{Variable: column.Name(), Seed: in.Seed, Draws: in.SeedFor(column),
		Purpose: purpose("draws", column.Name()), Rows: make([]uint32, column.Len()),
		Of: make([]draws.Outcomes, len(l.plan.rows))}
	codes := column.Categories().Codes
	for row := range out.Rows {
		out.Rows[row] = l.plan.rowOf(row, codes.At(row))
	}
	for i, row := range l.plan.rows {
		out.Of[i].Below, out.Of[i].Codes = append(out.Of[i].Below, row.stay), append(out.Of[i].Codes, row.own)
		out.Of[i].Below, out.Of[i].Codes = append(out.Of[i].Below, row.up...), append(out.Of[i].Codes, row.to...)
	}
	return out
}

// drawForRows draws how many records of each row change to what, and cuts the rows.
func (m *PRAM) drawForRows(ctx context.Context, in method.Input, meter *progress.Meter) (out method.Output, err error) {
	all, err := m.Chances(ctx, in)
	if err != nil {
		return out, err
	}
	out.Data = in.Data
	meter.Start(int64(len(all)))
	for i := range all {
		parents, err := microdata.Parents(in.Data.Multiplicity(), out.Data.Multiplicity())
		if err != nil {
			return out, err
		}
		out.Data = cut(out.Data, parents, &all[i], in.Scenario.Weight)
		if meter.Add(1); ctx.Err() != nil {
			return out, ctx.Err()
		}
	}
	out.Report, err = m.Account(ctx, in, out.Data)
	return out, err
}

// cut draws one variable.
func cut(data *microdata.Dataset, parents []uint32, chances *draws.Chances, weight string) *microdata.Dataset {
	column, _ := data.Column(chances.Variable)
	var rows, codes []uint32
	var records []int
	add := func(row int, code uint32, count int) {
		if count > 0 {
			rows, codes, records = append(rows, uint32(row)), append(codes, code), append(records, count)
		}
	}
	stream := random.Stream(chances.Draws, chances.Purpose+" of groups", 0)
	for row, count := range data.Multiplicity() {
		at := chances.Rows[parents[row]]
		if at == 0 {
			add(row, column.Categories().Codes.At(row), count)
			continue
		}
		outcomes := &chances.Of[at-1]
		for i, drawn := range outcomes.Counts(count, stream) {
			add(row, outcomes.Codes[i], drawn)
		}
	}
	data = data.Split(rows, records, weight)
	column, _ = data.Column(chances.Variable)
	return data.With(chances.Drawn(column, microdata.CodesOf(codes)))
}

// Account returns the report of what records drew, see method.ByChance.
func (m *PRAM) Account(ctx context.Context, in method.Input, after *microdata.Dataset) (out method.Report, _ error) {
	layouts, err := m.layouts(ctx, in)
	if err != nil {
		return out, err
	}
	parents, err := microdata.Parents(in.Data.Multiplicity(), after.Multiplicity())
	if err != nil {
		return out, err
	}
	for i, l := range layouts {
		before, _ := in.Data.Column(m.Variables[i])
		column, _ := after.Column(m.Variables[i])
		report, err := l.report(ctx, m, before.Name(), l.transitions(before, column, parents), nil)
		if err != nil {
			return out, err
		}
		out.PRAM, out.Warnings = append(out.PRAM, report), append(out.Warnings, l.warnings...)
	}
	m.complete(&out, in)
	return out, ctx.Err()
}

// transitions counts records by what they were and became.
func (l *layout) transitions(before, after *microdata.Column, parents []uint32) []int {
	out := make([]int, l.plan.cells)
	was, is := before.Categories().Codes, after.Categories().Codes
	for row, parent := range parents {
		number := l.plan.rowOf(int(parent), was.At(int(parent)))
		if number == 0 {
			continue
		}
		at, code := l.plan.places[number-1], is.At(row)
		if drawn := &l.plan.rows[number-1]; code != drawn.own {
			for i, to := range drawn.to {
				if to == code {
					at = int(drawn.at[i])
				}
			}
		}
		out[l.plan.start[number-1]+at] += after.RecordsAt(row)
	}
	return out
}
