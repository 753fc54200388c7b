package views

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// drawnShare counts the values of variables that differ from the source, and
// remembers them while the data stay.
type drawnShare map[string]*memo[nowAndBefore, drawnCount]

// drawnCount says how many values of a variable differ from those of the source,
// and how many are there in both; ok is false where the categories are others.
type drawnCount struct {
	changed, present int
	ok               bool
}

func (m drawnShare) of(s State, name string) *drawnCount {
	if m[name] == nil {
		m[name] = &memo[nowAndBefore, drawnCount]{}
	}
	c := s.categories(name)
	return m[name].look(c, func() drawnCount { return countDrawn(c.now, c.before) })
}

func countDrawn(now, before *microdata.Categories) (c drawnCount) {
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
