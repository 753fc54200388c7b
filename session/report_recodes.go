package session

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// mostRecoded is the number of values in the original up to which a report has the recoded
// categories of a variable.
const mostRecoded = 200

// recodes says what the categories of recoded variables stand for: those of the original
// that became it, or their range. Categories that stand for themselves are left out. Users
// get neither counts nor the names of categories that few records had.
func (r *reporting) recodes(ctx context.Context) error {
	s := report.NewTable("Recoded categories", "variable", "category", "stands for", "records")
	if r.least > 0 {
		s.Table[0] = s.Table[0][:3]
	}
	for _, column := range r.released().Columns() {
		was, ok := r.original().Column(column.Name())
		if !ok || !column.Recoded() {
			continue
		}
		now := column
		if was.Categories().Occurring() > mostRecoded {
			if r.least == 0 {
				s.Add("%s of %s became %s.", wording.Counted(was.Categories().Occurring(), "value"), now.Name(),
					wording.Number(now.Categories().Occurring()))
			}
			continue
		}
		pairs, err := keys.New(ctx, []*microdata.Column{now, was}, nil)
		if err != nil {
			return err
		}
		for code := range now.Categories().Levels {
			if row := r.recoded(now, was, pairs, code); row != nil {
				s.Row(row[:len(s.Table[0])]...)
			}
		}
	}
	r.add(s)
	return nil
}

// recoded returns the row of a category; nil if it is as in the original, or if no record has it.
func (r *reporting) recoded(now, was *microdata.Column, pairs *keys.Table, code int) []string {
	label, records := now.Categories().Levels[code].Label, now.Categories().Counts()[code+1]
	levels, counts, described := was.Categories().Levels, was.Categories().Counts(), was.Described()
	var of []int // codes of the original from 0 on
	others := false
	for key := range pairs.Keys() {
		switch source := pairs.Codes(1)[key]; {
		case pairs.Codes(0)[key] != uint32(code+1) || source == 0:
		case !r.least.tells(counts[source]):
			others = others || counts[source] > 0
		default:
			of = append(of, int(source-1))
		}
	}
	slices.Sort(of)
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
	if others = false; meansNumbers(now, was, pairs, code) == "" {
		return nil
	}
	return row(meansNumbers(now, was, pairs, code))
}

// meansNumbers says in words which numbers a category stands for, by its label and not by the
// numbers that occur: "0 to 14", "8 or more" for the highest one that numbers above 8 became; ""
// for a number that others became, such as a rounded one.
func meansNumbers(now, was *microdata.Column, pairs *keys.Table, code int) string {
	levels := now.Categories().Levels
	span, _ := levels[code].Span()
	if levels[code].NumberLevel() {
		lowest, highest := math.Inf(1), math.Inf(-1)
		for key := range pairs.Keys() {
			if source := pairs.Codes(1)[key]; source != 0 && pairs.Codes(0)[key] == uint32(code+1) {
				value := was.Categories().Levels[source-1].Value
				lowest, highest = min(lowest, value), max(highest, value)
			}
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
	case span.First == "":
		return span.Last + " or less"
	case span.Open:
		return "more than " + span.First + ", up to " + span.Last
	}
	return span.First + " to " + span.Last
}
