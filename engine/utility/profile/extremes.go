package profile

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Extreme is a row with one of the lowest or highest values.
type Extreme struct {
	Row int
	By  float64 // number, day since 1970, or length of the text in characters
}

// Extremes returns the rows with the lowest and with the highest values, at most most of each, the most extreme
// first and ties in file order. It includes infinite numbers. It returns the error of ctx, if any.
func (p *Profile) Extremes(ctx context.Context, content *Content, most int) (lowest, highest []Extreme, err error) {
	measure := content.Measure(p.Column)
	for row := range p.Column.Len() {
		if parallel.Stopped(ctx, row) {
			return nil, nil, ctx.Err()
		}
		x := measure(row)
		if x != x {
			continue
		}
		lowest = insert(lowest, Extreme{row, x}, most, 1)
		highest = insert(highest, Extreme{row, x}, most, -1)
	}
	return lowest, highest, nil
}

// insert inserts a row at its position among those found so far.
func insert(found []Extreme, e Extreme, most int, sign float64) []Extreme {
	if most == 0 || len(found) == most && sign*e.By >= sign*found[most-1].By {
		return found
	}
	if len(found) < most {
		found = append(found, e)
	}
	at := len(found) - 1
	for ; at > 0 && sign*e.By < sign*found[at-1].By; at-- {
		found[at] = found[at-1]
	}
	found[at] = e
	return found
}

// Periods counts the dates of a variable by months, years or decades, whichever gives at most most periods,
// including empty ones. It returns nil if the values are not dates, and the error of ctx, if any.
func (p *Profile) Periods(ctx context.Context, content *Content, most int) ([]Value, error) {
	if content.Form != Dates {
		return nil, nil
	}
	measure := content.Measure(p.Column)
	days := map[float64]*Value{}
	for row := range p.Column.Len() {
		if parallel.Stopped(ctx, row) {
			return nil, ctx.Err()
		}
		x := measure(row)
		if x != x {
			continue
		}
		x = math.Floor(x)
		if days[x] == nil {
			days[x] = &Value{Number: x}
		}
		days[x].Records += p.Column.RecordsAt(row)
		if p.Weights != nil {
			days[x].Weight += p.Weights[row]
		}
	}
	return byPeriods(days, most), nil
}

func byPeriods(days map[float64]*Value, most int) []Value {
	low, high := math.Inf(1), math.Inf(-1)
	for x := range days {
		low, high = min(low, x), max(high, x)
	}
	if low > high {
		return nil
	}
	date := func(x float64) time.Time { return time.Unix(int64(x)*24*60*60, 0).UTC() }
	months := func(t time.Time) int { return 12*t.Year() + int(t.Month()) - 1 }
	size, layout := 1, "2006-01" // months per period
	for _, next := range []int{12, 120, 1200} {
		if months(date(high))/size-months(date(low))/size+1 > most {
			size, layout = next, "2006"
		}
	}
	first := months(date(low)) / size
	periods := make([]Value, months(date(high))/size-first+1)
	for i := range periods {
		start := time.Date(0, time.Month((first+i)*size+1), 1, 0, 0, 0, 0, time.UTC)
		periods[i].Label, periods[i].Number = start.Format(layout), float64(start.Unix())/(24*60*60)
		if size > 12 {
			periods[i].Label += "s"
		}
	}
	for _, x := range slices.Sorted(maps.Keys(days)) {
		period := &periods[months(date(x))/size-first]
		period.Records += days[x].Records
		period.Weight += days[x].Weight
	}
	return periods
}
