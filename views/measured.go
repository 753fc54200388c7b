package views

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Opened is a measure that somebody opened, and what it tells of the data at one
// position. While it is computed anew the old figures stay, with the position that
// they are of.
type Opened struct {
	Spec              measure.Spec    // of its name alone where the program does not have it
	Params            json.RawMessage // as the session keeps them
	Original, Current *measure.Entry  // nil: not known yet
	Of                string          // the position of the figures: "step 3"; "": none are known
	Stale             bool            // the data are others by now
	Stopped           bool            // somebody ended the computing
	Err               error
	Meter             *progress.Meter // of the computing; nil: it has not begun
	Since             time.Time
}

// measured returns an open measure of a name; nil where there is none.
func (s State) measured(name string) *Opened {
	for i := range s.Measures {
		if s.Measures[i].Spec.Name == name {
			return &s.Measures[i]
		}
	}
	return nil
}

// waiting says why no figures stand there; "" where some do.
func (o *Opened) waiting() string {
	switch {
	case o.Err != nil:
		return o.Err.Error()
	case o.Stopped && o.Current == nil:
		return "Not computed: it was stopped. c computes it."
	case o.Current == nil:
		return "counting …"
	case o.Current.NotApplicable != "":
		return notApplicable(o.Current.NotApplicable)
	}
	return ""
}

// news says that the figures are of an earlier position, and how far the new ones
// are; "" where they are of the current data.
func (o *Opened) news(s State, width int) string {
	if !o.Stale && o.Current != nil || o.Err != nil {
		return ""
	}
	text := ""
	if o.Of != "" {
		text = " " + StaleMark + " as of " + o.Of + ", not of the current data"
	}
	if o.Stopped {
		return s.Theme.Warning.Render(Fit(text+"; c computes it", width))
	}
	if line := Underway(s, o.Meter, o.Since, max(0, width-Width(text))); line != "" {
		return s.Theme.Warning.Render(text) + line
	}
	return s.Theme.Warning.Render(Fit(text, width))
}

// original returns the figures of the data as they were read, as a set.
func (o *Opened) original() measure.Set {
	if o.Original == nil {
		return nil
	}
	return measure.Set{*o.Original}
}

// Measured is the pane of one open measure: its numbers, now and in the original
// data, and its tables, one at a time.
type Measured struct {
	tablePane
	name  string
	table int // 0: the numbers; from 1 on the tables
}

// NewMeasured returns the pane of an open measure.
func NewMeasured(name string) *Measured {
	p := &Measured{name: name, tablePane: tablePane{id: "measure", title: "Measure"}}
	p.content, p.titled, p.figures, p.acts = p.tableOf, p.frame, p.explain, p.keys
	return p
}

// OfMeasure is a pane that shows what an open measure tells.
type OfMeasure interface {
	IsOf(name string) bool
}

// IsOf reports whether the pane is that of the measure.
func (p *Measured) IsOf(name string) bool { return p.name == name }

// Name is that of the measure.
func (p *Measured) Name() string { return p.name }

func (p *Measured) keys() []act {
	turn := func(msg tea.KeyPressMsg, s State) Action {
		if o := s.measured(p.name); o != nil && o.Current != nil {
			by, back := stepped(msg, []int{-1}, []string{"left", "h"})
			if !back {
				by = 1
			}
			all := len(o.Current.Values.Tables) + 1
			p.table = (p.table + by + all) % all
			p.cursor = Cursor{}
		}
		return Handled{}
	}
	return []act{{bind("t ←→", "tables", "t", "right", "l", "left", "h"), turn}, asks("enter", "parameters", OpenMeasure{p.name}), stopping(p.name),
		asks("d", "close the measure", CloseMeasure{p.name})}
}

// stopping is the key that ends the computing of a measure, or begins it.
func stopping(name string) act { return asks("c", "stop, compute", StopMeasure{name}) }

// frame names the measure and the table that is shown.
func (p *Measured) frame(s State) string {
	o := s.measured(p.name)
	if o == nil {
		return p.title
	}
	title := cmp.Or(o.Spec.Title, o.Spec.Name)
	if o.Current == nil || len(o.Current.Values.Tables) == 0 {
		return title
	}
	at, name := min(p.table, len(o.Current.Values.Tables)), "figures"
	if at > 0 {
		name = o.Current.Values.Tables[at-1].Title
	}
	return fmt.Sprintf("%s · %s (%d of %d)", title, name, at+1, len(o.Current.Values.Tables)+1)
}

