package recode_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// draw returns a method that fits variable x of the dataset.
func draw(t *rapid.T, data *microdata.Dataset) method.Regrouper {
	x, _ := data.Column("x")
	var labels []string
	for _, level := range x.Categories().Levels {
		labels = append(labels, level.Label)
	}
	if len(labels) == 0 || rapid.Bool().Draw(t, "cut") {
		low := rapid.IntRange(-3, 3).Draw(t, "low")
		middle := rapid.IntRange(low+1, 8).Draw(t, "middle")
		return &recode.Intervals{Variable: "x", Breaks: []float64{float64(low), float64(middle), 9},
			IncludeLowest: rapid.Bool().Draw(t, "include")}
	}
	if x.Numeric() && rapid.Bool().Draw(t, "top") {
		return &recode.TopBottom{Variable: "x", Top: number(float64(rapid.IntRange(0, 9).Draw(t, "threshold"))),
			Replacement: rapid.SampledFrom([]string{recode.ReplaceByThreshold, recode.ReplaceByMean}).Draw(t, "replacement")}
	}
	if rapid.Bool().Draw(t, "rename") {
		return &recode.Rename{Variable: "x", Level: rapid.SampledFrom(labels).Draw(t, "level"), Label: "renamed"}
	}
	chosen := rapid.SliceOfNDistinct(rapid.SampledFrom(labels), 1, len(labels), rapid.ID).Draw(t, "levels")
	return &recode.Group{Variable: "x", Levels: chosen, IncludeMissing: rapid.Bool().Draw(t, "missing")}
}

// After any earlier steps the report of the what-if equals that of Apply, the cells follow the mapping, and the
// counts are those of the cells.
func TestRegroupEqualsApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			if x := rapid.IntRange(-3, 9).Draw(t, "value"); x != 0 {
				return strconv.Itoa(x)
			}
			return ""
		}), 1, 30).Draw(t, "cells")
		data := rapidDataset(t, cells)
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "suppress") {
				x, _ := data.Column("x")
				blank := microdata.NewBits(len(cells))
				blank.Set(rapid.IntRange(0, len(cells)-1).Draw(t, "blank"))
				data = data.With(x.Suppress(blank))
			}
			data = checkStep(t, draw(t, data), data)
		}
	})
}

func checkStep(t *rapid.T, m method.Regrouper, data *microdata.Dataset) *microdata.Dataset {
	scenario := microdata.NewScenario()
	in := method.Input{Data: data, Scenario: &scenario}
	before := data.Hash()
	regrouping, err := method.Regroup(m, in)
	out, applyErr := method.Apply(t.Context(), m, in, nil)
	if (err == nil) != (applyErr == nil) {
		t.Fatalf("Regroup says %v, Apply %v", err, applyErr)
	}
	if err != nil { // the default label or "renamed" is taken
		return data
	}
	if before != data.Hash() {
		t.Fatal("the input was touched")
	}
	if diff := cmp.Diff(regrouping.Report(), out.Report); diff != "" {
		t.Fatalf("report of the what-if and of the step differ:\n%s", diff)
	}
	now, _ := data.Column("x")
	after, _ := out.Data.Column("x")
	changed := 0
	for record := range now.Len() {
		code := regrouping.Mapping[regrouping.From.Categories().Codes.At(record)]
		if now.Suppressed().Has(record) {
			code = 0
		}
		if got := after.Categories().Codes.At(record); got != code {
			t.Fatalf("record %d has the code %d, the mapping says %d", record, got, code)
		}
		if now.Text(record) != after.Text(record) {
			changed++
		}
	}
	if changed != out.Report.Changed {
		t.Fatalf("%d cells changed, the report says %d", changed, out.Report.Changed)
	}
	levels := levelsOf(after)
	for _, level := range out.Report.Table {
		if levels[level.Name] != level.Count {
			t.Fatalf("%d records of %q, the table says %d", levels[level.Name], level.Name, level.Count)
		}
	}
	return out.Data
}

// rapidDataset is dataset for a rapid test.
func rapidDataset(t *rapid.T, cells []string) *microdata.Dataset {
	numbers := &microdata.Numbers{Values: make([]float64, len(cells))}
	for i, cell := range cells {
		value, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			value = math.NaN()
		}
		numbers.Values[i] = value
	}
	column := microdata.NewNumeric("x", microdata.Whole, numbers)
	data, err := microdata.NewDataset([]*microdata.Column{column})
	if err != nil {
		t.Fatal(err)
	}
	return data
}
