package recode_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// The text of a recoded variable makes the same recode again.
func TestArgusTextMakesTheRecodeAgain(t *testing.T) {
	data := golden.Data(t, "survey")
	scenario := microdata.NewScenario()
	steps := []method.Method{
		&recode.Intervals{Variable: "age", Breaks: []float64{-1, 4, 14, 24, 64, 120}},
		&recode.Group{Variable: "age", Levels: []string{"5-14", "15-24"}},
		&recode.Group{Variable: "region", Levels: []string{"Hollow Isles", "Glenhold"}, Label: "far, and: away - maybe"},
	}
	recoded := data
	for _, step := range steps {
		out, err := method.Apply(context.Background(), step, method.Input{Data: recoded, Scenario: &scenario}, nil)
		if err != nil {
			t.Fatal(err)
		}
		recoded = out.Data
	}
	for _, name := range []string{"age", "region"} {
		want, _ := recoded.Column(name)
		text, err := recode.ArgusText(want)
		if err != nil {
			t.Fatal(err)
		}
		file := &recode.ArgusFile{Variable: name, Recode: text}
		out, err := method.Apply(context.Background(), file, method.Input{Data: data, Scenario: &scenario}, nil)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		got, _ := out.Data.Column(name)
		for record := range data.Len() {
			if got.Text(record) != want.Text(record) {
				t.Fatalf("%s, record %d: %q, want %q by\n%s", name, record+1, got.Text(record), want.Text(record), text)
			}
		}
	}
	sex, _ := data.Column("sex")
	if _, err := recode.ArgusText(sex); !errors.Is(err, method.ErrInput) {
		t.Errorf("a variable that was not recoded gives %v", err)
	}
}

// Intervals are written as ranges with open ends, which hold for codes that only
// another file has; a group of neighbours is a range, any other lists its codes.
func TestArgusTextWritesRanges(t *testing.T) {
	ages := dataset(t, "0", "3", "9", "10", "12", "80", "86", "91", "95")
	grouped := apply(t, &recode.Group{Variable: "x", Levels: []string{"2", "3"}, Label: "b"},
		dataset(t, "1", "2", "3", "7", "9")).Data
	levels := []microdata.Level{{Label: "1", Value: math.NaN()}, {Label: "2", Value: math.NaN()},
		{Label: "9", Value: math.NaN()}, {Label: "10", Value: math.NaN()}}
	column := microdata.NewCategorical("x", microdata.Category,
		&microdata.Categories{Levels: levels, Codes: codesOf(1, 2, 3, 4)})
	codes, err := microdata.NewDataset([]*microdata.Column{column})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		data *microdata.Dataset
		step method.Method
		want string
	}{
		{ages, &recode.Intervals{Variable: "x", Breaks: []float64{-1, 9, 79, 89, 95}},
			"\"0-9\": -9\r\n\"10-79\": 10-79\r\n\"80-89\": 80-89\r\n\"90-95\": 90-\r\n"},
		{ages, &recode.TopBottom{Variable: "x", Top: number(80), Replacement: recode.ReplaceByThreshold}, "80: 80-95\r\n"},
		{ages, &recode.Intervals{Variable: "x", Breaks: []float64{-1, 9, 95}, Labels: []string{"young", "20-30"}},
			"young: 0-9\r\n\"20-30\": 10-\r\n"},
		{grouped, &recode.Group{Variable: "x", Levels: []string{"1", "7"}, Label: "a"}, "a: 1, 7\r\nb: 2-3\r\n"},
		{codes, &recode.Group{Variable: "x", Levels: []string{"2", "9", "10"}, Label: "a"}, "a: 2-10\r\n"},
		{dataset(t, "-1", "1", "2"), &recode.Group{Variable: "x", Levels: []string{"1", "2"}, Label: "a"}, "a: 1, 2\r\n"},
	} {
		column, _ := apply(t, test.step, test.data).Data.Column("x")
		text, err := recode.ArgusText(column)
		if err != nil || text != test.want {
			t.Errorf("error %v (-want +got):\n%s", err, cmp.Diff(test.want, text))
		}
	}
}

// codesOf returns the codes of as many records.
func codesOf(codes ...uint32) microdata.Codes {
	of := microdata.NewCodes(len(codes), len(codes))
	for record, code := range codes {
		of.Set(record, code)
	}
	return of
}

// What is written makes the same recode of the same file, whatever the recode.
func TestArgusTextIsReadBack(t *testing.T) {
	tb := t
	rapid.Check(t, func(t *rapid.T) {
		cells := make([]string, rapid.IntRange(3, 30).Draw(t, "records"))
		for i := range cells {
			cells[i] = strconv.Itoa(rapid.IntRange(0, 120).Draw(t, "cell"))
		}
		column, err := microdata.NewDataset([]*microdata.Column{golden.Column(tb, "x",
			cells).WithDescription(&microdata.Description{Width: 3, Missing: []string{"999"}})})
		if err != nil {
			t.Fatal(err)
		}
		breaks := append(rapid.SliceOfNDistinct(rapid.IntRange(0, 119), 0, 6, rapid.ID).Draw(t, "breaks"), -1, 130)
		slices.Sort(breaks)
		steps := &recode.Intervals{Variable: "x"}
		for _, b := range breaks {
			steps.Breaks = append(steps.Breaks, float64(b))
		}
		if rapid.Bool().Draw(t, "outside") && len(steps.Breaks) > 2 {
			steps.Breaks = steps.Breaks[:len(steps.Breaks)-1]
		}
		in := method.Input{Data: column}
		out, err := method.Apply(context.Background(), steps, in, nil)
		if err != nil {
			t.Fatal(err)
		}
		labels := out.Report.Table
		if len(labels) > 2 && rapid.Bool().Draw(t, "group") {
			m := &recode.Group{Variable: "x", Levels: []string{labels[0].Name, labels[2].Name},
				Label: rapid.SampledFrom([]string{"", "g", "50-60"}).Draw(t, "label")}
			if grouped, err := method.Apply(context.Background(), m, method.Input{Data: out.Data}, nil); err == nil {
				out = grouped
			}
		}
		want, _ := out.Data.Column("x")
		text, err := recode.ArgusText(want)
		if err != nil {
			t.Skip(err)
		}
		back, err := method.Apply(context.Background(), &recode.ArgusFile{Variable: "x", Recode: text}, in, nil)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		got, _ := back.Data.Column("x")
		for record := range cells {
			if got.Text(record) != want.Text(record) {
				t.Fatalf("%s becomes %q, want %q by\n%s", cells[record], got.Text(record), want.Text(record), text)
			}
		}
	})
}
