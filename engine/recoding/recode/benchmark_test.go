package recode_test

import (
	"fmt"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// recodedFile returns a file with a variable of ages, divided into intervals, and one of codes.
func recodedFile(b *testing.B, rows int) *microdata.Dataset {
	ages := &microdata.Numbers{Values: make([]float64, rows)}
	codes := &microdata.Numbers{Values: make([]float64, rows)}
	for i := range rows {
		ages.Values[i] = float64(i * 7919 % 100)
		codes.Values[i] = float64(1000 + i*7907%400)
	}
	columns := make([]*microdata.Column, 2)
	for i, numbers := range []*microdata.Numbers{ages, codes} {
		column := microdata.NewNumeric([]string{"age", "code"}[i], microdata.Whole, numbers)
		columns[i] = column
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		b.Fatal(err)
	}
	data = apply(b, &recode.Intervals{Variable: "age", Breaks: []float64{-1, 9, 19, 29, 39, 49, 59, 69, 99}}, data).Data
	return apply(b, &recode.Hierarchy{Variable: "code", Digits: 3}, data).Data
}

// BenchmarkForetell measures a what-if of a recode: the mapping and its report, on variables that were recoded
// before.
func BenchmarkForetell(b *testing.B) {
	methods := map[string]method.Regrouper{
		"intervals": &recode.Intervals{Variable: "age", Count: 8, By: recode.ByEqualAmounts},
		"hierarchy": &recode.Hierarchy{Variable: "code", Digits: 2, Unlisted: recode.UnlistedError},
		"split":     &recode.Split{Variable: "age", Level: "30-39"},
		"order":     &recode.Order{Variable: "age", Levels: []string{"30-39"}},
		"round":     &recode.Round{Variable: "code", Base: 5},
	}
	for _, rows := range []int{5000, 100000, 1000000} {
		data := recodedFile(b, rows)
		for _, name := range []string{"intervals", "hierarchy", "split", "order", "round"} {
			b.Run(fmt.Sprintf("%s/rows=%d", name, rows), func(b *testing.B) {
				for b.Loop() {
					r, err := method.Regroup(methods[name], method.Input{Data: data})
					if err != nil {
						b.Fatal(err)
					}
					r.Report()
				}
			})
		}
	}
}
