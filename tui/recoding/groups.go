package recoding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// recodeGroups is the dialog that merges, splits, renames and orders the
// categories of a variable. The what-if shows what the intent would do as soon
// as there is one: the marked categories as one, the category under the cursor
// split, those beyond it grouped, or another order.
type recodeGroups struct {
	dialogs.StepDialog
	column  *microdata.Column // as it was when the dialog last took a key
	parts   [][]string        // the source categories of each level; nil: they cannot be told
	order   []uint32          // codes in the order of the list; 0 is missing
	byCount bool
	intent  groupsIntent
	marked  map[uint32]bool
	at      int             // place in order
	label   *draw.TextField // the label of the group, or the new name
	rename  bool            // the label is a new name of the category under the cursor
	message string          // why the last key did nothing
	group   string          // the label given to the group; "": the method's own
	list    dialogs.RowsShown
	saidOf  string                 // the group that said was found for
	said    *microdata.Description // of the categories once the group is one
}

// groupsIntent is what enter would do.
type groupsIntent int

const (
	toMerge  groupsIntent = iota // the marked categories become one
	toSplit                      // the category under the cursor is taken apart
	toOrder                      // the categories stand as they were moved
	toTop                        // the categories above the cursor are grouped
	toBottom                     // the categories below it are
)

func newRecodeGroups(s views.State, column *microdata.Column) *recodeGroups {
	d := &recodeGroups{}
	d.Self, d.Heading, d.NeedK = d, "Recode "+s.Titled(column.Name()), s.K
	d.Take(column)
	return d
}

// follow takes the column as it is now, where a merge has changed it.
func (d *recodeGroups) follow(s views.State) {
	if column := s.Current.Column(d.column.Name()); column != nil && column != d.column {
		d.Take(column)
	}
}

// Take starts afresh on a column, as after a merge. The cursor goes to the category that
// is new, else it stays on its own.
func (d *recodeGroups) Take(column *microdata.Column) {
	code := d.became(column)
	d.column, d.marked, d.group, d.intent, d.saidOf = column, map[uint32]bool{}, "", toMerge, ""
	d.parts = recode.AllParts(column)
	d.sort()
	d.at = min(d.at, max(0, len(d.order)-1))
	if at := slices.Index(d.order, code); at >= 0 && code > 0 {
		d.at = at
	}
}

// became returns the code in another column of the first category that is new there, else
// of that under the cursor; 0 where there is neither.
func (d *recodeGroups) became(column *microdata.Column) uint32 {
	if d.column == nil {
		return 0
	}
	same := microdata.SameLabels(d.column.Categories().Levels, column.Categories().Levels)
	for code := range column.Categories().Levels {
		if !slices.Contains(same, uint32(code+1)) {
			return uint32(code + 1)
		}
	}
	return same[d.code()]
}

func (d *recodeGroups) sort() {
	categories := d.column.Categories()
	counts := categories.Counts()
	d.order = d.order[:0]
	for code := range categories.Levels {
		d.order = append(d.order, uint32(code+1))
	}
	if d.byCount {
		slices.SortStableFunc(d.order, func(a, b uint32) int { return counts[b] - counts[a] })
	}
	if d.missing() > 0 {
		d.order = append(d.order, 0)
	}
}

// missing returns the number of missing cells that can join a category:
// suppressed ones stay missing.
func (d *recodeGroups) missing() int {
	return d.column.Categories().Counts()[0] - d.column.SuppressedCount()
}

func (d *recodeGroups) count(code uint32) int {
	if code == 0 {
		return d.missing()
	}
	return d.column.Categories().Counts()[code]
}

// Typing reports whether a label is being typed.
func (d *recodeGroups) Typing() bool { return d.label != nil }

// code returns the code of the category under the cursor; 0 for missing.
func (d *recodeGroups) code() uint32 {
	if len(d.order) == 0 {
		return 0
	}
	return d.order[d.at]
}

