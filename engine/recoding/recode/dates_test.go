package recode_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

func TestDates(t *testing.T) {
	iso := []string{"1950-05-04", "1963-03-26", "1963-09-05", "", "2001-01-31", "2024-02-29", "1969-12-31"}
	dotted := []string{"04.05.1950", "26.03.1963", "05.09.1963", "", "31.01.2001", "29.02.2024", "31.12.1969"}
	for name, test := range map[string]struct {
		m          recode.Dates
		want       string
		ordered    bool
		unprinted  bool // days keep their own notation
		categories string
	}{
		"years": {m: recode.Dates{To: recode.Years, Width: 1}, want: "1950 1963 1963 · 2001 2024 1969", ordered: true,
			categories: "1950 1963 1969 2001 2024"},
		"bands of years": {m: recode.Dates{To: recode.Years, Width: 5}, ordered: true,
			want:       "1950-1954 1960-1964 1960-1964 · 2000-2004 2020-2024 1965-1969",
			categories: "1950-1954 1960-1964 1965-1969 2000-2004 2020-2024"},
		"quarters": {m: recode.Dates{To: recode.Quarters, Width: 1}, ordered: true,
			want:       "1950-Q2 1963-Q1 1963-Q3 · 2001-Q1 2024-Q1 1969-Q4",
			categories: "1950-Q2 1963-Q1 1963-Q3 1969-Q4 2001-Q1 2024-Q1"},
		"months": {m: recode.Dates{To: recode.Months, Width: 1}, ordered: true,
			want:       "1950-05 1963-03 1963-09 · 2001-01 2024-02 1969-12",
			categories: "1950-05 1963-03 1963-09 1969-12 2001-01 2024-02"},
		"weekdays": {m: recode.Dates{To: recode.Weekdays, Width: 1},
			want:       "Thursday Tuesday Thursday · Wednesday Thursday Wednesday",
			categories: "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"},
		"ages": {m: recode.Dates{To: recode.Ages, Width: 1, Reference: "2024-05-03"},
			want: "73 61 60 · 23 0 54", categories: "0 23 54 60 61 73"},
		"ages on a birthday": {m: recode.Dates{To: recode.Ages, Width: 10, Reference: "2024-05-04"},
			want: "70-79 60-69 60-69 · 20-29 0-9 50-59", categories: "0-9 20-29 50-59 60-69 70-79"},
		"born later": {m: recode.Dates{To: recode.Ages, Width: 1, Reference: "2024-02-28"},
			want: "73 60 60 · 23 · 54", categories: "23 54 60 73"},
		"ends": {m: recode.Dates{To: recode.Years, Width: 1, Earliest: "1963-03-26", Latest: "2001-01-31"}, ordered: true,
			want:       "before:1963-03-26 1963 1963 · from:2001-01-31 from:2001-01-31 1969",
			categories: "before:1963-03-26 1963 1969 from:2001-01-31"},
		"days": {m: recode.Dates{To: recode.Days, Width: 1, Latest: "1970-01-01"}, ordered: true, unprinted: true,
			want:       "1950-05-04 1963-03-26 1963-09-05 · from:1970-01-01 from:1970-01-01 1969-12-31",
			categories: "1950-05-04 1963-03-26 1963-09-05 1969-12-31 from:1970-01-01"},
	} {
		for _, cells := range [][]string{iso, dotted} {
			if test.unprinted && cells[0] != iso[0] {
				continue
			}
			m := test.m
			m.Variable = "x"
			data := datesOf(t, cells)
			out := apply(t, &m, data)
			shown := func(labels []string) string {
				for i, label := range labels {
					if labels[i] = strings.ReplaceAll(label, " ", ":"); label == "" {
						labels[i] = "·"
					}
				}
				return strings.Join(labels, " ")
			}
			column, _ := out.Data.Column("x")
			var labels []string
			for _, level := range column.Categories().Levels {
				labels = append(labels, level.Label)
			}
			if got := shown(texts(out.Data, "x")); got != test.want {
				t.Errorf("%s: %s, want %s", name, got, test.want)
			}
			if got := shown(labels); got != test.categories || column.Categories().Ordered != test.ordered {
				t.Errorf("%s: categories %s, ordered %v", name, got, column.Categories().Ordered)
			}
			coarser := recode.Dates{Variable: "x", To: recode.Years, Width: 100}
			if got := texts(apply(t, &coarser, out.Data).Data, "x")[0]; got != "1900-1999" {
				t.Errorf("%s: a second recode gives %q", name, got)
			}
		}
	}
}

// datesOf returns a variable x of dates in the order of their days.
func datesOf(t testing.TB, cells []string) *microdata.Dataset {
	t.Helper()
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "x", cells)})
	if err != nil {
		t.Fatal(err)
	}
	column, _ := data.Column("x")
	return data.With(microdata.NewCategorical("x", microdata.Category, column.Categories().Chronological()))
}

// The age is the number of birthdays from the day after birth to the reference date.
func TestDatesAges(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		birth := time.Date(1900, 1, 1+rapid.IntRange(0, 45_000).Draw(r, "birth"), 0, 0, 0, 0, time.UTC)
		reference := birth.AddDate(0, 0, rapid.IntRange(0, 40_000).Draw(r, "days"))
		birthdays := 0
		for day := birth.AddDate(0, 0, 1); !day.After(reference); day = day.AddDate(0, 0, 1) {
			leapless := birth.Month() == time.February && birth.Day() == 29 && day.Month() == time.March && day.Day() == 1 &&
				day.AddDate(0, 0, -1).Day() == 28
			if day.Month() == birth.Month() && day.Day() == birth.Day() || leapless {
				birthdays++
			}
		}
		m := recode.Dates{Variable: "x", To: recode.Ages, Width: 1, Reference: reference.Format(time.DateOnly)}
		data := datesOf(t, []string{birth.Format(time.DateOnly)})
		if got := texts(apply(t, &m, data).Data, "x")[0]; got != fmt.Sprint(birthdays) {
			r.Fatalf("%v on %v: %s, want %d", birth, reference, got, birthdays)
		}
	})
}

func TestDatesRefused(t *testing.T) {
	scenario := microdata.NewScenario()
	dates := []string{"1950-05-04", "1963-03-26"}
	for name, test := range map[string]struct {
		m     recode.Dates
		cells []string
		is    error
	}{
		"texts":         {recode.Dates{To: recode.Years, Width: 1}, []string{"1950-05-04", "unknown"}, method.ErrInput},
		"two spellings": {recode.Dates{To: recode.Years, Width: 1}, []string{"1950-05-04", "26.03.1963"}, method.ErrInput},
		"no reference":  {recode.Dates{To: recode.Ages, Width: 1}, dates, method.ErrParam},
		"no day":        {recode.Dates{To: recode.Ages, Width: 1, Reference: "2024"}, dates, method.ErrParam},
		"crossed":       {recode.Dates{To: recode.Years, Width: 1, Earliest: "1960-01-01", Latest: "1960-01-01"}, dates, method.ErrParam},
		"no width":      {recode.Dates{To: recode.Years}, dates, method.ErrParam},
	} {
		test.m.Variable = "x"
		_, err := method.Apply(context.Background(), &test.m, method.Input{Data: datesOf(t, test.cells), Scenario: &scenario}, nil)
		if !errors.Is(err, test.is) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
