package prepare

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// units are the units of which some are kept: records, or whole households.
type units struct {
	*microdata.Households
	whole bool // whether units are households
}

// unitsOf returns the records of the input, or its households. If the scenario has no households, the error
// suggests an alternative.
func unitsOf(in method.Input, households bool, step, instead string) (units, error) {
	if !households {
		return units{microdata.Singles(in.Data.Len()), false}, nil
	}
	all, err := in.Households()
	if err == nil && all == nil {
		err = fmt.Errorf("%s %w: no household variable; choose one or %s", step,
			method.ErrInput, instead)
	}
	return units{all, true}, err
}

// nearest rounds a number of units to an integer, but at least one.
func (u units) nearest(part float64) int { return min(u.Len(), max(1, int(math.Round(part)))) }

// drawn returns a simple random sample of want units; see keeping.
func (u units) drawn(r *rand.Rand, want int) *microdata.Bits {
	taken, keeps := microdata.NewBits(u.Len()), keeping(r, u.Len(), want)
	for unit := range u.Len() {
		if keeps() {
			taken.Set(unit)
		}
	}
	return taken
}

// keeping returns a function that decides for each of of units in turn whether to keep it, with the remaining
// number to keep divided by the remaining number of units as the probability. Knuth, The Art of Computer
// Programming, volume 2, 3.4.2, algorithm S.
func keeping(stream *rand.Rand, of, kept int) func() bool {
	return func() bool {
		if kept == 0 {
			return false
		}
		of--
		if stream.IntN(of+1) >= kept {
			return false
		}
		kept--
		return true
	}
}

// keep returns the output of a step that keeps only the records of these units, in order.
func (u units) keep(in method.Input, title string, taken *microdata.Bits) method.Output {
	kept := microdata.NewBits(in.Data.Len())
	taken.Each(func(unit int) {
		for i := range u.Members(unit) {
			kept.Set(u.Member(unit, i))
		}
	})
	records := make([]uint32, 0, kept.Count())
	kept.Each(func(record int) { records = append(records, uint32(record)) })
	report := selected(title, in.Data.Len(), len(records))
	if len(records) == in.Data.Len() {
		return method.Output{Data: in.Data, Report: report}
	}
	return method.Output{Data: in.Data.Select(records), Report: report}
}

// selected returns the report of a step that kept some of the records.
func selected(title string, before, after int) method.Report {
	report := method.Report{Title: title, Selection: &method.Selection{Before: before, After: after},
		Effect: wording.Number(after) + " of " + wording.Counted(before, "record") + " kept"}
	if after == before {
		nothing(&report)
	} else {
		report.Warnings = []string{"counts decrease because there are fewer records; compare percentages"}
	}
	return report
}
