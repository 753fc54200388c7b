package views

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// drawnShare counts the values of a variable that differ from the source, and
// remembers them while the data stay.
type drawnShare map[string]drawnCount

type drawnCount struct {
	now, before      *microdata.Categories
	changed, present int
	ok               bool
}

// of returns how many values of a variable differ from those of the source, and
// how many are there in both; ok is false where the categories are others.
func (m *drawnShare) of(s State, name string) drawnCount {
	now, before := categoriesOf(s.Current, name), categoriesOf(s.Original, name)
	known, found := (*m)[name]
	if found && known.now == now && known.before == before {
		return known
	}
	if *m == nil {
		*m = drawnShare{}
	}
	counted := countDrawn(now, before)
	(*m)[name] = counted
	return counted
}

func countDrawn(now, before *microdata.Categories) drawnCount {
	c := drawnCount{now: now, before: before}
	same := func(a, b microdata.Level) bool { return a.Label == b.Label }
	if now == nil || before == nil || now.Codes.Len() != before.Codes.Len() || !slices.EqualFunc(now.Levels, before.Levels, same) {
		return c
	}
	c.ok = true
	for record := range now.Codes.Len() {
		is, was := now.Codes.At(record), before.Codes.At(record)
		if is == 0 || was == 0 {
			continue
		}
		if c.present++; is != was {
			c.changed++
		}
	}
	return c
}
