package session

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
)

// mostBars is the number of categories up to which a distribution is drawn.
const mostBars = 40

// frequencyPicture draws the shares of the categories of a frequency table, now and in the original data, or
// returns nil for other tables.
func frequencyPicture(t *measure.Table) *report.Picture {
	now, was := slices.Index(t.Columns, "percent"), slices.Index(t.Columns, "percent of original")
	if now < 0 || was < 0 || len(t.Rows) == 0 || len(t.Rows) > mostBars {
		return nil
	}
	p := &report.Picture{Title: t.Title, Kind: report.Bars, Series: []string{"percent now", "percent of original"},
		Description: "Two bars for each category: its share of the records now and in the original. The table has the numbers."}
	share := func(cell any) float64 {
		if percent, ok := cell.(measure.Percent); ok {
			return float64(percent)
		}
		return math.NaN()
	}
	for _, row := range t.Rows {
		p.Labels = append(p.Labels, measure.CellText(row[0]))
		p.Values = append(p.Values, []float64{share(row[now]), share(row[was])})
	}
	return p
}

// distributions adds the distributions of the numeric variables, now and in the original, in the same intervals.
func (r *reportBuilder) distributions(ctx context.Context) error {
	for _, name := range r.Scenario.Numeric {
		now, ok := r.Data.Column(name)
		was, known := r.original().Column(name)
		if !ok || !known || !now.Numeric() || !was.Numeric() {
			continue
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, column := range []*microdata.Column{now, was} {
			p, err := profile.New(ctx, r.Data, column, nil)
			if err != nil {
				return err
			}
			if p.Numbers != nil {
				low, high = min(low, p.Numbers.Min), max(high, p.Numbers.Max)
			}
		}
		if !(low <= high) || math.IsInf(high-low, 0) {
			continue
		}
		if err := r.distribution(ctx, now, was, low, high); err != nil {
			return err
		}
	}
	return nil
}

// distribution counts the records of both versions of a variable by intervals of equal width or, if one of these
// has most records of a version, by powers of ten.
func (r *reportBuilder) distribution(ctx context.Context, now, was *microdata.Column, low, high float64) error {
	const intervals = 16
	all, err := profile.Versions{Now: now, Before: was}.Overlays(ctx, nil, low, high, intervals)
	if err != nil {
		return err
	}
	counts, label := [2][]int{all[0].Now.Records, all[0].Before.Records}, all[0].Now.Label
	most := func(i int, column *microdata.Column) bool {
		return 2*slices.Max(counts[i]) > column.Records()-column.MissingCount()
	}
	edges := profile.LogEdges(low, high, intervals)
	if (most(0, now) || most(1, was)) && all[0].Now.Count > 2 && edges != nil {
		label = edges.Label
		for i, column := range []*microdata.Column{now, was} {
			if counts[i], err = edges.Count(ctx, column); err != nil {
				return err
			}
		}
	}
	s := report.NewTable("Distribution of "+now.Name(), "interval", "records now", "original")
	s.Picture = &report.Picture{Title: s.Heading, Kind: report.Bars, Series: []string{"records now", "original"},
		Description: "Two bars for each interval: its records now and in the original. The table has the numbers."}
	for i, n := range counts[0] {
		m := counts[1][i]
		s.Row(label(i), wording.Number(n), wording.Number(m))
		s.Picture.Labels = append(s.Picture.Labels, label(i))
		s.Picture.Values = append(s.Picture.Values, []float64{float64(n), float64(m)})
	}
	r.add(s)
	return nil
}

// riskAndLoss lists risk and information loss of the original and after each step whose data are in memory.
func (r *reportBuilder) riskAndLoss(ctx context.Context) error {
	if len(r.Steps) == 0 || len(r.Scenario.Keys)+len(r.Scenario.Numeric) == 0 {
		return nil
	}
	s := report.NewTable("Risk and information loss", "state", "cells that differ, percent", "expected re-identifications")
	s.Add("Information loss is the share of the cells of key and numeric variables that differ from the original. Risk is the " +
		"expected number of re-identifications under the active scenario.")
	s.Picture = &report.Picture{Title: "Risk–utility map", Kind: report.Points,
		Series: []string{"cells that differ, percent", "expected re-identifications"},
		Description: "A point for the original and for the data after each step: information loss to the right, risk upwards. " +
			"The table has the numbers."}
	for i := -1; i < len(r.Steps); i++ {
		data, label, state := r.original(), "original", "original"
		if i >= 0 {
			data, label = r.Steps[i].data, strconv.Itoa(i+1)
			state = "after step " + label
		}
		if i == len(r.Steps)-1 {
			data = r.Data
		}
		if data == nil {
			continue
		}
		risk, loss, err := r.place(ctx, data)
		if err != nil {
			return err
		}
		reported := &measure.Value{Number: risk}
		s.Row(state, fmt.Sprintf("%.3f", loss), exactly(reported))
		if !math.IsNaN(risk) {
			s.Picture.Labels = append(s.Picture.Labels, label)
			s.Picture.Values = append(s.Picture.Values, []float64{loss, risk})
		}
	}
	if len(s.Picture.Labels) < 2 {
		s.Picture = nil
	}
	r.add(s)
	return nil
}

// place returns the risk of a state and its information loss, in percent.
func (r *reportBuilder) place(ctx context.Context, data *microdata.Dataset) (risk, loss float64, err error) {
	scenario := Fitted(&r.Scenario, data)
	set, err := r.analyst.Figures(ctx, data, scenario, measure.WhatIf)
	if err != nil {
		return 0, 0, err
	}
	risk = math.NaN()
	if v := set.Value("risk", "expected_reidentifications", 0); v != nil {
		risk = v.Number
	}
	names := slices.Concat(scenario.Keys, scenario.Numeric)
	var others []string
	for _, column := range data.Columns() {
		if !slices.Contains(names, column.Name()) {
			others = append(others, column.Name())
		}
	}
	var c Comparison
	if err := c.cells(ctx, data.Source().Without(others), data.Without(others), nil); err != nil {
		return 0, 0, err
	}
	differing := 0
	for _, v := range c.Variables {
		differing += v.Cells
	}
	if cells := len(names) * data.Records(); cells > 0 {
		loss = 100 * float64(differing) / float64(cells)
	}
	return risk, loss, nil
}
