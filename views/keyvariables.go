package views

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// KeyVariables is the pane of key variables: categories, the rarest category,
// missing and suppressed cells of each, as they are and as they were.
type KeyVariables struct{ list list }

var (
	_ MousePane = (*KeyVariables)(nil)
	_ Explained = (*KeyVariables)(nil)
)

// ID returns "key-variables".
func (*KeyVariables) ID() string { return "key-variables" }

// Title returns what stands in the frame.
func (*KeyVariables) Title() string { return "Key variables" }

// Keys returns the keys of the pane.
func (*KeyVariables) Keys() []key.Binding {
	return append(listKeys(), keyEnter("recode"))
}

// HandleKey moves the cursor, which selects the variable, and opens the recode
// dialog.
func (p *KeyVariables) HandleKey(msg tea.KeyPressMsg, s State) Action {
	names := s.keys()
	if len(names) == 0 {
		return nil
	}
	p.follow(s)
	switch {
	case p.list.move(msg, len(names)):
		return SelectVariable{names[p.list.at]}
	case key.Matches(msg, keyEnter("")):
		return OpenRecode{names[p.list.at]}
	}
	return nil
}

// Click selects the variable of a line; on the selected one it opens the
// recode dialog.
func (p *KeyVariables) Click(_, y int, s State) Action {
	row := y - 1 + p.list.first
	if y < 1 || row >= len(s.keys()) {
		return nil
	}
	if name := s.keys()[row]; name != s.Selected.Variable {
		return SelectVariable{name}
	}
	return OpenRecode{s.Selected.Variable}
}

// Wheel moves the selection.
func (p *KeyVariables) Wheel(lines int, s State) Action {
	if len(s.keys()) == 0 {
		return nil
	}
	p.follow(s)
	p.list.at += lines
	p.list.clamp(len(s.keys()))
	return SelectVariable{s.keys()[p.list.at]}
}

// follow puts the cursor on the selected variable.
func (p *KeyVariables) follow(s State) {
	for i, name := range s.keys() {
		if name == s.Selected.Variable {
			p.list.at = i
		}
	}
}

// variableFigures are the figures of one line.
type variableFigures struct {
	known                bool
	recoded              bool
	categories, smallest pair
	missing              int
	suppressed           int
}

func figuresOf(s State, name string) (f variableFigures) {
	now, before := categoriesOf(s.Current, name), categoriesOf(s.Original, name)
	if now == nil || before == nil {
		return f
	}
	column, _ := s.Current.Data.Column(name)
	return variableFigures{
		known: true, recoded: column.Recoded(),
		categories: pair{Count(now.Occurring()), Count(before.Occurring())},
		smallest:   pair{Count(now.Smallest()), Count(before.Smallest())},
		missing:    now.Counts()[0], suppressed: column.Suppressed().Count(),
	}
}

// The columns of the table of key variables.
const (
	columnVariable = iota
	columnCategories
	columnSmallest
	columnMissing
	columnSuppressed
)

