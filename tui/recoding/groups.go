package recoding

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/views"
)

// recodeGroups is the view that merges, splits, renames and orders the categories of a variable. The what-if shows
// the effect of the intent: the marked categories merged, the category under the cursor renamed or split, or
// another order.
type recodeGroups struct {
	editor
	parts   [][]string // the original categories of each level; nil: unknown
	order   []uint32   // codes in the order of the list; 0 is missing
	byCount bool
	intent  groupsIntent
	marked  map[uint32]bool
	at      int    // index in order
	group   string // the label of the group; "": that of the method
}

// groupsIntent is what enter would do.
type groupsIntent int

const (
	toMerge groupsIntent = iota // merge the marked categories, or rename the one under the cursor to the typed text
	toSplit                     // split the category under the cursor
	toOrder                     // order the categories as they were moved
)

func newRecodeGroups(s views.State, column *microdata.Column) *recodeGroups {
	d := &recodeGroups{}
	d.begin(s, column, d, "Recode "+s.Titled(column.Name()), d.recode)
	d.Take(column)
	return d
}

// follow takes the column if a merge has changed it.
func (d *recodeGroups) follow(s views.State) {
	if column := s.Current.Column(d.column.Name()); column != nil && column != d.column {
		d.Take(column)
	}
}

// Take starts again on a column, for example after a merge. The cursor moves to the new category, or stays on its
// own.
func (d *recodeGroups) Take(column *microdata.Column) {
	code := d.became(column)
	d.column, d.parts, d.marked, d.group = column, recode.AllParts(column), map[uint32]bool{}, ""
	d.give()
	d.choose(code)
}

// became returns the code in another column of the first new category, otherwise of the one under the cursor, or
// 0.
func (d *recodeGroups) became(column *microdata.Column) uint32 {
	same := microdata.SameLabels(d.column.Categories().Levels, column.Categories().Levels)
	for code := range column.Categories().Levels {
		if !slices.Contains(same, uint32(code+1)) {
			return uint32(code + 1)
		}
	}
	return same[d.code()]
}

// choose moves the cursor to a category, if it is listed.
func (d *recodeGroups) choose(code uint32) {
	if at := slices.Index(d.order, code); at >= 0 && code > 0 {
		d.at = at
	}
}

// give discards the intent: moved categories return to their place.
func (d *recodeGroups) give() {
	code, counts := d.code(), d.column.Categories().Counts()
	d.intent, d.order = toMerge, nil
	for code := range d.column.Categories().Levels {
		d.order = append(d.order, uint32(code+1))
	}
	if d.byCount {
		slices.SortStableFunc(d.order, func(a, b uint32) int { return counts[b] - counts[a] })
	}
	if d.count(0) > 0 {
		d.order = append(d.order, 0)
	}
	d.at = max(0, min(d.at, len(d.order)-1))
	d.choose(code)
}

// count returns the records of a category. For missing it excludes suppressed cells, which stay missing.
func (d *recodeGroups) count(code uint32) int {
	count := d.column.Categories().Counts()[code]
	if code == 0 {
		return count - d.column.SuppressedCount()
	}
	return count
}

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

// partsOf returns the original categories of a level, or nil if they are unknown.
func (d *recodeGroups) partsOf(code uint32) []string {
	if code == 0 || int(code) > len(d.parts) {
		return nil
	}
	return d.parts[code-1]
}

// labels returns the labels of the codes in which, in the order of codes; if which is nil, of all.
func (d *recodeGroups) labels(codes []uint32, which map[uint32]bool) (labels []string) {
	for _, code := range codes {
		if code != 0 && (which == nil || which[code]) {
			labels = append(labels, d.levelLabel(code))
		}
	}
	return labels
}

// label returns the label of the group, or what was typed so far.
func (d *recodeGroups) label() string {
	if d.Typing() {
		return strings.TrimSpace(d.input.Text())
	}
	return d.group
}

// members returns the categories to merge: the marked ones, otherwise the one whose name is being typed.
func (d *recodeGroups) members() map[uint32]bool {
	if d.intent == toMerge && (len(d.marked) > 0 || !d.Typing()) {
		return d.marked
	}
	return map[uint32]bool{d.code(): d.Typing()}
}

// recode returns the recode of the intent. Missing cells become a category if that has a name.
func (d *recodeGroups) recode() (step string, m method.Regrouper) {
	variable, members := d.column.Name(), d.members()
	switch named := d.label(); {
	case d.intent == toSplit:
		return "recode-split", &recode.Split{Variable: variable, Level: d.levelLabel(d.code())}
	case d.intent == toOrder:
		return "recode-order", &recode.Order{Variable: variable, Levels: d.labels(d.order, nil)}
	case len(members) >= 2 || members[0] && named != "":
		return "recode-group", &recode.Group{Variable: variable, Label: named, IncludeMissing: members[0],
			Levels: d.labels(slices.Sorted(slices.Values(d.order)), members)}
	case named != "":
		if one := d.labels(d.order, members)[0]; one != named {
			return "recode-rename", &recode.Rename{Variable: variable, Level: one, Label: named}
		}
	}
	return "", nil
}
