package dateshift

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// dates has the values of a date variable.
type dates struct {
	column *microdata.Column
	layout string // layout of a day in the variable's notation
	upper  bool   // months are in capitals, as in 01-JAN-1980
	levels []date
}

// date is the value of a level: the day, which is shifted, and the rest, such as the time of day, which is not.
type date struct {
	day  int // days since 1970
	rest string
}

// datesOf returns the dates of a column. ok is false unless all values are dates with a day in one notation.
func datesOf(column *microdata.Column) (d dates, ok bool) {
	categories := column.Categories()
	layouts := categories.Layouts()
	if len(layouts) == 0 || layouts[0] == microdata.MonthLayout || column.Kind() != microdata.Category {
		return d, false
	}
	layout, withTime := layouts[0], 0
	if strings.HasPrefix(layout, time.DateOnly) && layout != time.DateOnly {
		layout, withTime = time.DateOnly, len(time.DateOnly)
	}
	d = dates{column: column, levels: make([]date, len(categories.Levels))}
	for i, level := range categories.Levels {
		text := level.Label
		if withTime > 0 {
			text, d.levels[i].rest = text[:withTime], text[withTime:]
		}
		day, err := time.Parse(layout, text)
		if err != nil {
			return d, false
		}
		d.levels[i].day = int(day.Unix() / secondsOfDay)
	}
	d.spell(layout)
	return d, true
}

const secondsOfDay = 24 * 60 * 60

// spell finds the notation of the days: day and month with two digits or without leading zeros, month names
// perhaps in capitals.
func (d *dates) spell(layout string) {
	padded := layout
	if !strings.HasPrefix(layout, "2006") {
		padded = strings.NewReplacer("2006", "2006", "2", "02", "1", "01").Replace(layout)
	}
	for _, d.layout = range []string{padded, layout} {
		for _, d.upper = range []bool{false, true} {
			if d.asTheyAre() {
				return
			}
		}
	}
	d.upper = false
}

// asTheyAre reports whether the notation reproduces all levels.
func (d *dates) asTheyAre() bool {
	for i, level := range d.column.Categories().Levels {
		if d.text(d.levels[i]) != level.Label {
			return false
		}
	}
	return true
}

// time returns the start of the day.
func (of date) time() time.Time { return time.Unix(int64(of.day)*secondsOfDay, 0).UTC() }

// text formats a date.
func (d *dates) text(of date) string {
	text := of.time().Format(d.layout)
	if d.upper {
		text = strings.ToUpper(text)
	}
	return text + of.rest
}

// plus returns the date the given number of days later. If the year would not have four digits, it shifts in the
// other direction.
func (of date) plus(days int) date {
	later := date{of.day + days, of.rest}
	if year := later.time().Year(); year < 1 || year > 9999 {
		later.day = of.day - days
	}
	return later
}

// moved returns the column with the date of each record shifted by the record's number of days.
func (d *dates) moved(ctx context.Context, shifts []int16, meter *progress.Meter) (*microdata.Column, error) {
	type move struct {
		code uint32
		days int16
	}
	var levels []date
	moves, places := map[move]uint32{}, map[date]uint32{} // code after each shift
	codes := store.Make[uint32](d.column.Store(), len(shifts))
	for from, was := range d.column.Categories().Codes.Blocks() {
		if ctx.Err() != nil {
			store.Free(d.column.Store(), codes)
			return nil, ctx.Err()
		}
		for i, code := range was {
			if code == 0 {
				continue
			}
			m := move{code, shifts[from+i]}
			place := moves[m]
			if place == 0 {
				to := d.levels[code-1].plus(int(m.days))
				if place = places[to]; place == 0 {
					levels = append(levels, to)
					place = uint32(len(levels))
					places[to] = place
				}
				moves[m] = place
			}
			codes[from+i] = place
		}
		meter.Add(int64(len(was)))
	}
	return d.column.WithCategories(microdata.Category, d.inOrder(levels, codes)), nil
}

// inOrder returns the sorted categories of dates with the given codes, which it takes ownership of.
func (d *dates) inOrder(levels []date, codes []uint32) *microdata.Categories {
	order := stat.InOrder(len(levels))
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(levels[a].day, levels[b].day), strings.Compare(levels[a].rest, levels[b].rest))
	})
	after, final := make([]microdata.Level, len(levels)), make([]uint32, len(levels)+1)
	for place, i := range order {
		text := d.text(levels[i])
		after[place], final[i+1] = microdata.Level{Label: text, Value: microdata.LabelNumber(text)}, uint32(place+1)
	}
	return &microdata.Categories{Levels: after, Ordered: true,
		Codes: microdata.CodesOf(codes).Owned(d.column.Store(), len(after), final)}
}
