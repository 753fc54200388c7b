package generated

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// SurveyInput returns a generated survey with seven key variables, whose dictionaries are already built. The
// variables in same are made constant within households; without any, there are no households.
func SurveyInput(tb testing.TB, persons int, same ...string) method.Input {
	tb.Helper()
	names := Keys()
	if len(same) > 0 {
		names = append(names, "hid")
	}
	data := Survey(tb, persons, 7, names...)
	for _, column := range golden.Columns(data, names...) {
		column.Categories()
	}
	in := inputOf(data, Keys()...)
	if len(same) > 0 {
		in.Scenario.Household, in.Scenario.SameForHousehold = "hid", same
	}
	return in
}

// Rows returns an input with the key variables a, b, ... Rows are strings with one character per cell, a space for
// missing.
func Rows(tb testing.TB, rows ...string) method.Input {
	tb.Helper()
	var columns []*microdata.Column
	var names []string
	for v := range rows[0] {
		cells := make([]string, len(rows))
		for record, row := range rows {
			cells[record] = strings.TrimSpace(row[v : v+1])
		}
		names = append(names, string(rune('a'+v)))
		columns = append(columns, golden.Column(tb, names[v], cells))
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		tb.Fatal(err)
	}
	return inputOf(data, names...)
}

// Random draws up to 25 records of up to 4 key variables with few categories
// and some missing values.
func Random(t *rapid.T) method.Input {
	n := rapid.IntRange(4, 25).Draw(t, "records")
	var columns []*microdata.Column
	var names []string
	for v := range rapid.IntRange(1, 4).Draw(t, "variables") {
		levels := rapid.IntRange(1, 4).Draw(t, "levels")
		categories := &microdata.Categories{Codes: microdata.NewCodes(n, levels)}
		for i := range levels {
			categories.Levels = append(categories.Levels, microdata.Level{Label: string(rune('p' + i)), Value: math.NaN()})
		}
		for record := range n {
			if rapid.IntRange(0, 9).Draw(t, "missing") > 0 {
				categories.Codes.Set(record, uint32(rapid.IntRange(1, levels).Draw(t, "code")))
			}
		}
		names = append(names, string(rune('a'+v)))
		columns = append(columns, categorical(names[v], categories))
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	return inputOf(data, names...)
}

// RandomHouseholds adds households of up to four members, and records without an identifier, to a random input,
// and makes its first variables constant within households.
func RandomHouseholds(t *rapid.T) method.Input {
	in := Random(t)
	n := in.Data.Len()
	household := make([]int, n)
	for record := range household {
		household[record] = rapid.IntRange(0, max(1, n/3)).Draw(t, "household") // 0 for no identifier
	}
	columns := golden.Columns(in.Data, in.Scenario.Keys...)
	shared := rapid.IntRange(1, len(columns)).Draw(t, "shared variables")
	for v := range shared {
		categories := columns[v].Categories()
		first := map[int]uint32{}
		mapped := &microdata.Categories{Levels: categories.Levels, Codes: categories.Codes.Copy()}
		for record, h := range household {
			if code, known := first[h]; known && h > 0 {
				mapped.Codes.Set(record, code)
			} else {
				first[h] = mapped.Codes.At(record)
			}
		}
		columns[v] = categorical(columns[v].Name(), mapped)
	}
	identifiers := &microdata.Categories{Codes: microdata.NewCodes(n, n)}
	for i := range n {
		identifiers.Levels = append(identifiers.Levels, microdata.Level{Label: fmt.Sprint(i + 1), Value: math.NaN()})
	}
	for record, h := range household {
		identifiers.Codes.Set(record, uint32(h))
	}
	data, err := microdata.NewDataset(append(columns, categorical("hid", identifiers)))
	if err != nil {
		t.Fatal(err)
	}
	in.Data, in.Scenario.Household = data, "hid"
	in.Scenario.SameForHousehold = slices.Clone(in.Scenario.Keys[:shared])
	return in
}

func categorical(name string, categories *microdata.Categories) *microdata.Column {
	return microdata.NewCategorical(name, microdata.Category, categories)
}

// inputOf returns data with a scenario of the named key variables.
func inputOf(data *microdata.Dataset, names ...string) method.Input {
	scenario := microdata.NewScenario()
	scenario.Keys = names
	return method.Input{Data: data, Scenario: &scenario}
}