func (p *Measured) tableOf(s State, _ int) Table {
	o := s.measured(p.name)
	if o == nil {
		return Table{Instead: "This measure is not open any more."}
	}
	if text := o.waiting(); text != "" {
		return Table{Instead: text, Above: p.above(s, o)}
	}
	var t Table
	if at := min(p.table, len(o.Current.Values.Tables)); at > 0 {
		t = s.TableOf(&o.Current.Values.Tables[at-1], p.cursor.At)
	} else {
		t = numbersOf(s, o)
	}
	t.Above = p.above(s, o)
	return t
}

func (*Measured) above(s State, o *Opened) func(width, height int) []string {
	return func(width, _ int) []string {
		if line := o.news(s, width); line != "" {
			return []string{line}
		}
		return nil
	}
}

func (p *Measured) explain(s State) []Figure {
	o := s.measured(p.name)
	if o == nil || o.Current == nil {
		return nil
	}
	numbers, at := o.Current.Values.Numbers, p.cursor.At
	return explainedFrom(o.original(), o.Current, func(v *measure.Value) bool { return p.table > 0 || at < len(numbers) && v == &numbers[at] })
}

// numbersOf lists the numbers of a measure, now and in the original data.
func numbersOf(s State, o *Opened) Table {
	was := o.original()
	numbers := o.Current.Values.Numbers
	return Table{
		Columns: []Column{{Head: "figure", Size: 30, Most: 60}, {Head: "now", Kind: Values, Size: 12, Most: 44}, {Head: "original", Kind: Values, Size: 12, Most: 44, Rank: 1}},
		Rows:    len(numbers),
		Row: func(row int) []Cell {
			v := &numbers[row]
			name, short := v.Row()
			if v.K > 0 && v.Title == "" {
				name = fmt.Sprintf("k = %d", v.K)
			}
			before := Cell{Text: noFigure, Style: &s.Theme.Faint}
			if old := was.Like(o.Spec.Name, v); old != nil {
				before.Text = old.Text()
			}
			return []Cell{{Text: name, Short: short}, {Text: v.Text(), Style: &s.Theme.Strong}, before}
		},
		None: "it has no figures",
	}
}

// mostLooked is the number of rows that are looked at to see what those of a table are
// like, at each frame: a table may have one for each of very many categories.
const mostLooked = 200

// TableOf is a table of a measure as a table of the screen: numbers on the right. What
// the variables are that its rows name stands in a column; where rows name several,
// under the table for the row with the cursor.
func (s State) TableOf(t *measure.Table, at int) Table {
	columns, first := make([]Column, len(t.Columns)), t.Rows[:min(len(t.Rows), mostLooked)]
	for c, head := range t.Columns {
		columns[c] = Column{Head: head, Kind: Words, Most: 40}
		if c > 0 {
			columns[c].Rank = c
		}
		for _, row := range first {
			switch row[c].(type) {
			case int, float64, measure.Percent:
				columns[c].Kind = Values
			case microdata.Combination: // a key has one of each key variable
				columns[c].Most, columns[c].Least = 120, 20
			}
		}
	}
	table := Table{Columns: columns, Rows: len(t.Rows), None: "it has no rows", Row: func(row int) []Cell {
		cells := make([]Cell, len(t.Columns))
		for c, value := range t.Rows[row] {
			cells[c].Text = s.measuredText(value)
		}
		return cells
	}}
	if !slices.ContainsFunc(first, func(row []any) bool { return len(s.namedIn(row)) > 1 }) {
		return s.withLabels(table, len(first), func(row int) string { return strings.Join(s.namedIn(t.Rows[row]), "") })
	}
	table.Status = func(width int) []string {
		if at >= len(t.Rows) {
			return nil
		}
		return []string{s.Theme.Faint.Render(Fit(strings.TrimPrefix(s.meanings(s.namedIn(t.Rows[at])...), " ·"), width))}
	}
	return table
}

// namedIn returns the variables that a row of a table names.
func (s State) namedIn(row []any) (names []string) {
	for _, cell := range row {
		if name, ok := cell.(string); ok && s.Current.column(name) != nil {
			names = append(names, name)
		}
	}
	return names
}

// measuredText spells a cell of a table of a measure, of categories with what they mean.
func (s State) measuredText(cell any) string {
	if categories, ok := cell.(microdata.Combination); ok {
		return Safe(s.WithMeanings(categories))
	}
	return Safe(measure.CellText(cell))
}
