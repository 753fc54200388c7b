package suggest

import (
	"cmp"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// Suggestion is a recode and what it would do.
type Suggestion struct {
	Variable  string
	Recode    *recode.Group     // nil where Intervals is not
	Intervals *recode.Intervals // nil where Recode is not
	Width     float64           // of the intervals
	Label     string            // of the group that the recode makes; "" for intervals
	Records   int               // that have one of the grouped categories, or any value
	Before    int               // violators now
	After     int               // violators after the recode
	Lost      float64           // detail of the variable that is lost, in bits; above 0
	Detail    float64           // detail of the variable now, in bits
}

// Step returns the recode as a method, and its name in the catalog.
func (s *Suggestion) Step() (name string, m method.Method) {
	if s.Intervals != nil {
		return recode.IntervalsSpec().Name, s.Intervals
	}
	return recode.GroupSpec().Name, s.Recode
}

// Removed returns the number of violators that the recode removes.
func (s *Suggestion) Removed() int { return s.Before - s.After }

// Rate returns the violators removed per bit of detail lost.
func (s *Suggestion) Rate() float64 { return float64(s.Removed()) / s.Lost }

// outcome is a candidate that was tried.
type outcome struct {
	candidate
	after int
	made  *Suggestion // nil until it was asked for
}

// better orders outcomes: more violators removed per bit first; of equals the
// one that removes more, then the first in the order of variables and levels.
func (s *Search) better(a, b *outcome) int {
	removedA, removedB := s.before-a.after, s.before-b.after
	return cmp.Or(
		cmp.Compare(float64(removedB)/b.lost, float64(removedA)/a.lost),
		cmp.Compare(removedB, removedA),
		cmp.Compare(a.of.place, b.of.place),
		slices.Compare(a.members, b.members),
		cmp.Compare(a.width(), b.width()),
	)
}

// width returns that of the intervals; 0 for a group.
func (c *candidate) width() float64 {
	if c.intervals == nil {
		return 0
	}
	return c.intervals.Width
}

// suggestion returns the recode of an outcome with its figures, the same one each time.
func (s *Search) suggestion(o *outcome) *Suggestion {
	if o.made != nil {
		return o.made
	}
	v := o.of
	o.made = &Suggestion{Variable: v.column.Name(), Width: o.width(), Before: s.before, After: o.after, Lost: o.lost,
		Detail: v.detail}
	if o.intervals != nil {
		o.made.Intervals, o.made.Records = o.intervals.Recode, v.known
		return o.made
	}
	o.made.Recode, o.made.Label = groupOf(v.column, o.members)
	for _, code := range o.members {
		o.made.Records += v.counts[code]
	}
	return o.made
}

// groupOf returns the recode that groups the levels of some codes, and the label
// of the group: it is left to the recode unless another level has that one.
func groupOf(column *microdata.Column, members []uint32) (*recode.Group, string) {
	categories := column.Categories()
	group := &recode.Group{Variable: column.Name()}
	for _, code := range members {
		group.Levels = append(group.Levels, categories.Levels[code-1].Label)
	}
	label := group.DefaultLabel(column)
	for {
		code, taken := categories.CodeOf(label)
		if !taken || slices.Contains(members, code) {
			return group, label
		}
		label += " (grouped)"
		group.Label = label
	}
}