func (d *recodeGroups) levelLabel(code uint32) string {
	if code == 0 {
		return "(missing)"
	}
	return d.column.Categories().Levels[code-1].Label
}

// partsOf returns the source categories that a level was made of; nil where
// they cannot be told.
func (d *recodeGroups) partsOf(code uint32) []string {
	if code == 0 || int(code) > len(d.parts) {
		return nil
	}
	return d.parts[code-1]
}

// ordered reports whether the categories are ordered and no numbers: then those
// beyond one can be grouped.
func (d *recodeGroups) ordered() bool {
	return d.column.Categories().Ordered && !d.column.Numeric()
}

// ready reports whether the intent makes a step.
func (d *recodeGroups) ready() bool {
	if d.rename && d.label != nil {
		return d.renaming() != nil
	}
	switch d.intent {
	case toMerge:
		return d.mergeable()
	case toTop:
		return d.code() != 0 && int(d.code()) < len(d.column.Categories().Levels)
	case toBottom:
		return d.code() > 1
	}
	return true
}

// mergeable reports whether the marked rows can become one category, or missing
// cells a category of their own, which has to be named.
func (d *recodeGroups) mergeable() bool {
	return len(d.marked) >= 2 || d.marked[0] && d.group != ""
}

// inGroup reports whether a level is one of those that the intent makes one.
func (d *recodeGroups) inGroup(code uint32) bool {
	switch d.intent {
	case toTop:
		return code > d.code()
	case toBottom:
		return code != 0 && code < d.code()
	case toMerge:
		return d.marked[code]
	}
	return false
}

func (d *recodeGroups) merge() *recode.Group {
	m := &recode.Group{Variable: d.column.Name(), Label: d.group, IncludeMissing: d.marked[0]}
	for code, level := range d.column.Categories().Levels {
		if d.marked[uint32(code+1)] {
			m.Levels = append(m.Levels, level.Label)
		}
	}
	return m
}

// merged returns what is said of the categories once the group is one; nil where it
// cannot be, and the what-if says why. It is kept: all categories were walked for it.
func (d *recodeGroups) merged(m *recode.Group) *microdata.Description {
	if of := fmt.Sprintf("%t %q %q", m.IncludeMissing, m.Label, m.Levels); of != d.saidOf {
		d.saidOf, d.said = of, nil
		if r, err := m.Regroup(method.Input{}, d.column); err == nil {
			d.said = r.Said()
		}
	}
	return d.said
}

// Made returns the step of the intent.
func (d *recodeGroups) Made() (step session.StepSpec, ok bool) {
	if !d.ready() {
		return step, false
	}
	variable, label := d.column.Name(), d.levelLabel(d.code())
	if m := d.renaming(); m != nil {
		return dialogs.StepOf("recode-rename", m), true
	}
	switch d.intent {
	case toSplit:
		return dialogs.StepOf("recode-split", &recode.Split{Variable: variable, Level: label}), true
	case toTop:
		return dialogs.StepOf("recode-topbottom", &recode.TopBottom{Variable: variable, TopLevel: label,
			Replacement: recode.ReplaceByThreshold}), true
	case toBottom:
		return dialogs.StepOf("recode-topbottom", &recode.TopBottom{Variable: variable, BottomLevel: label,
			Replacement: recode.ReplaceByThreshold}), true
	case toOrder:
		m := &recode.Order{Variable: variable}
		for _, code := range d.order {
			if code != 0 {
				m.Levels = append(m.Levels, d.levelLabel(code))
			}
		}
		return dialogs.StepOf("recode-order", m), true
	}
	return dialogs.StepOf("recode-group", d.merge()), true
}

// renaming returns the rename that is being typed; nil where there is none, or
// the name is the old one.
func (d *recodeGroups) renaming() *recode.Rename {
	if d.label == nil || !d.rename {
		return nil
	}
	from, text := d.levelLabel(d.code()), strings.TrimSpace(d.label.Text())
	if text == "" || text == from {
		return nil
	}
	return &recode.Rename{Variable: d.column.Name(), Level: from, Label: text}
}