// View draws one line per key variable.
func (p *KeyVariables) View(s State, width, height int, focused bool) string {
	names := s.keys()
	if len(names) == 0 {
		return sentence(s, "No key variable is chosen. Press v and mark with k the variables an intruder may know.", width, height)
	}
	p.follow(s)
	first, last := p.list.window(len(names), height-1)
	figures := make([]variableFigures, last-first)
	var categories, smallest pairSize
	longest := 8
	for i := range figures {
		figures[i] = figuresOf(s, names[first+i])
		categories.grow(figures[i].categories)
		smallest.grow(figures[i].smallest)
		longest = max(longest, min(24, Width(Safe(shortened(names[first+i])))+2))
	}
	fields := keyVariableFields(longest, categories, &smallest, width-2)
	spread(fields, width-2)
	lines := []string{headings(s, fields, 1, width)}
	for i := first; i < last; i++ {
		lines = append(lines, p.row(s, names[i], figures[i-first], fields, [2]pairSize{categories, smallest}, focused, width))
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// keyVariableFields returns the columns. Before one of them is dropped, the
// original of the smallest category and then the length of the headings give
// way.
func keyVariableFields(longest int, categories pairSize, smallest *pairSize, width int) []field {
	heads := [...]string{"categories", "suppressed"}
	for attempt := 0; ; attempt++ {
		fields := []field{
			{head: "variable", size: longest, least: min(longest, 14)},
			{head: heads[0], right: true, size: max(len(heads[0]), categories.size())},
			{head: "smallest", right: true, size: max(8, smallest.size()), rank: 2},
			{head: "missing", right: true, size: 9, least: 7, rank: 3},
			{head: heads[1], right: true, size: max(len(heads[1]), 7), rank: 1},
		}
		arrange(fields, width)
		if attempt == 2 || fields[columnSmallest].size > 0 && fields[columnSuppressed].size > 0 {
			return fields
		}
		if smallest.original = 0; attempt == 1 {
			heads = [...]string{"categ.", "suppr."}
		}
	}
}

func (p *KeyVariables) row(s State, name string, f variableFigures, fields []field, pairs [2]pairSize, focused bool, width int) string {
	theme := s.Theme
	chosen := name == s.Selected.Variable
	l := newLine(width, cursor(theme, chosen, focused))
	if !f.known {
		l.text(&theme.Error, " "+name+" is not in the file")
		return l.String()
	}
	style, sign := &theme.Plain, " "
	if f.recoded {
		style, sign = &theme.Changed, "*"
	}
	suppressed := &theme.Faint
	if f.suppressed > 0 {
		suppressed = &theme.Suppressed
	}
	l.mark(&theme.Strong, chosen)
	l.field(style, fields[columnVariable], Fit(name, fields[columnVariable].size-1)+sign)
	l.pairField(theme, fresh(s, style), fields[columnCategories], f.categories, pairs[0])
	l.pairField(theme, fresh(s, style), fields[columnSmallest], f.smallest, pairs[1])
	l.field(fresh(s, &theme.Plain), fields[columnMissing], Count(f.missing))
	l.field(fresh(s, suppressed), fields[columnSuppressed], Count(f.suppressed))
	return l.String()
}

// both spells a figure with that of the original behind it: "8 (98)".
func both(now, before int) string { return Count(now) + " (" + Count(before) + ")" }

// categoriesOf returns the categories of a variable; nil where it is not there.
func categoriesOf(v Version, name string) *microdata.Categories {
	if v.Data == nil {
		return nil
	}
	column, ok := v.Data.Column(name)
	if !ok {
		return nil
	}
	return column.Categories()
}

// Figures explains the columns for the selected variable.
func (p *KeyVariables) Figures(s State) []Figure {
	now, before := categoriesOf(s.Current, s.Selected.Variable), categoriesOf(s.Original, s.Selected.Variable)
	if now == nil || before == nil {
		return nil
	}
	name := Safe(shortened(s.Selected.Variable))
	return []Figure{
		{Name: "Categories of " + name, Value: both(now.Occurring(), before.Occurring()),
			Definition: "How many categories occur, missing values not counted; in brackets in the original data. The fewer the categories, the less rare are their combinations.",
			Formula:    "number of distinct values",
			Source:     sourceTempl + ", chapter 3"},
		{Name: "Smallest category of " + name, Value: both(now.Smallest(), before.Smallest()),
			Definition: "The number of records of the rarest category. Who has a category of few records is easily singled out.",
			Formula:    "least number of records of a category that occurs",
			Source:     sourceTempl + ", chapter 3"},
		{Name: "Suppressed cells of " + name, Value: Count(suppressedCells(s, s.Selected.Variable)),
			Definition: "Cells that a suppression made missing. Those that a recode left out or that were set to missing are not among them.",
			Formula:    "number of cells that are marked as suppressed",
			Values:     []string{"missing now: " + Count(now.Counts()[0]), "missing in the original: " + Count(before.Counts()[0])},
			Source:     sourceTempl + ", section 4.2.2"},
	}
}
