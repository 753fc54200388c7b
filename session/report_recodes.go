package session

import (
	"context"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// mostRecoded is the number of values in the original up to which a report has the recoded categories of a
// variable.
const mostRecoded = 200

// recodes lists the original categories, or the range, of each recoded category. Unchanged categories are left
// out. Users get neither counts nor the names of categories that few records had.
func (r *reportBuilder) recodes(context.Context) error {
	s := report.NewTable("Recoded categories", "variable", "category", "original values", "records")
	if r.least > 0 {
		s.Table[0] = s.Table[0][:3]
	}
	for _, column := range r.released().Columns() {
		was, ok := r.original().Column(column.Name())
		if !ok || !column.Recoded() {
			continue
		}
		now := column
		was, of := standFor(now, was)
		if of == nil {
			continue
		}
		if was.Categories().Occurring() > mostRecoded {
			if r.least == 0 {
				s.Add("%s of %s became %s.", wording.Counted(was.Categories().Occurring(), "value"), now.Name(),
					wording.Number(now.Categories().Occurring()))
			}
			continue
		}
		for code := range now.Categories().Levels {
			if row := r.recoded(now, was, of[code], code); row != nil {
				s.Row(row[:len(s.Table[0])]...)
			}
		}
	}
	r.add(s)
	return nil
}

// standFor returns for each category of a recoded column, from 0 on, the categories with records that became it:
// of the original, or of the column masked before the recode. It returns nil if the recodes do not determine them.
// Suppressions do not matter.
func standFor(now, was *microdata.Column) (from *microdata.Column, of [][]int) {
	codes, ok := now.Categories().MadeOf(was.Categories())
	if !ok {
		if was, codes, ok = now.Composition(); !ok {
			return was, nil
		}
	}
	of = make([][]int, len(now.Categories().Levels))
	for source, records := range was.Categories().Counts() {
		if to := codes[source]; source > 0 && to > 0 && records > 0 {
			of[to-1] = append(of[to-1], source-1)
		}
	}
	return was, of
}

// recoded returns the row of a category, or nil if it is unchanged or has no record.
func (r *reportBuilder) recoded(now, was *microdata.Column, all []int, code int) []string {
	label, records := now.Categories().Levels[code].Label, now.Categories().Counts()[code+1]
	levels, counts, described := was.Categories().Levels, was.Categories().Counts(), was.Described()
	var of []int // codes of the original from 0 on
	others := false
	for _, source := range all {
		if r.least.tells(counts[source+1]) {
			of = append(of, source)
		} else {
			others = true
		}
	}
	if records == 0 || len(of) == 0 && !others || len(of) == 1 && !others && levels[of[0]].Label == label {
		return nil
	}
	row := func(names ...string) []string {
		if others {
			names = append(names, "others")
		}
		return []string{now.Name(), label, strings.Join(names, ", "), wording.Number(records)}
	}
	var names []string
	for _, place := range of {
		names = append(names, described.Called(levels[place].Label))
	}
	if !was.Numeric() || was.Coded() {
		return row(names...)
	}
	if len(names) > 1 {
		names = []string{names[0] + " to " + names[len(names)-1]}
	}
	if _, ok := now.Categories().Levels[code].Span(); r.least == 0 || !ok {
		return row(names...)
	}
	if others = false; meansNumbers(now, was, all, code) == "" {
		return nil
	}
	return row(meansNumbers(now, was, all, code))
}

// meansNumbers describes the numbers of a category by its label, not by the numbers that occur: "0 to 14", or "8
// or more" for the highest category if numbers above 8 became it. It returns "" for a number that other numbers
// became, such as a rounded one.
func meansNumbers(now, was *microdata.Column, all []int, code int) string {
	levels := now.Categories().Levels
	span, _ := levels[code].Span()
	if levels[code].NumberLevel() {
		lowest, highest := math.Inf(1), math.Inf(-1)
		for _, source := range all {
			value := was.Categories().Levels[source].Value
			lowest, highest = min(lowest, value), max(highest, value)
		}
		switch {
		case code == len(levels)-1 && lowest >= span.Lower:
			span.Last = ""
		case code == 0 && highest <= span.Upper:
			span.First = ""
		default:
			return ""
		}
	}
	switch {
	case span.Last == "" && span.Open:
		return "more than " + span.First
	case span.Last == "":
		return span.First + " or more"
	case span.First == "" && span.OpenAbove:
		return "less than " + span.Last
	case span.First == "":
		return span.Last + " or less"
	case span.OpenAbove:
		return span.First + " or more, less than " + span.Last
	case span.Open:
		return "more than " + span.First + ", up to " + span.Last
	}
	return span.First + " to " + span.Last
}
